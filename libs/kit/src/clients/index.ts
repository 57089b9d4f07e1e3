export {
  type ClientAddressSource,
  clientAddress,
  clientNetwork,
  isLoopback,
  parseNetwork,
} from './client-address.js';
export {
  type CallContext,
  type ClientAddressOptions,
  ClientAddresses,
  LIBRARY_CALL,
} from './client-addresses.js';

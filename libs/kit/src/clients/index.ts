export {
  type ClientAddressSource,
  clientAddress,
  clientNetwork,
  isLoopback,
  parseNetwork,
  placeNetwork,
} from './client-address.js';
export {
  type CallContext,
  type ClientAddressOptions,
  ClientAddresses,
  LIBRARY_CALL,
} from './client-addresses.js';

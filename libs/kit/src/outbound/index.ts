/** Requests to addresses that users configure, without a way into the network of the services. */
export { type Received } from './exchange.js';
export {
  OutboundClient,
  OutboundClosed,
  OutboundError,
  type OutboundPolicy,
  type OutboundRequest,
  outboundUrlFault,
} from './outbound.js';
export { recordAnswer, requestAttributes } from './outbound-traces.js';

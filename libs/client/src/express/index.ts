/** Protects routes of Express, and of other frameworks on node:http. */
import { type Caller } from '../protect/caller.js';
import { type NodeMiddleware, nodeMiddleware, type NodeRequest } from '../protect/node-http.js';
import { type ProtectOptions } from '../protect/options.js';
import { protection } from '../protect/protection.js';

export { type Caller } from '../protect/caller.js';
export { type OfflineOptions, type ProtectOptions } from '../protect/options.js';

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- Express has its types in this namespace.
  namespace Express {
    interface Request {
      /** The holder of the credential, after `protect`. */
      caller: Caller;
    }
  }
}

/**
 * A middleware that sets `request.caller`, or answers 401, 403, 429 or 503 with a problem (RFC 9457). The
 * client's address is `request.ip`: set `trust proxy` behind a proxy.
 *
 * @throws TypeError without an address of Gatehouse or a key
 */
export function protect(
  options: ProtectOptions = {},
): NodeMiddleware<NodeRequest & { caller?: Caller }> {
  return nodeMiddleware(protection(options), (request, caller) => {
    request.caller = caller;
  });
}

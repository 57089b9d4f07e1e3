/** Protects a handler of the Fetch API: Cloudflare Workers, Deno, Bun, and others. */
import { type Caller } from '../protect/caller.js';
import { type FetchHandler, fetchHandler, type FetchOptions } from '../protect/fetch-handler.js';
import { type ProtectOptions } from '../protect/options.js';
import { protection } from '../protect/protection.js';

export { type Caller } from '../protect/caller.js';
export { type FetchHandler, type FetchOptions } from '../protect/fetch-handler.js';
export { type OfflineOptions, type ProtectOptions } from '../protect/options.js';

/**
 * Calls the handler with the caller, or answers 401, 403, 429 or 503 with a problem (RFC 9457).
 *
 * @param handler gets the request, the caller, and what the runtime passes after the request
 * @throws TypeError without an address of Gatehouse or a key
 */
export function protect<Rest extends unknown[]>(
  options: ProtectOptions & FetchOptions<Rest>,
  handler: (request: Request, caller: Caller, ...rest: Rest) => Response | Promise<Response>,
): FetchHandler<Rest> {
  return fetchHandler(protection(options), options, handler);
}

/** Protects routes of Hono. */
import { type Caller } from '../protect/caller.js';
import { credentialHeadersOf } from '../protect/credential.js';
import { type ProtectOptions } from '../protect/options.js';
import { protection } from '../protect/protection.js';

export { type Caller } from '../protect/caller.js';
export { type OfflineOptions, type ProtectOptions } from '../protect/options.js';

declare module 'hono' {
  interface ContextVariableMap {
    /** The holder of the credential, after `protect`. */
    caller: Caller;
  }
}

interface Context {
  readonly req: { readonly raw: Request };
  set(name: 'caller', caller: Caller): void;
  header(name: string, value: string): void;
}

export interface HonoProtectOptions<C> extends ProtectOptions {
  /**
   * The client's address, such as `(context: Context) => getConnInfo(context).remote.address`. Without it,
   * credentials that are bound to networks are refused.
   */
  readonly clientAddress?: (context: C) => string | undefined;
}

/**
 * A middleware that sets the variable `caller`, or answers 401, 403, 429 or 503 with a problem (RFC 9457).
 *
 * @throws TypeError without an address of Gatehouse or a key
 */
export function protect<C extends Context>(options: HonoProtectOptions<C> = {}) {
  const authorize = protection(options);
  return async (context: C, next: () => Promise<void>): Promise<Response | undefined> => {
    const address = options.clientAddress?.(context);
    const decision = await authorize(credentialHeadersOf(context.req.raw), address);
    if (decision.caller === undefined) {
      return new Response(decision.body, { status: decision.status, headers: decision.headers });
    }
    context.set('caller', decision.caller);
    await next();
    for (const [name, value] of Object.entries(decision.headers)) context.header(name, value);
    return undefined;
  };
}

/** Protects routes of Fastify. */
import { type Caller } from '../protect/caller.js';
import { type CredentialHeaders } from '../protect/credential.js';
import { type ProtectOptions } from '../protect/options.js';
import { protection } from '../protect/protection.js';

export { type Caller } from '../protect/caller.js';
export { type OfflineOptions, type ProtectOptions } from '../protect/options.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The holder of the credential, after `protect`. */
    caller: Caller;
  }
}

interface Request {
  readonly headers: CredentialHeaders;
  readonly ip: string;
  caller?: Caller;
}

interface Reply {
  code(status: number): Reply;
  headers(headers: Record<string, string>): Reply;
  send(body: string): Reply;
}

/**
 * A hook, for `onRequest` or `preHandler`, that sets `request.caller`, or answers 401, 403, 429 or 503 with a
 * problem (RFC 9457). The client's address is `request.ip`: set `trustProxy` behind a proxy.
 *
 * @throws TypeError without an address of Gatehouse or a key
 */
export function protect(options: ProtectOptions = {}) {
  const authorize = protection(options);
  return async (request: Request, reply: Reply): Promise<unknown> => {
    const decision = await authorize(request.headers, request.ip);
    reply.headers(decision.headers);
    if (decision.caller === undefined) return reply.code(decision.status).send(decision.body);
    request.caller = decision.caller;
    return undefined;
  };
}

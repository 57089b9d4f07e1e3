/** Protects controllers of Nest, on Fastify and Express. */
import { type CanActivate, type ExecutionContext, HttpException } from '@nestjs/common';
import { type Caller } from '../protect/caller.js';
import { clientAddressOf, type NodeRequest } from '../protect/node-http.js';
import { type ProtectOptions } from '../protect/options.js';
import { protection } from '../protect/protection.js';

export { type Caller } from '../protect/caller.js';
export { type OfflineOptions, type ProtectOptions } from '../protect/options.js';

/** Both platforms have this method. */
interface Reply {
  header(name: string, value: string): unknown;
}

/**
 * A guard for `@UseGuards(protect({ ... }))` that sets `request.caller`, or throws an HttpException with
 * the status 401, 403, 429 or 503 and a problem (RFC 9457). The client's address is `request.ip`: tell the
 * platform which proxies to trust.
 *
 * @throws TypeError without an address of Gatehouse or a key
 */
export function protect(options: ProtectOptions = {}): CanActivate {
  const authorize = protection(options);
  return {
    canActivate: async (context: ExecutionContext): Promise<true> => {
      const http = context.switchToHttp();
      const request = http.getRequest<NodeRequest & { caller?: Caller }>();
      const decision = await authorize(request.headers, clientAddressOf(request));
      const reply = http.getResponse<Reply>();
      for (const [name, value] of Object.entries(decision.headers)) reply.header(name, value);
      if (decision.caller === undefined) {
        throw new HttpException(JSON.parse(decision.body) as object, decision.status);
      }
      request.caller = decision.caller;
      return true;
    },
  };
}

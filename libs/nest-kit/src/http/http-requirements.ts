/**
 * HTTP requirements of a request beyond its syntax: a `Host` (RFC 9112, section 3.2) and no
 * expectation but 100-continue (RFC 9110, section 10.1.1). By default Node refuses such a request
 * with a bare status line; here it gets the same error body as any other request.
 */
import { type IncomingMessage } from 'node:http';
import { type FastifyInstance } from 'fastify';
import { DomainError } from '@gatehouse/kit/errors';
import { KitErrors } from '@gatehouse/kit/errors';

/** Options of Node's server that leave these checks to `checkHttpRequirements`. */
export const UNCHECKED_HTTP = { requireHostHeader: false };

/** Refuses requests without a Host, and expectations other than 100-continue. */
export function checkHttpRequirements(fastify: FastifyInstance): void {
  fastify.server.on('checkExpectation', (request, response) => fastify.routing(request, response));
  fastify.addHook('onRequest', ({ raw }, _reply, done) => {
    done(httpFault(raw));
  });
}

/** The requirement that a request does not meet, as an error. */
export function httpFault({ headers, httpVersion }: IncomingMessage): DomainError | undefined {
  if (headers.host === undefined && httpVersion === '1.1') {
    return new DomainError(KitErrors.HOST_MISSING);
  }
  if (headers.expect !== undefined && !/\b100-continue\b/i.test(headers.expect)) {
    return new DomainError(KitErrors.EXPECTATION_FAILED);
  }
  return undefined;
}

/**
 * What HTTP itself asks of a request beyond its syntax: a `Host` (RFC 9112, section 3.2) and no
 * expectation but 100-continue (RFC 9110, section 10.1.1). Left alone, Node refuses such a request
 * with a bare status line; here it gets the answer that every other fault gets.
 */
import { type FastifyInstance } from 'fastify';
import { DomainError } from '../errors/domain-error.js';

/** Options of Node's server that leave these checks to `checkHttpRequirements`. */
export const UNCHECKED_HTTP = { requireHostHeader: false };

/** Refuses requests without a Host, and with an expectation that nobody meets. */
export function checkHttpRequirements(fastify: FastifyInstance): void {
  fastify.server.on('checkExpectation', (request, response) => fastify.routing(request, response));
  fastify.addHook('onRequest', ({ raw }, _reply, done) => {
    const { host, expect } = raw.headers;
    if (host === undefined && raw.httpVersion === '1.1') {
      done(new DomainError('invalid_argument', 'HOST_MISSING', 'The Host header is missing.'));
    } else if (expect !== undefined && !/\b100-continue\b/i.test(expect)) {
      done(
        new DomainError(
          'expectation_failed',
          'EXPECTATION_FAILED',
          'The only expectation that can be met is 100-continue.',
        ),
      );
    } else done();
  });
}

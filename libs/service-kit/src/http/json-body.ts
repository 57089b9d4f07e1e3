import type { FastifyInstance } from 'fastify';

/**
 * Accepts JSON bodies and nothing else: any other type is 415, keys that would change a prototype
 * are 400, and an empty body is no body, whatever type it claims to have.
 */
export function acceptJsonOnly(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, body, done) => {
      if (body === '') done(null, undefined);
      else void parse(request, body, done);
    },
  );
}

import { isUtf8 } from 'node:buffer';
import { type FastifyInstance } from 'fastify';
import { DomainError } from '@gatehouse/kit/errors';
import { KitErrors } from '@gatehouse/kit/errors';

/**
 * Accepts JSON bodies only. Other media types are 415, keys that would change a prototype are 400,
 * and an empty body of any type counts as no body. JSON is UTF-8 (RFC 8259, section 8.1); invalid
 * bytes are refused, because decoding would map different bodies to the same text.
 */
export function acceptJsonOnly(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    (request, body, done) => {
      if (body.length === 0) done(null, undefined);
      else if (isUtf8(body)) void parse(request, body.toString('utf8'), done);
      else done(new DomainError(KitErrors.NOT_UTF_8));
    },
  );
}

import { isUtf8 } from 'node:buffer';
import { type FastifyInstance } from 'fastify';
import { DomainError } from '@gatehouse/kit/errors';
import { KitErrors } from '@gatehouse/kit/errors';
import { jsonFaultOf } from '@gatehouse/kit/input';

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
      else if (isUtf8(body)) {
        const text = body.toString('utf8');
        void parse(request, text, (error, json) => done(error && notJson(text, error), json));
      } else done(new DomainError(KitErrors.NOT_UTF_8));
    },
  );
}

/** Never repeats a part of the text, which may be a credential. */
function notJson(text: string, cause: Error): Error {
  const place = jsonFaultOf(text);
  if (place === undefined) return cause;
  return new DomainError(KitErrors.INVALID_ARGUMENT, {
    message: `The body is not valid JSON: ${place}.`,
    cause,
  });
}

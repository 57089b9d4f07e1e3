import { isUtf8 } from 'node:buffer';
import { type FastifyInstance } from 'fastify';
import { DomainError } from '@gatehouse/kit/errors';
import { KitErrors } from '@gatehouse/kit/errors';
import { invalidField, jsonFaultOf } from '@gatehouse/kit/input';

const NAME_CHARACTERS_MAX = 64;
const PATH_CHARACTERS_MAX = 256;

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
        void parse(request, text, (error, json) => done(error && faultOf(text, error), json));
      } else done(new DomainError(KitErrors.NOT_UTF_8));
    },
  );
}

/** Never repeats a value of the text, which may be a credential. */
function faultOf(text: string, cause: Error): Error {
  const place = jsonFaultOf(text);
  if (place === undefined) return reservedName(JSON.parse(text), cause);
  return new DomainError(KitErrors.INVALID_ARGUMENT, {
    message: `The body is not valid JSON: ${place}.`,
    cause,
  });
}

/**
 * Names the member that would change a prototype: `__proto__`, or `constructor` with a `prototype`. Of a
 * long path, the beginning is enough.
 */
function reservedName(json: unknown, cause: Error): Error {
  const objects = [{ json, path: '' }];
  for (const { json: object, path } of objects) {
    if (typeof object !== 'object' || object === null) continue;
    for (const [name, value] of Object.entries(object)) {
      const member = memberPath(path, name, Array.isArray(object));
      if (name === '__proto__' || (name === 'constructor' && hasPrototype(value))) {
        return invalidField(member, 'is a reserved name');
      }
      objects.push({ json: value, path: member });
    }
  }
  return cause;
}

function memberPath(path: string, name: string, isIndex: boolean): string {
  if (path.length > PATH_CHARACTERS_MAX) return path;
  if (isIndex) return `${path}[${name}]`;
  const shortened = name.slice(0, NAME_CHARACTERS_MAX);
  return path === '' ? shortened : `${path}.${shortened}`;
}

function hasPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}

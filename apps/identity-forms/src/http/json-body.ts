import { type JsonValue } from '@gatehouse/form-decoder';
import { DomainError } from '@gatehouse/kit/errors';
import { type InputOptions, InputReader } from '@gatehouse/kit/input';
import { type FastifyInstance } from 'fastify';
import { FormsErrors } from '../errors.js';
import { readingJson } from './form-errors.js';
import { checkContentCoding, checkParameters } from './media-type.js';

const DEPTH_MAX = 160;
const VALUES_MAX = 200_000;

/** Enough for the largest schema and the members around it. */
export const JSON_BODY_BYTES_MAX = 1024 * 1024;

/**
 * Parses the JSON bodies of the admin routes and refuses every other media type. Duplicate names are
 * refused; reserved names are kept, so that errors can name their place.
 */
export function useJsonBodies(fastify: FastifyInstance, bodyBytesMax: number): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer', bodyLimit: bodyBytesMax },
    ({ headers }, body, done) => {
      try {
        checkContentCoding(headers);
        checkParameters(headers['content-type'] ?? '');
        done(null, body.length === 0 ? undefined : parse(body));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

/** Options of the admin API: a member that is not known is a 400, as are null and unknown parameters. */
export const STRICT: InputOptions = { unknown: 'refuse', nulls: 'refuse' };

/** Reads the members of a body. @throws DomainError `BODY` when it is missing or no object */
export function bodyReader(body: unknown, options: InputOptions = {}): InputReader {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new DomainError(FormsErrors.BODY);
  }
  return InputReader.of(body, options);
}

/** An id of any format, because an unknown id is a 404 and not an invalid request. */
export function requiredId(input: InputReader, name: string): string {
  return input.raw(name) === undefined
    ? input.addViolation(name, 'is required', '')
    : (input.string(name) ?? '');
}

function parse(body: Uint8Array): JsonValue {
  return readingJson(body, {
    depthMax: DEPTH_MAX,
    valuesMax: VALUES_MAX,
    duplicates: 'refuse',
    reserved: 'keep',
  });
}

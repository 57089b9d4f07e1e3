import { type JsonObject, type JsonValue, parseJson } from '@gatehouse/form-decoder';
import { DomainError, invalidField } from '@gatehouse/service-kit';
import { type FastifyInstance } from 'fastify';
import { type IdentityFormsConfig } from '../config.js';
import { reading } from './form-errors.js';
import { checkContentCoding, checkParameters } from './media-type.js';

const MIB = 1024 * 1024;
const DEPTH_MAX = 160;
const VALUES_MAX = 200_000;

/** Room for a schema of the greatest size and the few members around it. */
export function jsonBodyBytesMax({ schemaBytesMax }: IdentityFormsConfig): number {
  return Math.max(MIB, schemaBytesMax * 2);
}

/**
 * Reads the JSON bodies of the admin routes: strictly, with a name given twice refused, and with
 * reserved names kept as data, so that whoever uses the value can say where they stand. No other
 * media type is read.
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

/** The body as an object. @throws DomainError `invalid_argument` when it is anything else */
export function objectBody(body: unknown): JsonObject {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new DomainError('invalid_argument', 'BODY', 'The request body must be a JSON object.');
  }
  return body as JsonObject;
}

/** A text member. @throws DomainError `invalid_argument` naming it */
export function textMember(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw invalidField(name, 'must be a text');
  return value;
}

export function booleanMember(body: JsonObject, name: string): boolean | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean') throw invalidField(name, 'must be true or false');
  return value;
}

/** Reads a positive whole number out of a query. */
export function positiveInteger(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const value = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(value)) throw invalidField(name, 'must be a whole number above zero');
  return value;
}

/** One value of a query parameter; given twice is an error, never a guess. */
export function queryText(
  query: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw invalidField(name, 'may be given once');
}

function parse(body: Uint8Array): JsonValue {
  return reading(() =>
    parseJson(body, {
      depthMax: DEPTH_MAX,
      valuesMax: VALUES_MAX,
      duplicates: 'refuse',
      reserved: 'keep',
    }),
  );
}

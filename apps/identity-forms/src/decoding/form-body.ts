/**
 * Reads a submitted form, whatever it is written in: urlencoded, multipart, JSON, or a query. What
 * comes out is the same for all, so the rules of decoding are the same too.
 */
import multipart from '@fastify/multipart';
import {
  type FormEntry,
  type FormLimits,
  type JsonValue,
  parseJson,
  parseUrlencoded,
} from '@gatehouse/form-decoder';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type IdentityFormsConfig } from '../config.js';
import { reading } from '../http/form-errors.js';
import {
  checkContentCoding,
  checkParameters,
  mediaTypeOf,
  unsupported,
} from '../http/media-type.js';
import { readMultipart } from './multipart.reader.js';

/** A form as it was sent: names and values in order, or JSON in form convention. */
export type FormBody = { entries: FormEntry[] } | { json: JsonValue };

const URLENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const JSON_TYPE = 'application/json';

/**
 * Gives a Fastify scope the parsers of urlencoded and JSON forms in place of its own; routes in it
 * get bytes. Multipart stays refused until `useMultipart`.
 */
export function useFormParsers(scope: FastifyInstance, config: IdentityFormsConfig): void {
  scope.removeAllContentTypeParsers();
  for (const type of [URLENCODED, JSON_TYPE]) {
    scope.addContentTypeParser<Buffer>(
      type,
      { parseAs: 'buffer', bodyLimit: config.formBodyBytesMax },
      (_request, body, done) => done(null, body),
    );
  }
}

/** Lets a scope take multipart forms; their bodies stay unread until `readFormBody`. */
export async function useMultipart(
  scope: FastifyInstance,
  config: IdentityFormsConfig,
): Promise<void> {
  await scope.register(multipart, {
    throwFileSizeLimit: false,
    limits: {
      // One more than is allowed, so that what is too much can be seen and named.
      fieldNameSize: config.fieldNameBytesMax + 1,
      fieldSize: config.fieldValueBytesMax + 1,
      fields: config.formFieldsMax + 1,
      parts: config.formFieldsMax + 1,
      fileSize: 1,
    },
  });
}

/**
 * @throws DomainError `unsupported_media_type`, `payload_too_large`, or `invalid_argument` with the
 *   code of the limit or fault, such as LIMIT_FIELDS, JSON, MULTIPART, FILE_PART
 */
export function readFormBody(
  request: FastifyRequest,
  limits: FormLimits,
  config: IdentityFormsConfig,
): FormBody | Promise<FormBody> {
  checkContentCoding(request.headers);
  const contentType = request.headers['content-type'] ?? '';
  if (contentType === URLENCODED) {
    return { entries: reading(() => parseUrlencoded(request.body as Buffer, limits)) };
  }
  switch (mediaTypeOf(contentType)) {
    case URLENCODED:
      checkParameters(contentType);
      return { entries: reading(() => parseUrlencoded(request.body as Buffer, limits)) };
    case JSON_TYPE:
      checkParameters(contentType);
      return { json: readJson(request.body as Buffer, limits) };
    case MULTIPART:
      checkParameters(contentType);
      return readMultipart(request, limits, config.multipartBodyBytesMax).then((entries) => ({
        entries,
      }));
    default:
      throw unsupported(
        'UNSUPPORTED_MEDIA_TYPE',
        `Send the form as ${URLENCODED}, ${MULTIPART} or ${JSON_TYPE}.`,
      );
  }
}

/** The fields of a query, as it stands in the address. */
export function readQuery(request: FastifyRequest, limits: FormLimits): FormEntry[] {
  const start = request.url.indexOf('?');
  if (start === -1) return [];
  return reading(() => parseUrlencoded(request.url.slice(start + 1), limits));
}

function readJson(body: Buffer, limits: FormLimits): JsonValue {
  // Reserved names have no place in any schema, so decoding lists them as ignored.
  const { depthMax } = limits;
  return reading(() => parseJson(body, { depthMax, duplicates: 'last', reserved: 'keep' }));
}

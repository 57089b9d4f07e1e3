/**
 * Reads a submitted form: urlencoded, multipart, JSON, or a query. All formats produce the same
 * entries, so the same decoding rules apply.
 */
import {
  type FormEntry,
  type FormLimits,
  type JsonValue,
  parseMultipart,
  parseUrlencoded,
} from '@gatehouse/form-decoder';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { DomainError, KitErrors } from '@gatehouse/kit/errors';
import { namingBodyLimit } from '../http/body-limit.js';
import { reading, readingJson } from '../http/form-errors.js';
import { checkContentCoding, checkParameters, mediaTypeOf } from '../http/media-type.js';

/** A form before decoding: names and values in order, or JSON in form convention. */
export type FormBody = { entries: FormEntry[] } | { json: JsonValue };

export type BytesReader = (body: Buffer, limits: FormLimits) => FormBody;

/** The largest urlencoded or JSON form. */
export const FORM_BODY_BYTES_MAX = 256 * 1024;
const MULTIPART_BODY_BYTES_MAX = 1024 * 1024;

const URLENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const JSON_TYPE = 'application/json';
const READERS: ReadonlyMap<string, BytesReader> = new Map([
  [URLENCODED, readUrlencoded],
  [JSON_TYPE, readJson],
]);
const PLAIN_CHARSETS = [
  '',
  ';charset=UTF-8',
  ';charset=utf-8',
  '; charset=UTF-8',
  '; charset=utf-8',
];
const PLAIN_READERS: ReadonlyMap<string | undefined, BytesReader> = new Map(
  [...READERS].flatMap(([type, read]) =>
    PLAIN_CHARSETS.map((charset): [string, BytesReader] => [type + charset, read]),
  ),
);

/** Replaces the parsers of a Fastify scope with those of forms, which leave the body as bytes. */
export function useFormParsers(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  for (const type of [...READERS.keys(), MULTIPART]) {
    scope.addContentTypeParser<Buffer>(
      type,
      { parseAs: 'buffer', bodyLimit: bodyBytesMax(type) },
      (_request, body, done) => done(null, body),
    );
  }
}

/** Names the limit in the error for a form that is too large. */
export function namingFormLimit(error: DomainError, request?: FastifyRequest): DomainError {
  return namingBodyLimit(bodyBytesMax(request?.headers['content-type']))(error);
}

function bodyBytesMax(contentType = ''): number {
  return mediaTypeOf(contentType) === MULTIPART ? MULTIPART_BODY_BYTES_MAX : FORM_BODY_BYTES_MAX;
}

/**
 * @throws DomainError `unsupported_media_type`, `payload_too_large`, or `invalid_argument` with the
 *   code of the limit or fault, such as LIMIT_FIELDS, JSON, MULTIPART, FILE_PART
 */
export function readFormBody(request: FastifyRequest, limits: FormLimits): FormBody {
  checkContentCoding(request.headers);
  const contentType = request.headers['content-type'] ?? '';
  const plain = plainReaderOf(contentType);
  if (plain !== undefined) return plain(request.body as Buffer, limits);
  const mediaType = mediaTypeOf(contentType);
  const read = READERS.get(mediaType);
  if (read === undefined && mediaType !== MULTIPART) {
    throw new DomainError(KitErrors.UNSUPPORTED_MEDIA_TYPE, {
      message: `Send the form as ${URLENCODED}, ${MULTIPART} or ${JSON_TYPE}.`,
    });
  }
  checkParameters(contentType);
  const body = request.body as Buffer;
  if (read !== undefined) return read(body, limits);
  return { entries: reading(() => parseMultipart(body, contentType, limits)) };
}

/**
 * The reader for a Content-Type in one of its common spellings; undefined for all others. It throws
 * as `readFormBody` does.
 */
export function plainReaderOf(contentType: string | undefined): BytesReader | undefined {
  return PLAIN_READERS.get(contentType);
}

/** The fields of the query, in order and undecoded. */
export function readQuery(request: FastifyRequest, limits: FormLimits): FormEntry[] {
  const start = request.url.indexOf('?');
  if (start === -1) return [];
  return reading(() => parseUrlencoded(request.url.slice(start + 1), limits));
}

function readUrlencoded(body: Buffer, limits: FormLimits): FormBody {
  return { entries: reading(() => parseUrlencoded(body, limits)) };
}

function readJson(body: Buffer, limits: FormLimits): FormBody {
  // Reserved names match no schema, so decoding lists them as ignored.
  const { depthMax } = limits;
  const options = { depthMax, duplicates: 'last', reserved: 'keep' } as const;
  return { json: readingJson(body, options) };
}

/** SCIM over HTTP (RFC 7644, section 3), for any server: what a message asks for, and its media types. */
import { isUtf8 } from 'node:buffer';
import { parseJsonText, scimErrorBody } from '@gatehouse/scim';
import { type ScimRequest, type ScimResponse } from '../scim/protocol/scim.types.js';
import { scimTarget } from '../scim/requests/scim-target.js';

/** Names in lower case, as Node.js has them. */
export type ScimHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface ScimMessage {
  method: string;
  directoryId: string;
  /** Below the address of the directory, percent-encoded and without the query. */
  path: string;
  query: Record<string, unknown>;
  headers: ScimHeaders;
  /** The bytes of the body, or what a framework has parsed. */
  body?: unknown;
}

export const SCIM_BODY_BYTES_MAX = 2 * 1024 * 1024;
const BYTE_ORDER_MARK = '\ufeff';
const MEDIA_TYPES = new Set(['application/scim+json', 'application/json', '']);

export function scimRequestOf(message: ScimMessage): ScimRequest {
  const { directoryId, method, headers, body } = message;
  return {
    directoryId,
    apiSecret: bearer(headers),
    method: method === 'HEAD' ? 'GET' : method,
    target: scimTarget(message.path),
    query: message.query,
    body: Buffer.isBuffer(body) ? parsed(body) : body,
    bodyBytes: Buffer.isBuffer(body) ? body.length : Number(headers['content-length'] ?? 0),
    ifMatch: valueOf(headers['if-match']),
    ifNoneMatch: valueOf(headers['if-none-match']),
    prefersMinimal: /(^|[,;\s])return=minimal\b/i.test(valueOf(headers.prefer) ?? ''),
  };
}

/** The token of RFC 6750, section 2.1; empty without one. */
export function bearer({ authorization }: ScimHeaders): string {
  return /^bearer +(\S{1,4096})$/i.exec(valueOf(authorization) ?? '')?.[1] ?? '';
}

/** The refusal of a body that is not plain JSON; undefined if it can be read. */
export function mediaRefusal(headers: ScimHeaders): ScimResponse | undefined {
  const type = (valueOf(headers['content-type']) ?? '').split(';', 1)[0]?.trim().toLowerCase();
  const coding = valueOf(headers['content-encoding']) ?? 'identity';
  if (MEDIA_TYPES.has(type ?? '') && coding.toLowerCase() === 'identity') return undefined;
  return httpFailure(415, 'Send application/scim+json or application/json, not compressed.');
}

export function httpFailure(status: number, detail: string): ScimResponse {
  return { status, headers: {}, data: { ...scimErrorBody(status, detail) } };
}

/**
 * `application/scim+json`, unless the client accepts plain JSON only. A type with the weight 0 is not
 * accepted (RFC 9110, section 12.5.1).
 */
export function scimMediaType(accept: string | undefined): string {
  const accepted = (accept ?? '')
    .toLowerCase()
    .split(',')
    .filter((range) => !/;\s*q=0(?:\.0{0,3})?\s*(?:;|$)/.test(range))
    .map((range) => range.split(';', 1)[0]?.trim());
  const onlyPlain =
    accepted.includes('application/json') && !accepted.includes('application/scim+json');
  return `${onlyPlain ? 'application/json' : 'application/scim+json'}; charset=utf-8`;
}

/**
 * Parses a JSON body. A body that is not JSON or not UTF-8 (RFC 8259 section 8.1) becomes a text,
 * which the SCIM library rejects after it has checked the credential.
 */
function parsed(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) return 'not UTF-8';
  const text = body.toString();
  try {
    return parseJsonText(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  } catch {
    return text;
  }
}

function valueOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header;
}

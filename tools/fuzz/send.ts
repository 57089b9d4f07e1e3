/** Sends requests that other clients would correct or refuse. */
import { type Answer } from '@gatehouse/testing';
import { Agent } from 'undici';
import { type Draft } from './operation.js';

export interface Encoded {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

export type Outcome = { answer: Answer } | { fault: string } | { unsent: string };

const TIMEOUT_MS = 20_000;
const BOUNDARY = 'fuzz-boundary-0123456789';
/** A service may close the connection on a body that is too large while it is being sent. */
const CUT_BODY_BYTES_MIN = 60_000;
/** A connection for each request: one that was kept may have been closed meanwhile. */
const agent = new Agent({ pipelining: 0, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });

export function encode({ method, path, query, headers, type = '', body, sign }: Draft): Encoded {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${escaped(name)}=${escaped(textOf(value))}`,
  );
  const isMultipart = type === 'multipart/form-data';
  const bytes = body === undefined ? undefined : bytesOf(type, body);
  const known: Record<string, string> =
    type === '' ? {} : { 'content-type': isMultipart ? `${type}; boundary=${BOUNDARY}` : type };
  return {
    method,
    target: path + (pairs.length === 0 ? '' : `?${pairs.join('&')}`),
    headers: { ...known, ...(bytes && sign?.(bytes)), ...headers },
    body: bytes,
  };
}

function bytesOf(type: string, body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  if (/\bjson$/.test(type) || typeof body !== 'object' || body === null) {
    return Buffer.from(JSON.stringify(body) ?? 'undefined');
  }
  const fields = Object.entries(body).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each) => [name, textOf(each)] as const),
  );
  if (type !== 'multipart/form-data') {
    return Buffer.from(fields.map((field) => field.map(escaped).join('=')).join('&'));
  }
  const parts = fields.map(
    ([name, value]) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return Buffer.from(`${parts.join('')}--${BOUNDARY}--\r\n`);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : String(JSON.stringify(value));
}

/** A lone surrogate has no encoding; it becomes the bytes that a careless encoder writes. */
function escaped(text: string): string {
  return Array.from(text, (character) =>
    /^[\ud800-\udfff]$/.test(character) ? '%ED%A0%80' : encodeURIComponent(character),
  ).join('');
}

export async function send(
  url: string,
  { method, target, headers, body }: Encoded,
): Promise<Outcome> {
  try {
    const options = { origin: url, path: target, method: method as 'GET', headers, body };
    const response = await agent.request(options);
    const text = await response.body.text();
    const names = new Headers();
    for (const [name, value = []] of Object.entries(response.headers)) {
      for (const each of [value].flat()) names.append(name, each);
    }
    return {
      answer: { status: response.statusCode, headers: names, text, body: parsed(names, text) },
    };
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (/^(UND_ERR_INVALID|UND_ERR_REQ_CONTENT|ERR_|HPE_)/.test(code)) return { unsent: code };
    const isCut = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code);
    if (isCut && (body?.length ?? 0) >= CUT_BODY_BYTES_MIN) return { unsent: code };
    return { fault: `no answer: ${code || message}` };
  }
}

/** The command that sends the same bytes. */
export function asCurl(url: string, { method, target, headers, body }: Encoded): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const input = body === undefined ? '' : `echo ${body.toString('base64')} | base64 -d | `;
  if (body !== undefined) lines.push('--data-binary @-');
  return [
    `${input}curl -i --globoff --path-as-is -X ${method} ${quoted(url + target)}`,
    ...lines,
  ].join(' ');
}

function parsed(headers: Headers, text: string): unknown {
  if (text === '') return undefined;
  if (!/\bjson\b/.test(headers.get('content-type') ?? '')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

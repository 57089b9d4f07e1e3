/** A request before it is sent: its parts can be changed one by one. */

export interface Draft {
  method: string;
  /** Percent-encoded. */
  path: string;
  /** Not encoded; `rawQuery` is appended as it stands. */
  query: [string, string][];
  rawQuery?: string;
  headers: Record<string, string>;
  /** One of these at most: JSON, the fields of a form, or bytes. */
  json?: unknown;
  fields?: [string, string][];
  bytes?: Uint8Array;
}

export interface Encoded {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

export const BOUNDARY = 'fuzz-boundary-0123456789';

export function encode(draft: Draft): Encoded {
  const pairs = draft.query.map(([name, value]) => `${escapeText(name)}=${escapeText(value)}`);
  const query = [...pairs, ...(draft.rawQuery === undefined ? [] : [draft.rawQuery])].join('&');
  const body = bodyOf(draft);
  return {
    method: draft.method,
    target: draft.path + (query === '' ? '' : `?${query}`),
    headers: draft.headers,
    body,
  };
}

export function bodyOf({ json, fields, bytes, headers }: Draft): Buffer | undefined {
  if (bytes) return Buffer.from(bytes);
  if (fields) {
    const isMultipart = (headers['content-type'] ?? '').startsWith('multipart/');
    return Buffer.from(isMultipart ? multipart(fields) : urlencoded(fields));
  }
  return json === undefined ? undefined : Buffer.from(JSON.stringify(json) ?? 'undefined');
}

function urlencoded(fields: [string, string][]): string {
  return fields.map(([name, value]) => `${escapeText(name)}=${escapeText(value)}`).join('&');
}

function multipart(fields: [string, string][]): string {
  const parts = fields.map(
    ([name, value]) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

/** A lone surrogate has no encoding; it becomes the bytes that a careless encoder writes. */
export function escapeText(text: string): string {
  return Array.from(text, (character) =>
    /^[\ud800-\udfff]$/.test(character) ? '%ED%A0%80' : encodeURIComponent(character),
  ).join('');
}

/** The command that sends the same bytes. */
export function asCurl(url: string, { method, target, headers, body }: Encoded): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const options = Object.entries(headers).map(
    ([name, value]) => `-H ${quoted(`${name}: ${value}`)}`,
  );
  const isBinary = body !== undefined && /[^\t\n\r -~]/.test(body.toString('latin1'));
  if (body !== undefined) {
    options.push(`--data-binary ${isBinary ? '@-' : quoted(body.toString())}`);
  }
  const input = isBinary ? `echo ${body.toString('base64')} | base64 -d | ` : '';
  const command = `curl -i --globoff --path-as-is -X ${method} ${quoted(url + target)}`;
  return input + [command, ...options].join(' ');
}

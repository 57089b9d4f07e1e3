// @ts-check
import { Agent, request as startRequest } from 'node:http';

/**
 * Sends the request of a case over a plain HTTP client that changes nothing of it: no added
 * headers, no normalised path.
 *
 * @typedef {import('./types.mjs').Answer} Answer
 */

const TIMEOUT_MS = 30_000;
class StaleConnection extends Error {}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/**
 * @param {string} base address of the directory
 * @param {import('./types.mjs').CaseRequest} request without placeholders; a path that is a whole
 *   address is sent there
 * @param {string} secret sent as bearer unless the request has an Authorization of its own
 * @returns {Promise<Answer>}
 */
export async function exchange(base, request, secret) {
  const { method, path, body, rawBody } = request;
  const target = /^https?:\/\//.test(path) ? path : `${base}${path}`;
  const origin = /^https?:\/\/[^/]+/.exec(target)?.[0] ?? '';
  const { hostname, port } = new URL(origin);
  const content = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const headers = headersOf(
    {
      Authorization: `Bearer ${secret}`,
      Accept: 'application/scim+json',
      ...(content === undefined ? {} : { 'Content-Type': 'application/scim+json' }),
    },
    request.headers ?? {},
  );
  if (content !== undefined) headers['Content-Length'] = String(Buffer.byteLength(content));
  const startedAt = performance.now();
  const options = { method, hostname, port, path: encoded(target.slice(origin.length)), headers };
  const { status, answerHeaders, text } = await sendAgainWhenStale(options, content);
  return {
    status,
    headers: answerHeaders,
    text,
    json: parsed(text),
    elapsedMs: performance.now() - startedAt,
  };
}

/**
 * A server may close an idle connection in the moment in which it is used again; nothing of the
 * request was read then.
 * @param {import('node:http').RequestOptions} options
 * @param {string | undefined} content
 */
async function sendAgainWhenStale(options, content) {
  try {
    return await send({ ...options, agent }, content);
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error;
    return await send({ ...options, agent: false }, content);
  }
}

/**
 * @param {import('node:http').RequestOptions} options
 * @param {string | undefined} content
 * @returns {Promise<{ status: number, answerHeaders: Record<string, string>, text: string }>}
 */
function send(options, content) {
  return new Promise((resolve, reject) => {
    const request = startRequest({ ...options, timeout: TIMEOUT_MS }, (response) => {
      /** @type {Buffer[]} */
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          answerHeaders: Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
          ),
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
    request.on('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      reject(request.reusedSocket && error.code === 'ECONNRESET' ? new StaleConnection() : error),
    );
    request.end(content);
  });
}

/**
 * @param {Record<string, string>} defaults
 * @param {Record<string, string | null>} own
 * @returns {Record<string, string>}
 */
function headersOf(defaults, own) {
  const named = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const kept = Object.entries(defaults).filter(([name]) => !named.has(name.toLowerCase()));
  const given = Object.entries(own).flatMap(([name, value]) =>
    value === null ? [] : [[name, value]],
  );
  return Object.fromEntries([...kept, ...given]);
}

/**
 * Encodes what may not stand in a request line and leaves everything else alone, `%` too.
 * @param {string} path
 */
export function encoded(path) {
  // eslint-disable-next-line no-control-regex
  return path.replaceAll(/[\u0000-\u0020"<>\\^`{|}#\u007f]|[^\u0000-\u007f]+/g, encodeURIComponent);
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

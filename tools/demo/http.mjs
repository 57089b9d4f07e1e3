// @ts-check

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {Headers} headers
 * @property {string} text
 * @property {any} body parsed when it is JSON
 */

/**
 * One request over the wire, with redirects left to the caller.
 *
 * @param {string} method
 * @param {string | URL} url
 * @param {object} [options]
 * @param {Record<string, string>} [options.headers]
 * @param {unknown} [options.json] sent as JSON
 * @param {URLSearchParams} [options.form] sent as a browser sends a form
 * @param {number | number[]} [options.expect] the status that it must have
 * @returns {Promise<Answer>}
 */
export async function send(method, url, { headers = {}, json, form, expect = 200 } = {}) {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(json === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    body: json === undefined ? form : JSON.stringify(json),
    signal: AbortSignal.timeout(15_000),
  });
  const text = await response.text();
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  const answer = {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
  if (![expect].flat().includes(response.status)) {
    throw new Error(
      `${method} ${new URL(url).pathname} answered ${response.status} instead of ${String(expect)}: ${text.slice(0, 400)}`,
    );
  }
  return answer;
}

/**
 * Waits for something that another process does.
 *
 * @template T
 * @param {() => T | undefined | Promise<T | undefined>} look undefined: not yet
 * @param {{ what: string, timeoutMs?: number }} options
 * @returns {Promise<T>}
 */
export async function until(look, { what, timeoutMs = 10_000 }) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (Date.now() > deadline)
      throw new Error(`${what} did not happen within ${timeoutMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

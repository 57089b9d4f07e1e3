// @ts-check
import { connect } from 'node:net';
import { request } from 'node:http';
import { verdictOf } from './decoder-cases.mjs';

/**
 * Cases of whole requests (methods, media types, charsets, multipart): sent to a real service.
 *
 * @typedef {import('./types.mjs').FormCase} FormCase
 * @typedef {import('./types.mjs').Result} Result
 * @typedef {import('./types.mjs').Verdict} Verdict
 * @typedef {import('./service.mjs').FormService} FormService
 */

const PLAIN_TYPES = [
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=UTF-8',
  'application/json',
  'application/json; charset=utf-8',
];
/** Traits that take any text under any name: for cases that only have names and values. */
const ANY_TEXT = {
  properties: { traits: { type: 'object', additionalProperties: { type: 'string' } } },
};
/** Codes of the service, where the cases have another word. */
const CODES = /** @type {Record<string, string>} */ ({ unsupported_charset: 'charset' });

/** @param {FormCase} testCase */
export function isRequestCase({ kind, method, contentType, schema }) {
  if (kind !== undefined) return kind === 'multipart';
  if (method === undefined) return false;
  if (schema == null) return true;
  if (method === 'GET') return false;
  return method !== 'POST' || !PLAIN_TYPES.includes(contentType);
}

/**
 * @param {FormCase} testCase
 * @param {FormService} service
 * @returns {Promise<Verdict>}
 */
export async function requestVerdict(testCase, service) {
  if (testCase.kind === undefined && testCase.schema == null) {
    return withoutSchemaVerdict(testCase, service);
  }
  const { method = 'POST', contentType, schema } = testCase;
  const isMultipart = testCase.kind === 'multipart';
  const body = isMultipart ? testCase.body.replace(/; name="/g, '; name="traits.') : testCase.body;
  const path = `/v1/schemas/${await service.register(schema ?? ANY_TEXT)}/decode`;
  if (method !== method.toUpperCase()) return lowerCaseVerdict(service, path, method);
  const answer = await send(service, { method, path, contentType, body });
  const result = resultOf(answer);
  return verdictOf(isMultipart ? withTraits(testCase) : testCase, result);
}

/** What becomes of the cases without a schema, by what the original refuses them for. */
const WITHOUT_SCHEMA = [
  { refusal: 'HTTP Request Method', status: 200, reason: 'GET decodes the query' },
  { refusal: 'Content-', status: 415 },
  {
    refusal: 'no validation schema',
    status: 404,
    reason: 'every form has a schema: one that is not there is a 404',
  },
];

/**
 * @param {FormCase} testCase
 * @param {FormService} service
 * @returns {Promise<Verdict>}
 */
async function withoutSchemaVerdict({ expectedError, method, contentType, body }, service) {
  const known = WITHOUT_SCHEMA.find(({ refusal }) => `${expectedError}`.includes(refusal));
  if (known === undefined) return { verdict: 'failed', reason: `unknown: ${expectedError}` };
  const id = known.status === 404 ? 'not-there' : await service.register(ANY_TEXT);
  const sent = { method, path: `/v1/schemas/${id}/decode`, contentType, body };
  const answer = await send(service, sent);
  if (answer.status !== known.status) return { verdict: 'failed', reason: answer.body };
  const { reason } = known;
  return reason === undefined ? { verdict: 'passed' } : { verdict: 'ruled', reason };
}

/**
 * Names and values as the traits that they become.
 *
 * @param {FormCase} testCase
 * @returns {FormCase}
 */
function withTraits(testCase) {
  const { expected, recommended, expectedError } = testCase;
  if (expectedError !== undefined) return testCase;
  const entries = Array.isArray(recommended) ? recommended : expected;
  const filled = entries.filter((/** @type {string[]} */ [, value]) => value !== '');
  return { ...testCase, recommended: { expected: { traits: Object.fromEntries(filled) } } };
}

/**
 * @param {{ status: number, body: string }} answer
 * @returns {Result}
 */
function resultOf({ status, body }) {
  const json = body === '' ? {} : JSON.parse(body);
  if (status !== 200 && status !== 422) {
    const code = String(json.code ?? '').toLowerCase();
    return { refused: { status, code: CODES[code] ?? code } };
  }
  const errors = json.errors ?? [];
  return {
    value: { traits: json.traits },
    ignored: json.ignored,
    errors: errors.map((/** @type {any} */ each) => `${each.pointer} ${each.code}`),
    params: errors.map((/** @type {any} */ each) => each.params),
  };
}

/**
 * @param {FormService} service
 * @param {{ method: string, path: string, contentType: string | undefined, body: string | null }} sent
 * @returns {Promise<{ status: number, body: string }>}
 */
function send({ url, apiKey }, { method, path, contentType, body }) {
  const bytes = Buffer.from(body ?? '');
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-length': bytes.length,
    ...(contentType === undefined || contentType === '' ? {} : { 'content-type': contentType }),
  };
  return new Promise((resolve, reject) => {
    const call = request(`${url}${path}`, { method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text }));
    });
    call.on('error', reject);
    call.end(bytes);
  });
}

/**
 * Node's client would write the method in capitals, so the request is written by hand.
 *
 * @param {FormService} service
 * @param {string} path
 * @param {string} method
 * @returns {Promise<Verdict>}
 */
function lowerCaseVerdict({ url }, path, method) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${method} ${path} HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`),
    );
    socket.setEncoding('utf8').on('data', (chunk) => (answer += chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const status = answer.split(' ')[1];
      const reason = 'a method in lower case is no HTTP request: the server answers 400';
      const refused = status === '400' || status === '405';
      resolve(refused ? { verdict: 'ruled', reason } : { verdict: 'failed', reason: answer });
    });
  });
}

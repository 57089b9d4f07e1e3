// @ts-check
/**
 * The key service as a side of a row: one admin key, the known HMAC secret, a filled table.
 */
import assert from 'node:assert/strict';
import { service } from '../../tools/bench/define.mjs';
import { fillKeys, HMAC_SECRET } from './keys.mjs';

const ADMIN_KEY = 'bench-admin-key-0123456789abcdef';
export const VERIFY = '/v2alpha1/admin/apiKeys:verify';
export const JSON_HEADERS = {
  'content-type': 'application/json',
  authorization: `Bearer ${ADMIN_KEY}`,
};

/** @typedef {import('../../tools/bench/types.mjs').BenchContext} BenchContext */
/** @typedef {import('../../tools/bench/types.mjs').HttpSide} HttpSide */
/** @typedef {import('../../tools/bench/types.mjs').Load} Load */
/** @typedef {import('../../tools/bench/types.mjs').RunningServer} RunningServer */
/** @typedef {{ url: string, keys: { keyId: string, secret: string }[] }} Filled */

/** @type {Map<string, Promise<Filled>>} */
const filled = new Map();

/**
 * A migrated database with keys, filled once, whichever row needs it first.
 *
 * @param {BenchContext} context
 * @param {{ keys: number, secrets: number }} counts
 * @returns {Promise<Filled>}
 */
export function filledDatabase(context, counts) {
  const name = `keys-${counts.keys}`;
  const made =
    filled.get(name) ??
    (async () => {
      const url = await context.databaseUrl(name);
      await context.migrate('key-service', url);
      context.log(`filling ${name}`);
      return { url, keys: await fillKeys(url, counts) };
    })();
  filled.set(name, made);
  return made;
}

/**
 * @param {{ keys: number, secrets: number }} counts
 * @param {(server: RunningServer, filled: Filled) => Promise<Load> | Load} prepare
 * @param {{ name?: string, env?: Record<string, string> }} [more]
 * @returns {HttpSide}
 */
export function keyService(counts, prepare, { name, env } = {}) {
  return service('key-service', {
    name,
    env: async (context) => ({
      DATABASE_URL: (await filledDatabase(context, counts)).url,
      ADMIN_API_KEYS: ADMIN_KEY,
      ENCRYPTION_KEYS: Buffer.alloc(32, 'e').toString('base64'),
      HMAC_SECRETS: HMAC_SECRET,
      ...env,
    }),
    prepare: async (server, context) => prepare(server, await filledDatabase(context, counts)),
  });
}

/**
 * Verifications of these credentials in turn.
 *
 * @param {readonly string[]} credentials
 * @param {Record<string, string>} [headers]
 * @returns {Load}
 */
export function verifications(credentials, headers = {}) {
  return {
    requests: credentials.map((credential) => ({
      method: 'POST',
      path: VERIFY,
      headers: { ...JSON_HEADERS, ...headers },
      body: JSON.stringify({ credential }),
    })),
    check: ({ status, body }) => {
      assert.equal(status, 200);
      const result = JSON.parse(body);
      assert.equal(result.is_valid, true);
      assert.match(result.actor_id, /^bench-/);
      assert.deepEqual(result.scopes, ['orders:read', 'orders:write']);
    },
  };
}

/**
 * @param {RunningServer} server
 * @param {string} path
 * @param {object} body
 * @returns {Promise<any>}
 */
export async function post({ url }, path, body) {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: JSON_HEADERS,
    body: JSON.stringify(body),
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  return answer.json();
}

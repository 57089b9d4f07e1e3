// @ts-check
import assert from 'node:assert/strict';
import { Client } from 'pg';
import { service } from '../../tools/bench/define.mjs';
import { cursorAt, fillGroups, fillUsers } from './fill.mjs';
import { userBody } from './work.mjs';

const API_KEY = 'bench-api-key-0123456789abcdef';
const OURS = 'bench/scim/ours.mjs';

/** @typedef {import('../../tools/bench/types.mjs').BenchContext} BenchContext */
/** @typedef {import('../../tools/bench/types.mjs').Row} Row */

/** @type {Map<string, Promise<any>>} */
const filled = new Map();

/**
 * Fills a database once, whichever row needs it first.
 * @template T
 * @param {BenchContext} context
 * @param {string} name
 * @param {(url: string) => Promise<T>} fill
 * @returns {Promise<T>}
 */
function once(context, name, fill) {
  const made =
    filled.get(name) ??
    (async () => {
      const url = await migrated(context, name);
      context.log(`filling ${name}`);
      return fill(url);
    })();
  filled.set(name, made);
  return made;
}

/**
 * A database whose commits do not wait for the disk. That wait is most of the time of a write, the
 * same on both sides and another at every moment, and it is not what is compared. Over HTTP the
 * service is measured with it.
 * @param {BenchContext} context
 * @param {string} name
 */
async function unwaiting(context, name) {
  const connectionString = await context.databaseUrl(name);
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const database = client.escapeIdentifier(new URL(connectionString).pathname.slice(1));
    await client.query(`ALTER DATABASE ${database} SET synchronous_commit = off`);
  } finally {
    await client.end();
  }
  return connectionString;
}

/**
 * @param {BenchContext} context
 * @param {string} name
 */
async function migrated(context, name) {
  const url = await unwaiting(context, name);
  await context.migrate('dsync-api', url);
  return url;
}

/** @param {BenchContext} context */
const thousand = (context) => once(context, 'users_1000', (url) => fillUsers(url, 1_000));

/** @param {BenchContext} context */
const million = (context) => once(context, 'users_1000000', (url) => fillUsers(url, 1_000_000));

/** @param {BenchContext} context */
const groups = (context) => once(context, 'groups', (url) => fillGroups(url, [10, 100_000]));

/**
 * The same requests on both sides, each in a database of its own.
 * @param {string} name
 * @param {string} work
 * @param {number} ratio
 * @returns {Row}
 */
function besidePeer(name, work, ratio) {
  return {
    kind: 'process',
    name,
    concurrency: 8,
    unit: 'requests',
    aim: { ratio },
    subject: {
      name: 'directory-sync',
      script: OURS,
      options: async (/** @type {BenchContext} */ context) => ({
        url: await migrated(context, `ours_${work}`),
        work,
      }),
    },
    floor: {
      name: '@boxyhq/saml-jackson',
      script: 'bench/scim/peer.mjs',
      options: async (/** @type {BenchContext} */ context) => ({
        url: await unwaiting(context, `peer_${work}`),
        work,
      }),
    },
  };
}

/**
 * The same request on much and on little data.
 * @param {string} name
 * @param {{ name: string, options: (context: BenchContext) => Promise<object> }} much
 * @param {{ name: string, options: (context: BenchContext) => Promise<object> }} little
 * @returns {Row}
 */
function asItGrows(name, much, little) {
  return {
    kind: 'process',
    name,
    concurrency: 8,
    unit: 'requests',
    aim: { ratio: 0.8 },
    subject: { ...much, script: OURS },
    floor: { ...little, script: OURS },
  };
}

/** @type {import('../../tools/bench/types.mjs').Benchmark} */
export const benchmark = {
  title: 'SCIM requests, against the library that people use today and against growing data',
  build: ['dsync-api'],
  postgres: true,
  redis: true,
  peers: { '@boxyhq/saml-jackson': '26.2.0' },
  rows: [
    besidePeer('POST user', 'postUser', 4),
    besidePeer('GET filter userName eq', 'filterUserName', 3),
    besidePeer('PATCH active', 'patchActive', 4),
    besidePeer('PATCH group, add one member', 'addMember', 4),
    {
      kind: 'http',
      name: 'POST user over HTTP',
      aim: { ratePerSecond: 1_000 },
      connections: 32,
      subject: service('dsync-api', {
        env: () => ({
          API_KEYS: API_KEY,
          EXTERNAL_URL: 'http://127.0.0.1',
          ENCRYPTION_KEYS: 'bench-encryption-key-0123456789abcdef',
        }),
        prepare: async ({ url }) => {
          const made = await fetch(`${url}/api/v1/dsync`, {
            method: 'POST',
            headers: { authorization: `Api-Key ${API_KEY}`, 'content-type': 'application/json' },
            body: JSON.stringify({ tenant: 'bench', product: 'bench', type: 'okta-scim-v2' }),
          });
          assert.equal(made.status, 201, await made.clone().text());
          const { data } = /** @type {any} */ (await made.json());
          return {
            requests: [
              {
                method: 'POST',
                path: `${data.scim.path}/Users`,
                headers: {
                  authorization: `Bearer ${data.scim.secret}`,
                  'content-type': 'application/scim+json; charset=utf-8',
                },
                body: JSON.stringify(userBody('u{{n}}@bench.example')),
              },
            ],
            check: ({ status, body }) => {
              assert.equal(status, 201);
              assert.ok(JSON.parse(body).id);
            },
          };
        },
      }),
    },
    asItGrows(
      'POST user, by users in the directory',
      {
        name: '1,000,000',
        options: async (context) => ({ ...(await million(context)), work: 'postUser' }),
      },
      {
        name: '1,000',
        options: async (context) => ({ ...(await thousand(context)), work: 'postUser' }),
      },
    ),
    asItGrows(
      'PATCH one member, by size of the group',
      {
        name: '100,000',
        options: async (context) => {
          const { place, groupIds, userIds } = await groups(context);
          return { ...place, work: 'changeMember', with: { groupId: groupIds[1], userIds } };
        },
      },
      {
        name: '10',
        options: async (context) => {
          const { place, groupIds, userIds } = await groups(context);
          return { ...place, work: 'changeMember', with: { groupId: groupIds[0], userIds } };
        },
      },
    ),
    asItGrows(
      'GET page by cursor, by row',
      {
        name: '900,000',
        options: async (context) => {
          const place = await million(context);
          return { ...place, work: 'readPage', with: { cursor: await cursorAt(place, 900_000) } };
        },
      },
      {
        name: '0',
        options: async (context) => ({
          ...(await million(context)),
          work: 'readPage',
          with: { cursor: '' },
        }),
      },
    ),
  ],
};

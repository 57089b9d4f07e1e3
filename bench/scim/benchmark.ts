import assert from 'node:assert/strict';
import { Client } from 'pg';
import { once, service } from '../../tools/bench/define.js';
import { type BenchContext, type Benchmark, type ProcessRow } from '../../tools/bench/types.js';
import { DSYNC_ENV, newDirectory } from '../directory.js';
import { cursorAt, fillGroups, fillUsers } from './fill.js';
import { type OurOptions } from './ours.js';
import { userBody, type WorkName } from './works.js';

const OURS = 'dist/bench/scim/ours.js';

interface Size {
  name: string;
  options: (context: BenchContext) => Promise<OurOptions>;
}

const thousand = once(async (context) => fillUsers(await migrated(context, 'users_1000'), 1_000));
const million = once(async (context) =>
  fillUsers(await migrated(context, 'users_1000000'), 1_000_000),
);
const groups = once(async (context) =>
  fillGroups(await migrated(context, 'groups'), [10, 100_000]),
);

export const benchmark: Benchmark = {
  title: 'SCIM requests, against the library that people use today and against growing data',
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
      subject: service('dsync-api', {
        env: () => DSYNC_ENV,
        prepare: async ({ url }) => {
          const { path, headers } = await newDirectory(url);
          return {
            requests: [
              {
                method: 'POST',
                path: `${path}/Users`,
                headers,
                body: JSON.stringify(userBody('u{{n}}@bench.example')),
              },
            ],
            check: ({ status, body }) => {
              assert.equal(status, 201);
              assert.ok((JSON.parse(body) as { id: string }).id);
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
      { name: '100,000', options: (context) => memberOptions(context, 1) },
      { name: '10', options: (context) => memberOptions(context, 0) },
    ),
    asItGrows(
      'GET page by cursor, by row',
      { name: '900,000', options: (context) => pageOptions(context, 900_000) },
      { name: '0', options: (context) => pageOptions(context, 0) },
    ),
  ],
};

/** The same requests on both sides, each in its own database. */
function besidePeer(name: string, work: WorkName, ratio: number): ProcessRow {
  return {
    kind: 'process',
    name,
    concurrency: 8,
    unit: 'requests',
    aim: { ratio },
    subject: {
      name: 'directory-sync',
      script: OURS,
      options: async (context) => ({ url: await migrated(context, `ours_${work}`), work }),
    },
    floor: {
      name: '@boxyhq/saml-jackson',
      script: 'dist/bench/scim/peer.js',
      options: async (context) => ({ url: await database(context, `peer_${work}`), work }),
    },
  };
}

/** The same request on much and on little data. */
function asItGrows(name: string, much: Size, little: Size): ProcessRow {
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

async function memberOptions(context: BenchContext, group: 0 | 1): Promise<OurOptions> {
  const { filled, groupIds, userIds } = await groups(context);
  return { ...filled, work: 'changeMember', with: { groupId: groupIds[group], userIds } };
}

async function pageOptions(context: BenchContext, row: number): Promise<OurOptions> {
  const filled = await million(context);
  return { ...filled, work: 'readPage', with: { cursor: await cursorAt(filled, row) } };
}

/**
 * A database whose commits do not wait for the disk. That wait takes most of the time of a write,
 * is the same on both sides and varies all the time. The row over HTTP includes it.
 */
async function database(context: BenchContext, name: string): Promise<string> {
  const connectionString = await context.databaseUrl(name);
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const identifier = client.escapeIdentifier(new URL(connectionString).pathname.slice(1));
    await client.query(`ALTER DATABASE ${identifier} SET synchronous_commit = off`);
  } finally {
    await client.end();
  }
  return connectionString;
}

async function migrated(context: BenchContext, name: string): Promise<string> {
  const url = await database(context, name);
  await context.migrate('dsync-api', url);
  context.log(`preparing ${name}`);
  return url;
}

import { once } from '../runner/define.js';
import { type BenchContext, type Benchmark, type ProcessRow } from '../runner/types.js';
import { besideJackson, JACKSON } from './beside-jackson.js';
import { migratedDatabase } from './databases.js';
import { cursorAt, fillGroups, fillUsers } from './fill.js';
import { type OurOptions } from './ours.js';
import { postUserOverHttp } from './over-http.js';

const OURS = 'dist/bench/scim/ours.js';

interface Size {
  name: string;
  options: (context: BenchContext) => Promise<OurOptions>;
}

const thousand = once(async (context) =>
  fillUsers(await migratedDatabase(context, 'users_1000'), 1_000),
);
const million = once(async (context) =>
  fillUsers(await migratedDatabase(context, 'users_1000000'), 1_000_000),
);
const groups = once(async (context) =>
  fillGroups(await migratedDatabase(context, 'groups'), [10, 100_000]),
);

export const benchmark: Benchmark = {
  title: 'SCIM requests, against the library that people use today and against growing data',
  postgres: true,
  redis: true,
  peers: JACKSON,
  rows: [
    ...besideJackson,
    {
      kind: 'http',
      name: 'POST user over HTTP',
      aim: { ratePerSecond: 1_000 },
      subject: postUserOverHttp,
    },
    {
      kind: 'http',
      name: 'POST user over HTTP, beside the same call in process',
      limit:
        'no worker attends here, so that hints go through BullMQ. The rest is flat: system calls that ' +
        'write take 13 %, and no function of ours more than 2 %.',
      aim: { cpuRatio: 0.5 },
      connections: 8,
      subject: postUserOverHttp,
      floor: {
        name: 'in process',
        script: OURS,
        options: async (context) => ({
          url: await migratedDatabase(context, 'in_process'),
          work: 'postUser',
        }),
      },
    },
    {
      kind: 'process',
      name: 'POST user, with the log of requests beside without',
      concurrency: 8,
      unit: 'requests',
      limit:
        'some 15 µs are those of the log, 3 % of a request over HTTP: the fields of a row, and 500 rows at ' +
        'a time sent to PostgreSQL.',
      aim: { cpuRatio: 0.9 },
      subject: {
        name: 'with the log',
        script: OURS,
        options: async (context) => ({
          url: await migratedDatabase(context, 'logged'),
          work: 'postUser',
          isLogged: true,
        }),
      },
      floor: {
        name: 'without',
        script: OURS,
        options: async (context) => ({
          url: await migratedDatabase(context, 'not_logged'),
          work: 'postUser',
        }),
      },
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

import assert from 'node:assert/strict';
import { DSYNC_ENV } from '../directory.js';
import { service } from '../runner/define.js';
import {
  type BenchContext,
  type Benchmark,
  type HttpSide,
  type ProcessSide,
  type Row,
} from '../runner/types.js';
import { small } from '../small/sides.js';
import { ADMIN_KEY } from '../verify/sides.js';
import { alone, beside, directoryOf } from './fill.js';

const PAGE = 5;
const TENANTS = Array.from({ length: 100 }, (_, index) => index + 1);
const LARGE = [0];
const KEYS = '/v2alpha1/admin';
const DSYNC = '/api/v1/dsync';
const FROM = new Date(Date.now() - 86_400_000).toISOString();

const actor = (owner: number) => `page_size=${PAGE}&filter=actor_id%3D"tenant-${owner}"`;
const ofDirectory = (owner: number) => `pageLimit=${PAGE}&directoryId=${directoryOf(owner)}`;

/** Each returns a page of five, whether the tenant is large or small. */
const READS: Readonly<Record<string, (owner: number) => string>> = {
  'keys of an actor': (owner) => `${KEYS}/issuedApiKeys?${actor(owner)}`,
  'audit events of an actor': (owner) => `${KEYS}/auditEvents?${actor(owner)}`,
  'usage of the keys of an actor': (owner) =>
    `${KEYS}/usage?interval=hour&group_by=key&from=${FROM}&${actor(owner)}`,
  'search for keys and actors': (owner) => `${KEYS}/search?query=tenant-${owner}&page_size=${PAGE}`,
  'search for people': (owner) => `${DSYNC}/search?query=user-${owner * 10 || 1}&pageLimit=${PAGE}`,
  'users of a directory': (owner) => `${DSYNC}/users?${ofDirectory(owner)}`,
  'groups of a directory': (owner) => `${DSYNC}/groups?${ofDirectory(owner)}`,
  'events of a directory': (owner) =>
    `${DSYNC}/events?limit=${PAGE}&directoryId=${directoryOf(owner)}`,
  'identities of a schema': (owner) => `/v1/identities?page_size=${PAGE}&schema_id=tenant-${owner}`,
};

function reading(
  name: string,
  url: (context: BenchContext) => Promise<string>,
  addresses: readonly string[],
): HttpSide {
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const env = async (context: BenchContext) => ({
    ...DSYNC_ENV,
    API_KEYS: ADMIN_KEY,
    ADMIN_API_KEYS: ADMIN_KEY,
    DATABASE_URL: await url(context),
  });
  const side = service('dsync-api', {
    env,
    prepare: () => ({
      requests: addresses.map((path) => ({ method: 'GET', path, headers })),
      check: ({ status, body }) => {
        assert.equal(status, 200, body);
        const [rows = []] = listsIn(JSON.parse(body) as object);
        assert.ok(rows.length > 0 && rows.length <= PAGE, body);
      },
    }),
  });
  const gatehouse = small(side);
  // Both sides of a row may use one database, which takes a Redis.
  const shared = async (context: BenchContext) => ({
    ...(await gatehouse.env?.(context)),
    REDIS_URL: context.redisUrl,
  });
  return { ...gatehouse, name, env: shared };
}

/** The lists of an answer, of which some are in its `data`. */
function listsIn(answer: object): unknown[][] {
  const members = Object.values(answer).filter((value) => typeof value === 'object' && value);
  return members.flatMap((value: object) => (Array.isArray(value) ? [value] : listsIn(value)));
}

const EVENTS_PER_CALL = 100;
const SMALL_LANES = { endpoints: 2_000, active: 200, events: EVENTS_PER_CALL };
const LARGE_LANE = 180_000;

const lanes = (name: string, fill: object): ProcessSide => ({
  name,
  script: 'dist/bench/delivery/turns.js',
  options: async (context: BenchContext) => ({
    url: await context.databaseUrl(`lanes-${name}`),
    batchSize: EVENTS_PER_CALL,
    ...SMALL_LANES,
    ...fill,
  }),
});

export const benchmark: Benchmark = {
  title: 'One tenant with nine tenths of everything, beside 2,000 small ones',
  note: 'The small ones have five of everything each. Each page has five entries.',
  postgres: true,
  redis: true,
  seconds: 2,
  warmupSeconds: 1,
  rows: [
    ...Object.entries(READS).flatMap(([name, addressOf]): Row[] => [
      {
        kind: 'http',
        name: `${name}: a small tenant`,
        connections: 1,
        aim: { ratio: 0.9 },
        subject: reading('beside the large one', beside, TENANTS.map(addressOf)),
        floor: reading('without the large one', alone, TENANTS.map(addressOf)),
      },
      {
        kind: 'http',
        name: `${name}: the large tenant`,
        connections: 1,
        aim: { ratio: 0.5 },
        subject: reading('large', beside, LARGE.map(addressOf)),
        floor: reading('small', beside, TENANTS.map(addressOf)),
      },
    ]),
    ...(['others', 'large'] as const).map((turns): Row => ({
      kind: 'process',
      name: `delivery of 100 events: ${turns === 'large' ? 'the large tenant' : 'a small tenant'}`,
      aim: { ratio: turns === 'large' ? 0.5 : 0.9 },
      unit: 'events',
      perCall: EVENTS_PER_CALL,
      subject: lanes(`${turns} beside`, { large: LARGE_LANE, turns }),
      floor: lanes(`${turns === 'large' ? 'small beside' : 'small alone'}`, {
        large: turns === 'large' ? LARGE_LANE : 0,
      }),
    })),
  ],
};

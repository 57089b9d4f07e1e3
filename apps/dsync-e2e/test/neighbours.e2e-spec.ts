import * as testing from '@gatehouse/testing';
import {
  newDirectory,
  openSyncStack,
  type Service,
  type TestDirectory,
  user,
} from './sync-stack.js';

// One directory does its worst; the others must not notice.

const USERS = 5_000;
const DURATION_MS = 8_000;
const P99_MS_MAX = 250;

let stack: testing.TestStack;
let api: Service;
let hostile: TestDirectory;
let victim: TestDirectory;

beforeAll(async () => {
  stack = await openSyncStack();
  api = await stack.start('dsync-api');
  hostile = await newDirectory(api);
  victim = await newDirectory(api);
  await stack.database.query(
    `INSERT INTO dsync.users
        (directory_id, id, user_name, user_name_lower, emails_lower, active, raw)
      SELECT $1, dsync.uuid_v7(), 'user-' || n, 'user-' || n, '{}', true,
        jsonb_build_object('userName', 'user-' || n, 'title', repeat('x', 500))
      FROM generate_series(1, $2::integer) n`,
    [hostile.id, USERS],
  );
});

afterAll(() => stack.close());

function anyOf(count: number, term: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => term(index)).join(' or ');
}

const SEARCHES = [
  { filter: anyOf(250, (n) => `x${n}.y${n} co "z"`) },
  { filter: anyOf(250, (n) => `title co "${n}"`) },
  { filter: anyOf(10, (n) => `x${n}.y${n} co "z"`) },
  { filter: anyOf(50, (n) => `title co "${n}"`), sortBy: 'title' },
  { filter: 'not (userName eq "x")', startIndex: 4_900 },
  { sortBy: 'name.familyName', count: 1_000 },
  { count: 1_000 },
];

it('ten searches at once in one directory delay look-ups and writes of another by less than 250 ms', async () => {
  let isOver = false;
  const answers = new Map<string, number>();
  const attack = async (first: number) => {
    for (let next = first; !isOver; next++) {
      const search = SEARCHES[next % SEARCHES.length];
      const { status, body } = await hostile.scim('POST', '/Users/.search', search);
      const outcome = [status, body.scimType].join(' ').trim();
      answers.set(outcome, (answers.get(outcome) ?? 0) + 1);
    }
  };
  const attackers = Array.from({ length: 10 }, (_, index) => attack(index));

  const tookMs: number[] = [];
  const timed = async (expected: number, ...request: Parameters<TestDirectory['scim']>) => {
    const startedAt = performance.now();
    expect((await victim.scim(...request)).status).toBe(expected);
    tookMs.push(performance.now() - startedAt);
  };
  const endsAt = performance.now() + DURATION_MS;
  for (let n = 0; performance.now() < endsAt; n++) {
    await timed(200, 'GET', `/Users?filter=${encodeURIComponent(`userName eq "user-${n}"`)}`);
    await timed(201, 'POST', '/Users', user(`user-${n}`));
    expect((await api.http.send('GET', '/health/ready')).status).toBe(200);
  }
  isOver = true;
  await Promise.all(attackers);

  const p99 = tookMs.sort((a, b) => a - b)[Math.floor(tookMs.length * 0.99)];
  expect(p99).toBeLessThan(P99_MS_MAX);
  // Every kind of refusal occurred, and none that makes a client believe that the service is down.
  expect([...answers.keys()].sort()).toEqual(['200', '400 tooMany', '429']);
}, 60_000);

/** What the audit log says about an actor and its keys costs the same, however long the log is. */
import { AuditEvents } from '@gatehouse/kit/audit';
import { uuidv7 } from '@gatehouse/kit/ids';
import { sqlOf } from '@gatehouse/nest-kit/database';
import { KeyEvents } from '@gatehouse/schemas';
import { rowsRead, type TestDatabase } from '@gatehouse/testing';
import { type DataSource } from 'typeorm';
import { stateReasonOf } from '../src/actors/state-reason.js';
import { createDataSource } from '../src/data-source.js';
import { AUDIT_TABLE } from '../src/events/audit/audit-event.js';
import { AuditHistory, FIND_CHANGES, LIST_TOKENS } from '../src/events/audit/audit-history.js';
import { type KeyRecord } from '../src/store/keys/key.record.js';
import { createKeyDatabase } from './key-database.js';

const NOW_MS = Date.parse('2026-06-01T12:00:00Z');
const HOUR_MS = 3_600_000;

let database: TestDatabase;
let source: DataSource;
let history: AuditHistory;

beforeAll(async () => {
  database = await createKeyDatabase();
  source = await createDataSource(database.url).initialize();
  history = new AuditHistory(sqlOf(source));
  await add(
    Array.from({ length: 20_000 }, (_, n) =>
      event(KeyEvents.verificationFailed, { key_id: 'busy', atMs: NOW_MS - n * 1_000 }),
    ),
  );
  await database.query('ANALYZE keys.audit_events');
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

const event = (type: string, more: Record<string, unknown> = {}) => {
  const { atMs = NOW_MS, ...fields } = more;
  return {
    event_id: uuidv7(atMs as number),
    type,
    key_id: 'k',
    old_key_id: '',
    actor_id: 'alice',
    caller: 'static-key:1',
    ip: '',
    request_id: 'r',
    details: {},
    create_time: new Date(atMs as number).toISOString(),
    ...fields,
  };
};
const add = (events: ReturnType<typeof event>[]) =>
  new AuditEvents(sqlOf(source), AUDIT_TABLE).insert(events);
const change = (keyId: string, atMs: number, type: string = KeyEvents.paused) => ({
  keyId,
  type,
  time: new Date(atMs),
});

it('finds the newest event of the type at the time of each change', async () => {
  await add([
    event(KeyEvents.paused, { key_id: 'a', atMs: NOW_MS - HOUR_MS, caller: 'earlier' }),
    event(KeyEvents.paused, { key_id: 'a', atMs: NOW_MS + 40, details: { cause: 'directory' } }),
    event(KeyEvents.resumed, { key_id: 'a', atMs: NOW_MS + 50 }),
    event(KeyEvents.paused, { key_id: 'b', atMs: NOW_MS, caller: 'portal:s' }),
  ]);
  const changes = [change('a', NOW_MS), change('b', NOW_MS), change('gone', NOW_MS)];
  const found = await history.originsOf(changes);
  expect(found.sort((x, y) => (x.keyId < y.keyId ? -1 : 1))).toEqual([
    { keyId: 'a', caller: 'static-key:1', details: { cause: 'directory' } },
    { keyId: 'b', caller: 'portal:s', details: {} },
  ]);
  expect(await history.originsOf([])).toEqual([]);
});

it('reads only the events around a change, and the newest 1000 of an actor', async () => {
  await add([event(KeyEvents.paused, { key_id: 'busy', atMs: NOW_MS - HOUR_MS })]);
  const place = { url: database.url, table: 'audit_events', plan: 'custom' } as const;
  const [first, last] = [uuidv7(NOW_MS - HOUR_MS - 60_000), uuidv7(NOW_MS - HOUR_MS + 60_000)];
  const values = [['busy'], [KeyEvents.paused], [first], [last]];
  // An event a second.
  expect(await rowsRead(place, FIND_CHANGES, values)).toBeLessThanOrEqual(130);
  expect(await rowsRead(place, LIST_TOKENS, ['alice'])).toBeLessThanOrEqual(1_010);
});

it('looks for tokens among the newest 1000 events of the actor', async () => {
  await add([event(KeyEvents.tokenDerived, { atMs: NOW_MS - 6 * HOUR_MS })]);
  expect(await history.tokensOf('alice')).toEqual([]);
});

it('lists the newest tokens of the actor, at most 50', async () => {
  const token = (n: number, actor_id = 'bob') =>
    event(KeyEvents.tokenDerived, {
      actor_id,
      atMs: NOW_MS + n,
      details: { token_id: `t${n}`, algorithm: 'TOKEN_ALGORITHM_JWT', expire_time: 'then' },
    });
  await add([...Array.from({ length: 60 }, (_, n) => token(n)), token(61, 'carol')]);
  const tokens = await history.tokensOf('bob');
  expect(tokens.map(({ token_id: id }) => id)).toEqual(
    Array.from({ length: 50 }, (_, n) => `t${59 - n}`),
  );
  expect(tokens[0]).toEqual({
    token_id: 't59',
    key_id: 'k',
    algorithm: 'TOKEN_ALGORITHM_JWT',
    expire_time: 'then',
    create_time: new Date(NOW_MS + 59),
  });
});

it.each([
  [{ caller: 'static-key:1', details: {} }, 'administrator'],
  [{ caller: 'portal:session', details: {} }, 'portal'],
  [{ caller: 'holder', details: { by: 'holder' } }, 'holder'],
  [{ caller: 'github', details: { by: 'leak_report' } }, 'leak_report'],
  [{ caller: 'directory', details: { cause: 'directory', user_id: 'u' } }, 'directory'],
  [{ caller: 'static-key:1', details: { cause: 'no such cause' } }, 'administrator'],
  [undefined, 'unknown'],
])('the change %j has the cause %s', (origin, cause) => {
  const time = new Date(NOW_MS);
  const times = { revokeTime: null, expireTime: null, pauseTime: time };
  const key = { keyId: 'k', replacedBy: '', ...times } as KeyRecord;
  const caller = origin?.caller ?? '';
  const reason = stateReasonOf(key, origin && { keyId: 'k', ...origin });
  expect(reason).toEqual({ cause, time, caller });
});

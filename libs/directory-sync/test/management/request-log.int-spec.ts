/** The log of SCIM requests in a real database: who shares it, and what it costs to read. */
import { KeyRing } from '@gatehouse/crypto';
import { sqlOf } from '@gatehouse/nest-kit/database';
import { RequestLog } from '../../src/request-log/request-log.js';
import { RequestLogRepository } from '../../src/request-log/request-log.repository.js';
import { DEFAULT_REQUEST_LOG } from '../../src/request-log/request-log.types.js';
import { silentLogger } from '../../src/sync-logger.js';
import { useFixture } from '../fixture.js';
import { ENCRYPTION_KEYS } from '../harness.js';

const fixture = useFixture();
const DAY_SECONDS = 86_400;

let repository: RequestLogRepository;
beforeAll(() => {
  repository = new RequestLogRepository(sqlOf(fixture.test.dataSource), silentLogger);
});

const open = (limits: Partial<typeof DEFAULT_REQUEST_LOG> = {}) =>
  new RequestLog(
    repository,
    KeyRing.fromTexts(ENCRYPTION_KEYS),
    { ...DEFAULT_REQUEST_LOG, ...limits },
    silentLogger,
  );

function record(
  log: RequestLog,
  directoryId: string,
  count: number,
  isAuthorized = true,
  status = isAuthorized ? 200 : 401,
): void {
  for (let index = 0; index < count; index += 1) {
    log.record({
      access: { directoryId, isAuthorized, tokenId: null, captureUntil: null },
      requestId: `r${index}`,
      method: 'GET',
      path: '/Users',
      userAgent: 'agent',
      status,
      durationMs: 1,
    });
  }
}
const stored = async (id: string) => (await repository.list(id, {}, 1_000)).length;

it('one directory that floods the buffer leaves room for the others', async () => {
  const log = open({ bufferEntries: 100 });
  const other = await fixture.test.newDirectory();
  record(log, fixture.directory.id, 5_000);
  record(log, other.id, 10);
  await log.close();
  expect([await stored(fixture.directory.id), await stored(other.id)]).toEqual([50, 10]);
  expect(log.outcomes).toMatchObject({ stored: 60, full: 4_950 });
  expect(await repository.summary(fixture.directory.id)).toMatchObject({ requests: 5_000 });
});

it('a directory stores a number of requests a day, and is only counted beyond', async () => {
  const log = open({ rowsPerDay: 500 });
  record(log, fixture.directory.id, 1_200);
  await log.close();
  expect(await stored(fixture.directory.id)).toBe(500);
  expect(log.outcomes).toMatchObject({ stored: 500, limited: 700 });
  expect(await repository.summary(fixture.directory.id)).toMatchObject({ requests: 1_200 });
});

it('a stranger writes ten requests a minute, and does not change the rate of errors', async () => {
  const log = open();
  record(log, fixture.directory.id, 500, false);
  await log.close();
  expect(await stored(fixture.directory.id)).toBe(10);
  const summary = await repository.summary(fixture.directory.id);
  expect(summary).toMatchObject({ requests: 0, errors: 0, unauthorized: 500 });
});

it('counts requests by status, for their directory and for all', async () => {
  const { requestHistory } = fixture.test.sync;
  const { query } = fixture.database;
  const other = await fixture.test.newDirectory();
  const countsOf = async (options = {}) =>
    (await requestHistory.usage(options)).data?.map(({ status, count }) => [status, count]);
  await query('DELETE FROM dsync.scim_request_hours');
  expect(await countsOf()).toEqual([]);
  for (const { id } of [fixture.directory, other, other]) {
    const log = open();
    record(log, id, 3, true, 201);
    record(log, id, 2, true, 404);
    record(log, id, 1, false);
    record(log, id, 1, true, 503);
    await log.close();
  }
  const once = [
    ['2xx', 3],
    ['4xx', 3],
    ['5xx', 1],
  ];
  const times = (n: number) => once.map(([status, count]) => [status, n * Number(count)]);
  expect(await countsOf({ directoryId: fixture.directory.id })).toEqual(once);
  expect(await countsOf({ directoryId: other.id })).toEqual(times(2));
  expect(await countsOf()).toEqual(times(3));
  await fixture.test.sync.directories.delete(other.id);
  expect(await countsOf()).toEqual(times(3));
});

it('counts whole hours, of which the last is the one that has begun', async () => {
  const { usage } = fixture.test.sync.requestHistory;
  const { query } = fixture.database;
  await query('DELETE FROM dsync.scim_request_hours');
  await query(
    `INSERT INTO dsync.scim_request_hours
      SELECT $1, '2026-03-01T00:00:00Z'::timestamptz + n * interval '1 hour', 0, 0, 0, 0, 0, 10 + n, 0, 0
      FROM generate_series(0, 30) n`,
    [fixture.directory.id],
  );
  const hours = async (options: object) => {
    const { data } = await usage({ directoryId: fixture.directory.id, ...options });
    return data?.map(({ time, count }) => [time, count]);
  };
  const two = ['2026-03-01T02:00:00.000Z', 12];
  const three = ['2026-03-01T03:00:00.000Z', 13];
  for (const [from, to, expected] of [
    ['2026-03-01T02:00:00Z', '2026-03-01T03:00:00Z', [two]],
    ['2026-03-01T02:59:59.999Z', '2026-03-01T03:00:00Z', [two]],
    ['2026-03-01T02:00:00Z', '2026-03-01T03:00:00.001Z', [two, three]],
    ['2026-03-01T03:00:00+01:00', '2026-03-01T04:00:00Z', [two, three]],
    ['2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z', []],
  ] as const) {
    expect(await hours({ from, to })).toEqual(expected);
  }
  expect(await hours({ to: '2026-03-02T00:00:00Z' })).toHaveLength(24);
});

it('nothing is stored for a directory that does not exist', async () => {
  const log = open();
  const unknown = '01900000-0000-7000-8000-000000000000';
  record(log, unknown, 5);
  await log.close();
  expect(await stored(unknown)).toBe(0);
});

it('the usual gap is that between synchronizations, not within one', async () => {
  const { id } = fixture.directory;
  const minutesAgo = (minutes: number) =>
    fixture.database.query(
      `UPDATE dsync.scim_clients SET last_at = now() - make_interval(mins => $2) WHERE directory_id = $1`,
      [id, minutes],
    );
  const synchronize = async () => {
    const log = open();
    record(log, id, 3);
    await log.close();
  };
  const gap = async () =>
    Math.round(((await repository.summary(id)).client?.usual_gap_seconds ?? 0) / 60);
  await synchronize();
  await synchronize();
  expect(await gap()).toBe(0);
  await minutesAgo(40);
  await synchronize();
  expect(await gap()).toBe(40);
  await minutesAgo(50);
  await synchronize();
  expect(await gap()).toBe(42);
});

it('days are dropped that are older than the time to live, and the next ones exist', async () => {
  const { query } = fixture.database;
  await query('SELECT dsync.create_request_partitions(current_date - 12, current_date - 5)');
  const dropped = await repository.maintain(7 * DAY_SECONDS);
  expect(dropped.length).toBeGreaterThanOrEqual(4);
  const names = await query<{ name: string }>(
    `SELECT to_regclass('dsync.scim_requests' || to_char(current_date + 20, '_YYYYMMDD')) AS name`,
  );
  expect(names[0]?.name).not.toBeNull();
});

it('a deleted directory leaves nothing in the log', async () => {
  const { id } = fixture.directory;
  const log = open();
  record(log, id, 3);
  await log.close();
  await fixture.test.sync.directories.delete(id);
  for (const table of ['scim_requests', 'scim_request_hours', 'scim_clients']) {
    const rows = await fixture.database.query(
      `SELECT 1 FROM dsync.${table} WHERE directory_id = $1`,
      [id],
    );
    expect([table, rows]).toEqual([table, []]);
  }
});

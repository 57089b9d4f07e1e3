import { setTimeout as sleep } from 'node:timers/promises';
import { Partitions } from '../src/index.js';
import { SCHEMA, useDelivery } from './fixture.js';

const fixture = useDelivery();

const DAYS = 10;
const OLDEST_DAYS_AGO = 50;
const EVENTS_OF_DAY = 1_000_000;
const DAY_SECONDS = 86_400;
const RETENTION = { eventsTtlSeconds: 30 * DAY_SECONDS, webhookLogsTtlSeconds: 7 * DAY_SECONDS };
/**
 * A partition waits at most 100 ms for its lock, and a writer may queue behind it. The rest is for a
 * checkpoint of a slow disk.
 */
const NOTICED_MS = 500;
const UNDISTURBED_MS = 3_000;
/** So that the next partition is tried soon, and not when a lane has sent what a fast writer wrote. */
const TURN_SECONDS = 1;

/** Logs a million events as of one day. Their ids are in order, which only makes this faster. */
const fillDay = (daysAgo: number) =>
  fixture.database.query(
    `INSERT INTO ${SCHEMA}.events (source_id, id, type, data, created_at)
      SELECT $1, lpad(to_hex($2::bigint * 10000000 + n), 32, '0')::uuid, 'parcel.sent',
        '{"n": 0}', current_date - $2::integer + interval '12 hours'
      FROM generate_series(1, ${EVENTS_OF_DAY}) n`,
    [fixture.sourceId, daysAgo],
  );

it('drops ten million events while writers and lanes go on as if nothing happened', async () => {
  await fixture.database.query(
    `SELECT ${SCHEMA}.create_partitions(current_date - ${OLDEST_DAYS_AGO}, current_date)`,
  );
  for (let day = 0; day < DAYS; day++) await fillDay(OLDEST_DAYS_AGO - day);
  // The events have been delivered.
  await fixture.endpoints.restart(fixture.sql, fixture.key());
  await fixture.delivery().sweep();

  let isOver = false;
  let slowestMs = 0;
  let written = 0;
  const writer = (async () => {
    while (!isOver) {
      const startedAt = performance.now();
      await fixture.write(written++);
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    }
  })();
  await sleep(UNDISTURBED_MS);
  const undisturbedMs = slowestMs;
  slowestMs = 0;
  const dropped: string[] = [];
  const partitions = new Partitions(fixture.sql, SCHEMA, { warn: () => undefined });
  // A partition that is in use at that moment is left for the next time.
  while (dropped.filter((name) => name.startsWith('events_')).length < DAYS) {
    dropped.push(...(await partitions.maintain(RETENTION)));
    const run = await fixture.runDue({ turnSeconds: TURN_SECONDS });
    expect(run).toMatchObject({ reason: expect.any(String) });
  }
  isOver = true;
  await writer;

  expect(slowestMs).toBeLessThan(undisturbedMs + NOTICED_MS);
  while ((await fixture.runDue()).reason !== 'idle');
  expect(fixture.arrived()).toEqual(Array.from({ length: written }, (_, n) => n));
  const [left] = await fixture.database.query<{ events: number }>(
    `SELECT count(*)::integer AS events FROM ${SCHEMA}.events WHERE source_id = $1`,
    [fixture.sourceId],
  );
  expect(left?.events).toBe(written);
}, 600_000);

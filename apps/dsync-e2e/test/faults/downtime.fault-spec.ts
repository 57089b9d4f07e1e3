/** A receiver that is down for four days. The test does not wait: it makes what is recorded older. */
import { eventually } from '@gatehouse/testing';
import { manage } from '../sync-stack.js';
import { type FaultDirectory, type FaultStack, openFaultStack } from './fault-stack.js';
import { passTime } from './passing-time.js';

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** The default, as in docs/webhooks.md. */
const SCHEDULE = [5, 30, 120, 600, 1_800, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, DAY];
const JITTER = 0.1;

let faults: FaultStack;
beforeAll(async () => {
  const settings = { DSYNC_WEBHOOK_RETRY_SCHEDULE: SCHEDULE.join() };
  faults = await openFaultStack({ settings });
});
afterAll(() => faults.close());

/** The state of the webhook after a number of failures, and the seconds until the next attempt. */
const afterFailure = ({ id }: FaultDirectory, failures: number) =>
  eventually(async () => {
    const [row] = await faults.stack.database.query<{ state: string; seconds: number }>(
      `SELECT state, extract(epoch FROM next_attempt_at - now())::float AS seconds
       FROM dsync.endpoints WHERE source_id = $1 AND failures = $2 AND leased_by IS NULL`,
      [id, failures],
    );
    if (!row) throw new Error(`there have not been ${failures} failures`);
    return row;
  });

it('loses nothing while a receiver is down for four days, and delivers in order afterwards', async () => {
  const directory = await faults.newDirectory();
  const { database } = faults.stack;
  await faults.worker();
  await directory.provision(5);
  await faults.untilDelivered([directory]);
  const delivered = faults.receiver.received.length;

  faults.respondTo(directory, () => ({ hangUp: true }));
  let passed = 0;
  let failures = 0;
  let wait = 0;
  while (passed < 4 * DAY) {
    await directory.provision(2);
    failures += 1;
    const { state, seconds } = await afterFailure(directory, failures);
    const planned = SCHEDULE[failures - 1];
    expect(state).toBe(planned === undefined ? 'paused' : 'failing');
    // Up to ten seconds have passed since the attempt.
    expect(seconds).toBeGreaterThan((planned ?? HOUR) * (1 - JITTER) - 10);
    expect(seconds).toBeLessThanOrEqual((planned ?? HOUR) * (1 + JITTER));
    wait = seconds;
    if (passed + wait >= 4 * DAY) break;
    await passTime(database, wait);
    passed += wait;
    await manage(faults.api, 'POST', '/cron/process-events');
  }
  const tried = faults.arrivedFor(directory).slice(delivered);
  expect(new Set(tried.map(({ id }) => id)).size).toBe(1);
  expect(tried).toHaveLength(failures);

  // Retention keeps what the receiver is still to get.
  const api = await faults.stack.start('dsync-api', { DSYNC_EVENTS_TTL: '1d' });
  expect(await api.stop()).toBe(0);

  faults.respondTo(directory, undefined);
  await passTime(database, wait);
  await faults.verify([directory]);
  expect((await faults.webhookOf(directory)).state).toBe('healthy');
  await eventually(() =>
    expect(faults.noticesOf(directory)).toEqual([
      'webhook.failing',
      'webhook.paused',
      'webhook.recovered',
    ]),
  );
});

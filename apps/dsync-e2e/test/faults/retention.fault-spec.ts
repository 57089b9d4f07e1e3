/** Retention drops old events while a replay sends them. */
import { eventually } from '@gatehouse/testing';
import { manage } from '../sync-stack.js';
import { type FaultDirectory, type FaultStack, openFaultStack } from './fault-stack.js';
import { passTime } from './passing-time.js';

const DAY_SECONDS = 86_400;
const USERS = 300;

let faults: FaultStack;
beforeAll(async () => {
  faults = await openFaultStack();
});
afterAll(() => faults.close());

/** Retention runs when a process of the API starts. */
const retain = async () => {
  const api = await faults.stack.start('dsync-api', { DSYNC_EVENTS_TTL: '1d' });
  expect(await api.stop()).toBe(0);
};

/** The number of events that retention would drop, and whether a replay is still to send some. */
const oldEvents = async ({ id }: FaultDirectory) => {
  const [row] = await faults.stack.database.query<{ count: number; isReplaying: boolean }>(
    `SELECT count(*)::integer, EXISTS (SELECT FROM dsync.replays) AS "isReplaying"
     FROM dsync.events WHERE source_id = $1 AND created_at < now() - interval '3 days'`,
    [id],
  );
  return row;
};

it('drops the events that a replay sends only after it has sent them', async () => {
  const directory = await faults.newDirectory();
  const worker = await faults.worker();
  await directory.provision(USERS);
  await faults.verify([directory]);
  await passTime(faults.stack.database, 5 * DAY_SECONDS);
  const first = faults.arrivedFor(directory).map(({ id }) => id);

  faults.respondTo(directory, () => ({ delayMs: 30 }));
  const fromTime = new Date(Date.now() - 7 * DAY_SECONDS * 1_000).toISOString();
  const path = `/${directory.id}/events/replay`;
  const { status } = await manage(faults.api, 'POST', path, { from_time: fromTime });
  expect(status).toBe(200);
  await Promise.all([retain(), directory.provision(20)]);
  expect(await oldEvents(directory)).toEqual({ count: first.length, isReplaying: true });
  await retain();
  await faults.verify([directory], { repeatsMax: first.length });

  const replayed = faults.arrivedFor(directory).slice(first.length);
  expect(replayed.map(({ id }) => id).filter((id) => first.includes(id))).toEqual(first);
  await eventually(async () => {
    await retain();
    expect(await oldEvents(directory)).toEqual({ count: 0, isReplaying: false });
  });
  expect(await worker.stop()).toBe(0);
});

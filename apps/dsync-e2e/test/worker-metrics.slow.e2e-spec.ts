/** Metrics that a worker exports to Prometheus. */
import {
  eventually,
  type ServiceProcess,
  startWebhookReceiver,
  type TestStack,
  type WebhookReceiver,
} from '@gatehouse/testing';
import { manage, newDirectory, openSyncStack, type Service, user } from './sync-stack.js';

let stack: TestStack;
let api: Service;
let receiver: WebhookReceiver;

beforeAll(async () => {
  stack = await openSyncStack();
  api = await stack.start('dsync-api');
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await receiver.close();
  await stack.close();
});

/** The values of a metric by the text of its labels, without those of buckets. */
async function valuesOf(worker: ServiceProcess, name: string): Promise<Record<string, number>> {
  const lines = [...(await worker.metrics()).matchAll(/^(\w+)(?:{(.*)})? (\S+)$/gm)];
  return Object.fromEntries(
    lines
      .filter(([, each]) => each === name)
      .map(([, , labels = '', value]) => [labels, Number(value)]),
  );
}

it('a worker that has done nothing reports 0 for each label of its counters', async () => {
  const worker = await stack.start('dsync-worker');
  const zeros = (label: string, values: string[]) =>
    Object.fromEntries(values.map((value) => [`${label}="${value}"`, 0]));
  expect(await valuesOf(worker, 'dsync_delivery_attempts_total')).toEqual(
    zeros('outcome', ['delivered', 'refused', 'aborted', 'gone', 'down']),
  );
  expect(await valuesOf(worker, 'dsync_lane_duration_seconds_count')).toEqual(
    zeros('end', ['idle', 'yielded', 'busy', 'waiting', 'failed']),
  );
  expect(await valuesOf(worker, 'dsync_delivered_events_total')).toEqual({ '': 0 });
  expect(await valuesOf(worker, 'dsync_delivery_duration_seconds_count')).toEqual({ '': 0 });
  await eventually(async () => {
    for (const name of [
      'dsync_lanes_waiting',
      'dsync_oldest_pending_event_age_seconds',
      'dsync_lanes_due',
      'dsync_oldest_due_event_age_seconds',
      'dsync_endpoints_paused',
      'dsync_events_parked',
    ]) {
      expect([name, await valuesOf(worker, name)]).toEqual([name, { 'system="dsync"': 0 }]);
    }
  });
  await worker.stop();
});

it('a worker reports what waits and how long, what is paused, what is parked, and each attempt', async () => {
  receiver.respond(({ path, body }) => {
    const isPoison = path === '/poison' && body.includes('poison');
    return { status: path === '/down' ? 500 : isPoison ? 422 : 200 };
  });
  const hook = (path: string) => ({
    webhook_url: receiver.url + path,
    webhook_secret: 'a-secret-of-the-receiver-0123456789',
  });
  const [down, poison, paused] = await Promise.all(
    ['/down', '/poison', '/paused'].map((path) => newDirectory(api, hook(path))),
  );
  await manage(api, 'POST', `/${paused!.id}/webhook-endpoints/${paused!.id}/pause`);
  for (const directory of [down!, poison!, paused!]) {
    await directory.scim('POST', '/Users', user('poison'));
    await directory.scim('POST', '/Users', user('other'));
  }
  const worker = await stack.start('dsync-worker', {
    DSYNC_SWEEP_INTERVAL: '1',
    DSYNC_EVENT_ATTEMPTS: '2',
    DSYNC_WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1',
  });
  await eventually(async () => {
    const dsync = async (name: string) => (await valuesOf(worker, name))['system="dsync"'];
    expect(await dsync('dsync_lanes_waiting')).toBe(1);
    expect(await dsync('dsync_oldest_pending_event_age_seconds')).toBeGreaterThan(0);
    expect(await dsync('dsync_endpoints_paused')).toBe(1);
    expect(await dsync('dsync_events_parked')).toBe(1);
  });
  const attempts = await valuesOf(worker, 'dsync_delivery_attempts_total');
  expect(attempts['outcome="refused"']).toBe(2);
  expect(attempts['outcome="down"']).toBeGreaterThan(0);
  expect((await valuesOf(worker, 'dsync_delivered_events_total'))['']).toBeGreaterThan(0);
  expect(
    (await valuesOf(worker, 'dsync_lane_duration_seconds_count'))['end="waiting"'],
  ).toBeGreaterThan(0);
  await worker.stop();
});

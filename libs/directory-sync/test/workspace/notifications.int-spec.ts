// Notifications of providers: a hint that makes one run due, and never gets lost.
import { type RunTrigger } from '../../src/workspace/runs/run.types.js';
import { usePush } from './push-fixture.js';

const fixture = usePush();

const runsOf = (id: string) =>
  fixture.rows<{ trigger: RunTrigger; state: string }>(
    'SELECT trigger, state FROM dsync.workspace_runs WHERE directory_id = $1 ORDER BY id',
    [id],
  );
const isDue = async (id: string) => {
  const text = `SELECT run_due_at FROM dsync.workspace_push WHERE directory_id = $1`;
  const [row] = await fixture.rows<{ run_due_at: Date | null }>(text, [id]);
  return row?.run_due_at != null;
};
const settle = async (id: string) => {
  const text = `UPDATE dsync.workspace_push SET run_due_at = now()
    WHERE directory_id = $1 AND run_due_at IS NOT NULL`;
  await fixture.rows(text, [id]);
};
const endRuns = async (id: string) => {
  const text = `UPDATE dsync.workspace_runs SET state = 'succeeded' WHERE directory_id = $1`;
  await fixture.rows(text, [id]);
};
const PUSHED = { trigger: 'push', state: 'queued' };
const ENDED = { trigger: 'push', state: 'succeeded' };

it('makes one run of 1,000 notifications', async () => {
  const { id } = await fixture.newGoogle();
  await fixture.keepUp();
  for (let count = 0; count < 100; count += 1) {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => fixture.google.channels.notify('add', { id: 'u' })),
    );
    expect(answers.flat()).toEqual(Array(10).fill(202));
  }
  const changed = fixture.outcomes.filter((outcome) => outcome === 'changed').length;
  expect(changed).toBeLessThanOrEqual(10);
  const workers = [fixture.newWorker(), fixture.newWorker()];
  await settle(id);
  await Promise.all(workers.map((worker) => worker.startPushed()));
  expect(await runsOf(id)).toEqual([PUSHED]);
  await Promise.all(workers.map((worker) => worker.startPushed()));
  expect(await runsOf(id)).toEqual([PUSHED]);
});

it('makes a run of a change at Entra ID', async () => {
  const { id } = await fixture.newEntra();
  await fixture.keepUp();
  expect(await fixture.entra.subscriptions.notify('groups', 'g')).toEqual([202]);
  // Providers need a moment: the run is due, and not started yet.
  await fixture.newWorker().startPushed();
  expect(await runsOf(id)).toEqual([]);
  await settle(id);
  await fixture.newWorker().startPushed();
  expect(await runsOf(id)).toEqual([PUSHED]);
});

it('makes one run after a run of all that arrived meanwhile', async () => {
  const { id } = await fixture.newGoogle();
  await fixture.keepUp();
  const worker = fixture.newWorker(1);
  const push = async () => {
    await fixture.google.channels.notify('update');
    await settle(id);
    await worker.startPushed();
  };
  await push();
  for (let count = 0; count < 3; count += 1) await push();
  expect(await runsOf(id)).toEqual([PUSHED]);
  await endRuns(id);
  await fixture.rows(`UPDATE dsync.workspace_push SET pushed_at = now() - interval '1 second'`, []);
  await worker.startPushed();
  expect(await runsOf(id)).toEqual([ENDED, PUSHED]);
  await endRuns(id);
  await worker.startPushed();
  expect(await runsOf(id)).toEqual([ENDED, ENDED]);
});

it('waits for the interval between two pushed runs', async () => {
  const { id } = await fixture.newGoogle();
  await fixture.keepUp();
  const worker = fixture.newWorker(3_600);
  const push = async () => {
    await fixture.google.channels.notify('delete');
    await settle(id);
    await worker.startPushed();
  };
  await push();
  await endRuns(id);
  await push();
  expect(await runsOf(id)).toEqual([ENDED]);
  expect(await isDue(id)).toBe(true);
  await fixture.rows(`UPDATE dsync.workspace_push SET pushed_at = now() - interval '1 hour'`, []);
  await worker.startPushed();
  expect(await runsOf(id)).toEqual([ENDED, PUSHED]);
});

it('believes no notification without the token of its channel', async () => {
  const { id } = await fixture.newGoogle();
  const other = await fixture.newEntra();
  await fixture.keepUp();
  const [channel] = fixture.google.channels.live();
  const [subscription] = fixture.entra.subscriptions.live();
  const google = new URL(channel?.address ?? '').pathname;
  const entra = new URL(subscription?.notificationUrl ?? '').pathname;
  const send = (path: string, headers: Record<string, string>, body = '') =>
    fetch(fixture.url + path, { method: 'POST', headers, body });
  const entries = (clientState?: string) => JSON.stringify({ value: [{ clientState }] });
  const forged = [
    await send(google, {}),
    await send(google, { 'x-goog-channel-token': 'guess', 'x-goog-resource-state': 'add' }),
    await send(google, { 'x-goog-channel-token': subscription?.clientState ?? '' }),
    await send(entra, {}),
    await send(entra, {}, '{'),
    await send(entra, {}, '[]'),
    await send(entra, {}, '{"value":[null,1,{}]}'),
    await send(entra, {}, entries('guess')),
    await send(entra, {}, entries(channel?.token)),
  ];
  expect(forged.map(({ status }) => status)).toEqual(Array(forged.length).fill(404));
  expect(fixture.outcomes.slice(-forged.length)).toEqual(Array(forged.length).fill('forged'));
  const unknown = [
    await send(google.replace(/[^/]+$/, crypto.randomUUID()), {
      'x-goog-channel-token': channel?.token ?? '',
    }),
    await send(google.replace(/[^/]+$/, 'x'), {}),
    await send(entra.replace(/[^/]+$/, `${crypto.randomUUID()}?validationToken=x`), {}),
  ];
  expect(unknown.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect([await isDue(id), await isDue(other.id)]).toEqual([false, false]);
});

it('starts no run of a directory that needs authorization or is deactivated', async () => {
  const { id } = await fixture.newGoogle();
  await fixture.keepUp();
  await fixture.google.channels.notify('add');
  await settle(id);
  await fixture.test.sync.directories.update(id, { deactivated: true });
  await fixture.newWorker().startPushed();
  expect(await runsOf(id)).toEqual([]);
  await fixture.test.sync.directories.update(id, { deactivated: false });
  await fixture.newWorker().startPushed();
  expect(await runsOf(id)).toEqual([PUSHED]);
});

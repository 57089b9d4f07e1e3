import { type EventReplay } from '../../src/index.js';
import { user } from '../harness.js';
import { useLaneFixture } from '../lane-fixture.js';

const fixture = useLaneFixture();
const log = async (options: object) => (await fixture.test.sync.events.getAll(options)).data ?? [];

describe('the log of all directories', () => {
  it('continues after any event, and narrows to a tenant or product', async () => {
    const { data: start } = await fixture.test.sync.events.latest();
    const [first, second] = [await fixture.directoryWith(2), await fixture.directoryWith(1)];
    await first.send('POST', '/Users', user('last'));
    const all = await log({ after: start?.id });
    expect(all.map(({ directory_id }) => directory_id)).toEqual(
      [first, first, second, first].map(({ id }) => id),
    );
    expect(await log({ after: all[1]?.id })).toEqual(all.slice(2));
    expect(await log({ after: start?.id, tenant: second.tenant })).toEqual([all[2]]);
    expect(await log({ after: start?.id, product: 'other' })).toEqual([]);
    const { data: latest } = await fixture.test.sync.events.latest();
    expect(latest?.id).toBe(all[3]?.id);
  });

  it('leaves out deleted directories', async () => {
    const directory = await fixture.directoryWith(1);
    const [event] = await log({ directoryId: directory.id });
    await fixture.test.sync.directories.delete(directory.id);
    const ids = (await log({ limit: 1_000 })).map(({ id }) => id);
    expect(ids).not.toContain(event?.id);
  });
});

describe('a replay', () => {
  it('sends the events of a time again, in order, with their ids', async () => {
    const directory = await fixture.directoryWith(3);
    const delivery = fixture.newDelivery();
    await delivery.runLane(directory.id);
    const { data } = await fixture.test.sync.events.replay(directory.id, {
      from_time: new Date(Date.now() - 3_600_000).toISOString(),
    });
    expect(data).toEqual({ endpoints: 1 });
    expect(fixture.test.woken).toContain(directory.id);
    await delivery.runLane(directory.id);
    expect(fixture.namesReceived()).toEqual([0, 1, 2, 0, 1, 2].map((n) => `user-${n}`));
    const ids = fixture.receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids.slice(3)).toEqual(ids.slice(0, 3));
  });

  it('sends only the given types after an event', async () => {
    const directory = await fixture.directoryWith(2);
    const delivery = fixture.newDelivery();
    await delivery.runLane(directory.id);
    const [first] = await log({ directoryId: directory.id });
    const { events } = fixture.test.sync;
    await events.replay(directory.id, { after: first?.id, types: ['user.deleted'] });
    await delivery.runLane(directory.id);
    expect(fixture.receiver.received).toHaveLength(2);
    await events.replay(directory.id, { after: first?.id, types: ['user.created'] });
    await delivery.runLane(directory.id);
    expect(fixture.namesReceived()).toEqual(['user-0', 'user-1', 'user-1']);
  });

  it.each([
    [{}, 'after'],
    [{ after: crypto.randomUUID(), from_time: '2026-01-01T00:00:00Z' }, 'after'],
    [{ from_time: 'yesterday' }, 'from_time'],
    [{ from_time: '2026-01-01T00:00:00Z', types: ['user.renamed'] }, 'types[0]'],
    [{ from_time: '2026-01-01T00:00:00Z', until: '2026-02-30T00:00:00Z' }, 'until'],
    [{ from: '2026-01-01T00:00:00Z' }, 'from_time'],
  ])('400 for %j', async (range, field) => {
    const directory = await fixture.directoryWith(0);
    const { error } = await fixture.test.sync.events.replay(directory.id, range as EventReplay);
    expect(error).toMatchObject({ code: 400 });
    expect(error?.message).toContain(field);
  });
});

describe('a pause', () => {
  it('keeps events until the webhook is resumed, and a test of the webhook resumes it', async () => {
    const directory = await fixture.directoryWith(0);
    const delivery = fixture.newDelivery();
    const { webhookEndpoints, directories } = fixture.test.sync;
    const target = [directory.id, directory.id] as const;
    for (const end of [
      () => webhookEndpoints.resume(...target),
      () => webhookEndpoints.test(...target),
    ]) {
      await webhookEndpoints.pause(...target);
      await directory.send('POST', '/Users', user(`user-${crypto.randomUUID()}`));
      await delivery.runLane(directory.id);
      expect(fixture.receiver.received).toEqual([]);
      expect((await directories.status(directory.id)).data).toMatchObject({
        pending: 1,
        webhook: { state: 'paused', reason: 'paused by an administrator' },
      });
      expect((await end()).error).toBeNull();
      await delivery.runLane(directory.id);
      const types = fixture.receiver.received.map(({ body }) => JSON.parse(body).event as string);
      expect(types.filter((type) => type !== 'webhook.ping')).toEqual(['user.created']);
      fixture.receiver.received.length = 0;
    }
  });
});

it('batches that are turned on and off while events wait lose and double none', async () => {
  const retryScheduleSeconds = [0, 0, 0, 0];
  const directory = await fixture.directoryWith(3);
  fixture.receiver.respond(() => ({ status: 503 }));
  await fixture.newDelivery({ retryScheduleSeconds }).runLane(directory.id);
  await fixture.newDelivery({ retryScheduleSeconds, batchSize: 2 }).runLane(directory.id);
  fixture.receiver.received.length = 0;
  fixture.receiver.respond((_, index) => ({ status: index === 1 ? 503 : 200 }));
  await fixture.newDelivery({ retryScheduleSeconds, batchSize: 2 }).runLane(directory.id);
  await directory.send('POST', '/Users', user('user-3'));
  await fixture.newDelivery().runLane(directory.id);
  const names = fixture.receiver.received.map(({ body }) =>
    [JSON.parse(body)].flat().map(({ data }) => data.raw.userName as string),
  );
  expect(names).toEqual([['user-0', 'user-1'], ['user-2'], ['user-2'], ['user-3']]);
});

import { verifyStandardWebhook } from '@gatehouse/crypto';
import { deliverAll } from '@gatehouse/testing';
import { type TestDirectory, user } from '../harness.js';
import { useLaneFixture } from '../lane-fixture.js';

// A directory with several endpoints: its webhook and further ones, each with a lane of its own.

const fixture = useLaneFixture();

const created = async (directoryId: string, input: object = {}) => {
  const url = `${fixture.receiver.url}/further`;
  const { data, error } = await fixture.test.sync.webhookEndpoints.create(directoryId, {
    url,
    ...input,
  });
  if (error) throw new Error(error.message);
  return data;
};
const deliver = (directory: TestDirectory) => deliverAll(fixture.newDelivery(), directory.id);
const namesAt = (path: string) =>
  fixture.receiver.received
    .filter((each) => each.path === path)
    .map(({ body }) => JSON.parse(body).data.raw.userName as string);
const add = (directory: TestDirectory, name: string) =>
  directory.send('POST', '/Users', user(name));

it('each endpoint gets the events from its creation on, in order, with its own settings', async () => {
  const directory = await fixture.directoryWith(1);
  const { secret } = await created(directory.id, {
    types: ['user.created'],
    headers: { Authorization: 'Bearer of-the-receiver' },
  });
  await add(directory, 'second');
  const { data: third } = await add(directory, 'third');
  await directory.send('DELETE', `/Users/${third.id}`);
  await deliver(directory);
  expect(namesAt('/hook')).toEqual(['user-0', 'second', 'third', 'third']);
  expect(namesAt('/further')).toEqual(['second', 'third']);
  for (const { headers, body, path } of fixture.receiver.received) {
    const isFurther = path === '/further';
    expect(verifyStandardWebhook({ headers, body, secrets: [secret] })).toBe(isFurther);
    expect(headers.authorization).toBe(isFurther ? 'Bearer of-the-receiver' : undefined);
  }
});

it('an endpoint that fails or is paused does not hold up the others', async () => {
  const directory = await fixture.directoryWith(0);
  const { id } = await created(directory.id);
  await fixture.test.sync.webhookEndpoints.pause(directory.id, id);
  await add(directory, 'waits');
  await deliver(directory);
  expect([namesAt('/hook'), namesAt('/further')]).toEqual([['waits'], []]);
  const status = await fixture.test.sync.webhookEndpoints.status(directory.id, id);
  expect(status.data).toMatchObject({ pending: 1, dead: 0 });
  await fixture.test.sync.webhookEndpoints.resume(directory.id, id);
  await deliver(directory);
  expect([namesAt('/hook'), namesAt('/further')]).toEqual([['waits'], ['waits']]);
});

it('a directory without a webhook delivers to its endpoints, and wakes their lanes', async () => {
  const directory = await fixture.test.newDirectory();
  await add(directory, 'before');
  fixture.test.woken.splice(0);
  await created(directory.id);
  await add(directory, 'after');
  expect(fixture.test.woken).toContain(directory.id);
  await deliver(directory);
  expect(namesAt('/further')).toEqual(['after']);
  expect(await fixture.statesOf(directory)).toEqual(['not_sent', 'delivered']);
});

it('a deactivated directory sends to no endpoint; active again, all start with the next event', async () => {
  const { sync } = fixture.test;
  const directory = await fixture.directoryWith(0);
  const { id } = await created(directory.id);
  await add(directory, 'unsent');
  await sync.directories.update(directory.id, { deactivated: true });
  const { id: later } = await created(directory.id, { url: `${fixture.receiver.url}/later` });
  await fixture.database.query(
    `INSERT INTO dsync.events (source_id, type, data) VALUES ($1, 'user.created', '{"raw": {}}')`,
    [directory.id],
  );
  await deliver(directory);
  expect(fixture.receiver.received).toEqual([]);
  await sync.directories.update(directory.id, { deactivated: false });
  await add(directory, 'next');
  await deliver(directory);
  for (const path of ['/hook', '/further', '/later']) expect(namesAt(path)).toEqual(['next']);
  const events = await fixture.statesOf(directory);
  expect(events).toEqual(['not_sent', 'not_sent', 'delivered']);
  expect([id, later]).not.toContain(directory.id);
});

it('a deleted directory takes its endpoints with it', async () => {
  const directory = await fixture.directoryWith(1);
  await created(directory.id);
  await fixture.test.sync.directories.delete(directory.id);
  await deliver(directory);
  expect(fixture.receiver.received).toEqual([]);
  const rows = await fixture.database.query('SELECT FROM dsync.endpoints WHERE source_id = $1', [
    directory.id,
  ]);
  expect(rows).toEqual([]);
  const answer = await fixture.test.sync.webhookEndpoints.list(directory.id);
  expect(answer.error?.code).toBe(404);
});

it('the webhook of the directory is its first endpoint, and takes types and headers there', async () => {
  const { webhookEndpoints: endpoints, directories } = fixture.test.sync;
  const directory = await fixture.directoryWith(0);
  const further = await created(directory.id);
  const { data } = await endpoints.list(directory.id);
  expect(data?.map(({ id }) => id)).toEqual([directory.id, further.id]);
  await endpoints.update(directory.id, directory.id, {
    types: ['user.deleted'],
    headers: { 'X-Team': 'first' },
  });
  await directories.update(directory.id, { name: 'renamed', log_webhook_events: true });
  const { data: first } = await endpoints.get(directory.id, directory.id);
  expect(first).toMatchObject({
    types: ['user.deleted'],
    header_names: ['x-team'],
    logs_attempts: true,
  });
  const { data: made } = await add(directory, 'gone');
  await directory.send('DELETE', `/Users/${made.id}`);
  await deliver(directory);
  expect(fixture.receiver.received.filter(({ path }) => path === '/hook')).toHaveLength(1);

  const moved = await endpoints.update(directory.id, directory.id, { url: 'https://example.com' });
  expect(moved.error).toMatchObject({ code: 400, message: expect.stringContaining('url') });
  expect((await endpoints.delete(directory.id, directory.id)).error?.code).toBe(400);
  const rotated = await endpoints.rotateSecret(directory.id, directory.id, { overlap: '1h' });
  const { data: view } = await directories.get(directory.id);
  expect(view?.webhook.secret).toBe(rotated.data?.secret);
  await directories.update(directory.id, { webhook_url: '' });
  for (const read of ['get', 'status', 'attempts', 'parked'] as const) {
    expect((await endpoints[read](directory.id, directory.id)).error?.code).toBe(404);
  }
});

it('changes of the directory and of its endpoints at the same time are all kept', async () => {
  const { webhookEndpoints: endpoints, directories } = fixture.test.sync;
  const directory = await fixture.directoryWith(0);
  const { id } = directory;
  await Promise.all([
    endpoints.update(id, id, { types: ['user.deleted'] }),
    directories.update(id, { log_webhook_events: true }),
    endpoints.update(id, id, { on_poison: 'block' }),
    directories.update(id, { webhook_url: `${fixture.receiver.url}/moved` }),
    endpoints.update(id, id, { headers: { 'X-Team': 'a' } }),
  ]);
  const { data } = await endpoints.get(id, id);
  expect(data).toMatchObject({
    types: ['user.deleted'],
    logs_attempts: true,
    on_poison: 'block',
    url: `${fixture.receiver.url}/moved`,
    header_names: ['x-team'],
  });
});

it('409: a directory has at most ten, its webhook included, however many are added at once', async () => {
  const directory = await fixture.directoryWith(0);
  const url = fixture.receiver.url;
  const added = await Promise.all(
    Array.from({ length: 12 }, () =>
      fixture.test.sync.webhookEndpoints.create(directory.id, { url }),
    ),
  );
  const codes = added.map(({ error }) => error?.code ?? 201).sort();
  expect(codes).toEqual([...Array<number>(9).fill(201), ...Array<number>(3).fill(409)]);
});

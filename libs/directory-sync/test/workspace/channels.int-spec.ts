// Notification channels of workspace directories: opened once, renewed, closed.
import { ENTRA_FAULTS, eventually, GOOGLE_FAULTS } from '@gatehouse/testing';
import { usePush } from './push-fixture.js';

const TOPICS = ['add', 'delete', 'undelete', 'update'];

const fixture = usePush();

const topicsAtGoogle = () =>
  fixture.google.channels
    .live()
    .map(({ event }) => event)
    .sort();
const storedOf = (id: string) =>
  fixture.rows<{ id: string; topic: string; provider_id: string | null }>(
    'SELECT * FROM dsync.workspace_channels WHERE directory_id = $1 ORDER BY topic',
    [id],
  );

it('opens a channel of each kind of change at Google, and says until when', async () => {
  const { id } = await fixture.newGoogle();
  expect(await fixture.stateOf(id)).toEqual({ active: false, expires_at: null, error: null });
  await fixture.keepUp();
  expect(topicsAtGoogle()).toEqual(TOPICS);
  const { active, expires_at, error } = await fixture.stateOf(id);
  expect({ active, error }).toEqual({ active: true, error: null });
  expect(Date.parse(expires_at ?? '')).toBeGreaterThan(Date.now() + 5 * 3_600_000);
  await eventually(() => expect(fixture.outcomes).toEqual(TOPICS.map(() => 'quiet')));
});

it('subscribes to users and groups at Entra ID, and answers the validation', async () => {
  const { id } = await fixture.newEntra();
  await fixture.keepUp();
  const resources = fixture.entra.subscriptions.live().map(({ resource }) => resource);
  expect(resources.sort()).toEqual(['/groups', '/users']);
  expect(await fixture.stateOf(id)).toMatchObject({ active: true, error: null });
  expect(fixture.outcomes).toEqual(Array(4).fill('handshake'));
});

it('stores no token, only its hash', async () => {
  const { id } = await fixture.newGoogle();
  await fixture.keepUp();
  const stored = JSON.stringify(await storedOf(id));
  for (const { token } of fixture.google.channels.live()) {
    expect(token).toHaveLength(43);
    expect(stored).not.toContain(token);
  }
});

it('two workers never open the same channel', async () => {
  await fixture.newGoogle();
  await fixture.newEntra();
  await Promise.all(Array.from({ length: 4 }, () => fixture.keepUp(fixture.newWorker())));
  expect(topicsAtGoogle()).toEqual(TOPICS);
  expect(fixture.google.channels.opened).toBe(TOPICS.length);
  expect(fixture.entra.subscriptions.opened).toBe(2);
});

it('replaces the channels of Google before they expire, and stops the old ones', async () => {
  const { id } = await fixture.newGoogle();
  fixture.google.channels.ttlSecondsMax = 2;
  try {
    await fixture.keepUp();
    const before = await storedOf(id);
    expect(await fixture.stateOf(id)).toMatchObject({ active: true });
    // Half of the time is left for tries again.
    await eventually(async () => {
      await fixture.keepUp();
      expect(fixture.google.channels.opened).toBe(2 * TOPICS.length);
    });
    expect(topicsAtGoogle()).toEqual(TOPICS);
    const ids = [...fixture.google.channels.channels.keys()];
    for (const old of before) expect(ids).not.toContain(old.id);
    expect(await storedOf(id)).toHaveLength(TOPICS.length);
  } finally {
    fixture.google.channels.ttlSecondsMax = 21_600;
  }
});

it('prolongs subscriptions of Entra ID, and makes those again that are gone', async () => {
  const { id } = await fixture.newEntra();
  await fixture.keepUp();
  const [users] = await storedOf(id);
  await fixture.makeDue(id);
  await fixture.keepUp();
  expect(fixture.entra.subscriptions).toMatchObject({ opened: 2, renewed: 2 });
  fixture.entra.subscriptions.subscriptions.delete(users?.provider_id ?? '');
  await fixture.makeDue(id);
  await fixture.keepUp();
  expect(fixture.entra.subscriptions.opened).toBe(3);
  expect(fixture.entra.subscriptions.live()).toHaveLength(2);
  expect(await storedOf(id)).toHaveLength(2);
});

it('renews at once when Entra ID asks for another authorization', async () => {
  await fixture.newEntra();
  await fixture.keepUp();
  const { renewed } = fixture.entra.subscriptions;
  expect(await fixture.entra.subscriptions.notifyOfLifecycle('reauthorizationRequired')).toEqual([
    202, 202,
  ]);
  await fixture.keepUp();
  expect(fixture.entra.subscriptions.renewed).toBe(renewed + 2);
});

it('tries a refused opening again later, without a change of the directory', async () => {
  const { id } = await fixture.newEntra();
  fixture.entra.server.fail('/subscriptions', ENTRA_FAULTS.denied, 1);
  await fixture.keepUp();
  const { data } = await fixture.test.sync.directories.status(id);
  expect(data?.workspace).toMatchObject({ state: 'authorized', push: { active: false } });
  expect(data?.workspace?.push.error).toContain('Insufficient privileges');
  await fixture.keepUp();
  expect(fixture.entra.subscriptions.opened).toBe(0);
  await fixture.makeDue(id);
  await fixture.keepUp();
  expect(await fixture.stateOf(id)).toMatchObject({ active: true, error: null });
});

async function waitOf(id: string): Promise<number> {
  const [row] = await fixture.rows<{ wait: number }>(
    `SELECT extract(epoch FROM check_at - now())::float AS wait FROM dsync.workspace_push
      WHERE directory_id = $1`,
    [id],
  );
  return Math.round((row?.wait ?? 0) / 10) * 10;
}

it('waits before it replaces channels that have expired when they are opened', async () => {
  const { id } = await fixture.newGoogle();
  fixture.google.channels.ttlSecondsMax = -86_400;
  try {
    await fixture.keepUp();
    expect(await waitOf(id)).toBe(60);
    const { active, error } = await fixture.stateOf(id);
    expect({ active, error }).toEqual({ active: false, error: expect.stringContaining('expired') });
    await fixture.makeDue(id);
    await fixture.keepUp();
    expect(await storedOf(id)).toHaveLength(TOPICS.length);
  } finally {
    fixture.google.channels.ttlSecondsMax = 21_600;
  }
});

it('keeps what is open if another opening fails, and waits longer each time', async () => {
  const { id } = await fixture.newGoogle();
  const waits: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    fixture.google.server.fail('event=update', GOOGLE_FAULTS.unavailable, 1);
    await fixture.makeDue(id);
    await fixture.keepUp();
    waits.push(await waitOf(id));
    expect(topicsAtGoogle()).toEqual(['add', 'delete', 'undelete']);
    expect(await storedOf(id)).toHaveLength(3);
  }
  expect(waits).toEqual([60, 120, 240]);
});

it('goes on after a worker that was stopped while it opened a channel', async () => {
  const { id } = await fixture.newGoogle();
  const stopping = new AbortController();
  fixture.google.server.beforeAnswer = ({ url }) => {
    if (url.pathname.endsWith('/watch')) stopping.abort();
  };
  await fixture.newWorker().keepUp(stopping.signal);
  fixture.google.server.beforeAnswer = () => undefined;
  expect(await fixture.stateOf(id)).toMatchObject({ active: false, error: null });
  await fixture.keepUp();
  expect(await fixture.stateOf(id)).toMatchObject({ active: true });
  expect(await storedOf(id)).toHaveLength(TOPICS.length);
});

it('takes over a directory whose worker was killed while it opened a channel', async () => {
  const { id } = await fixture.newGoogle();
  await fixture.rows(
    `INSERT INTO dsync.workspace_push (directory_id, leased_by, leased_until)
      VALUES ($1, gen_random_uuid(), now() + interval '1 hour')`,
    [id],
  );
  await fixture.rows(
    `INSERT INTO dsync.workspace_channels (id, directory_id, topic, watched, token_sha256)
      VALUES (gen_random_uuid(), $1, 'add', 'x', 'y')`,
    [id],
  );
  await fixture.keepUp();
  expect(fixture.google.channels.opened).toBe(0);
  await fixture.rows(`UPDATE dsync.workspace_push SET leased_until = now()`, []);
  await fixture.keepUp();
  expect((await storedOf(id)).map(({ topic }) => topic)).toEqual(TOPICS);
});

it('watches the new domain when it is changed', async () => {
  const { id } = await fixture.newEntra();
  await fixture.keepUp();
  const before = await storedOf(id);
  await fixture.test.sync.directories.update(id, { workspace_domain: 'other.example.com' });
  await fixture.keepUp();
  expect(await fixture.stateOf(id)).toMatchObject({ error: expect.stringContaining('tenant') });
  await fixture.test.sync.directories.update(id, { workspace_domain: fixture.entra.tenant });
  await fixture.keepUp();
  expect(await fixture.stateOf(id)).toMatchObject({ active: true, error: null });
  expect((await storedOf(id)).map((each) => each.id)).toEqual(before.map((each) => each.id));
});

it.each(['deactivated', 'deleted'])('closes the channels of a %s directory', async (state) => {
  const directories = [await fixture.newGoogle(), await fixture.newEntra()];
  await fixture.keepUp();
  expect(topicsAtGoogle()).toEqual(TOPICS);
  for (const { id } of directories) {
    if (state === 'deleted') await fixture.test.sync.directories.delete(id);
    else await fixture.test.sync.directories.update(id, { deactivated: true });
  }
  await fixture.keepUp();
  expect(topicsAtGoogle()).toEqual([]);
  expect(fixture.entra.subscriptions.live()).toEqual([]);
  for (const { id } of directories) expect(await storedOf(id)).toEqual([]);
});

it('opens the channels of a directory again that is active again', async () => {
  const { id } = await fixture.newGoogle();
  await fixture.keepUp();
  await fixture.test.sync.directories.update(id, { deactivated: true });
  await fixture.keepUp();
  expect(await fixture.stateOf(id)).toMatchObject({ active: false });
  await fixture.test.sync.directories.update(id, { deactivated: false });
  await fixture.keepUp();
  expect(topicsAtGoogle()).toEqual(TOPICS);
});

it('drops the channels of a directory that its provider does not let it close', async () => {
  const { id } = await fixture.newGoogle();
  await fixture.keepUp();
  fixture.google.accounts.revokeConsents();
  await fixture.test.sync.directories.delete(id);
  await fixture.keepUp();
  expect(await storedOf(id)).toEqual([]);
  const tokens = await fixture.rows(
    'SELECT FROM dsync.workspace_connections WHERE directory_id = $1',
    [id],
  );
  expect(tokens).toHaveLength(1);
});

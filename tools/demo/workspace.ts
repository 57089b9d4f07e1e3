import assert from 'node:assert/strict';
import { eventually, type FakeGoogle, startFakeGoogle } from '@gatehouse/testing';
import { send } from './http.js';
import { type Receiver } from './receiver.js';
import { type Story } from './story.js';

interface Run {
  id: string;
  state: string;
  error: string | null;
  counts: { users_listed: number; groups_listed: number; members_listed: number };
  plan: { users_deleted: { name: string }[] } | null;
}

interface Demo {
  /** Path in the management API, for the directory. */
  path: string;
  headers: Record<string, string>;
  /** The port at which the services of the stack expect the provider. */
  port: number;
  receiver: Receiver;
}

const TIMEOUT = { timeoutMs: 15_000 };

/** Pulls a workspace from a fake Google, which then loses users: the run is held, and approved. */
export async function showWorkspace(story: Story, demo: Demo): Promise<void> {
  const google = await startFakeGoogle({ port: demo.port, users: 5, groups: 1 });
  try {
    const connected = await connect(story, demo, google);
    if (connected) await pull(story, demo, google);
  } finally {
    await google.close();
  }
}

async function connect(story: Story, demo: Demo, google: FakeGoogle): Promise<boolean> {
  const { path, headers } = demo;
  return story.step('An administrator of a workspace consents to its directory', async (note) => {
    const { body } = await send<{ data: { authorizationUrl: string } }>(
      'GET',
      `${path}/workspace/authorization-url`,
      { headers },
    );
    if (!body.data.authorizationUrl.startsWith(google.url)) {
      note('left out: this stack was started with a WORKSPACE_CLIENT_ID of its own');
      return false;
    }
    const callback = await google.consent(body.data.authorizationUrl);
    const { text } = await send('GET', callback);
    assert.match(text, /connected/i);
    note(`${google.url} plays Google; the tokens are sealed`);
    return true;
  });
}

async function pull(story: Story, demo: Demo, google: FakeGoogle): Promise<void> {
  const { path, headers, receiver } = demo;
  const runIn = async (id: string, state: string): Promise<Run> =>
    eventually(async () => {
      const { body } = await send<{ data: Run }>('GET', `${path}/runs/${id}`, { headers });
      assert.equal(body.data.state, state);
      return body.data;
    }, TIMEOUT);
  const start = async (): Promise<string> => {
    const { body } = await send<{ data: Run }>('POST', `${path}/sync`, { headers, expect: 202 });
    return body.data.id;
  };
  const expectEvents = async (types: string[]): Promise<void> => {
    const webhooks = await receiver.next(types.length);
    assert.deepEqual(
      webhooks.map(({ event }) => event.event),
      types,
    );
  };

  await story.step('A run reads it, and its users and groups arrive as events', async (note) => {
    const { counts } = await runIn(await start(), 'succeeded');
    await expectEvents([
      ...Array<string>(5).fill('user.created'),
      'group.created',
      'group.user_added',
      'group.user_added',
    ]);
    note(`${counts.users_listed} users, ${counts.groups_listed} group with 2 members`);
  });
  const held = await story.step(
    'Two of five users are gone: the next run is held',
    async (note) => {
      for (const number of [3, 4]) google.people.users.remove(number);
      const run = await runIn(await start(), 'held');
      const names = run.plan?.users_deleted.map(({ name }) => name);
      assert.deepEqual(names, ['user-3@example.com', 'user-4@example.com']);
      note(run.error ?? '', `the plan would delete ${names?.join(' and ')}`);
      return run.id;
    },
  );
  await story.step('It is approved, and they are deleted', async (note) => {
    await send('POST', `${path}/runs/${held}/approve`, { headers });
    await runIn(held, 'succeeded');
    await expectEvents(['user.deleted', 'user.deleted']);
    note('user.deleted, user.deleted');
  });
}

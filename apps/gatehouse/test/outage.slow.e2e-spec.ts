/** The process while PostgreSQL is away, and when it ends in the middle of a delivery. */
import {
  createTestDatabase,
  eventually,
  type FakeGoogle,
  type ReceivedWebhook,
  startFakeGoogle,
  startWebhookReceiver,
  type TcpProxy,
  tcpProxy,
  type TestDatabase,
  type WebhookReceiver,
} from '@gatehouse/testing';
import { openSmall, type SmallGate } from './gate.js';
import { Administrator, type Provider } from './visitor.js';

let database: TestDatabase;
let receiver: WebhookReceiver;
let gate: SmallGate | undefined;

beforeEach(async () => {
  database = await createTestDatabase();
  receiver = await startWebhookReceiver();
});
afterEach(async () => {
  await gate?.close();
  gate = undefined;
  await receiver.close();
  await database.drop();
});

const userOf = ({ body }: ReceivedWebhook): string => JSON.parse(body).data.id;

/** Creates users one after another. @returns their ids */
async function createUsers(provider: Provider, name: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    ids.push(await provider.createUser(`${name}-${n}@example.com`));
  }
  return ids;
}

describe('while PostgreSQL is away', () => {
  let proxy: TcpProxy;
  let google: FakeGoogle;

  beforeEach(async () => {
    proxy = await tcpProxy(database.url);
    google = await startFakeGoogle({ users: 20 });
  });
  afterEach(async () => {
    await google.close();
    await proxy.close();
  });

  const hasClaim = async () => {
    const rows = await database.query(
      `SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid)
       WHERE a.datname = current_database() AND a.application_name = 'gatehouse-claim'
         AND l.locktype = 'advisory' AND l.granted`,
    );
    return rows.length === 1;
  };

  const readyStatus = async ({ publicSurface }: SmallGate) =>
    (await publicSurface.send('GET', '/health/ready')).status;

  it.each([
    ['by queues', '3600'],
    ['by sweeps', '1'],
  ])('the process stays, and delivers and pulls again afterwards %s', async (_, interval) => {
    gate = await openSmall(proxy, {
      ...google.settings,
      DSYNC_SWEEP_INTERVAL: interval,
      WORKSPACE_SYNC_CRON: 'never',
    });
    const administrator = new Administrator(gate);
    const provider = await administrator.newDirectory(receiver.url);
    const pull = await administrator.connectWorkspace(google);
    const before = await createUsers(provider, 'before', 5);
    await receiver.waitFor(5);
    expect(await pull()).toBe('succeeded');

    await proxy.cut();
    await eventually(async () => expect(await readyStatus(gate as SmallGate)).toBe(503));
    expect(await hasClaim()).toBe(false);
    await proxy.mend();
    await eventually(async () => expect(await readyStatus(gate as SmallGate)).toBe(200));
    await eventually(async () => expect(await hasClaim()).toBe(true));

    // The jobs of a new directory take the queue: no worker attends to it yet.
    const next = await administrator.newDirectory(`${receiver.url}/next`);
    const after = await createUsers(provider, 'after', 5);
    const ofNext = await createUsers(next, 'next', 5);
    await receiver.waitFor(15);
    const arrivedAt = (path: string) =>
      receiver.received.filter((webhook) => webhook.path === path).map(userOf);
    expect([arrivedAt('/'), arrivedAt('/next')]).toEqual([[...before, ...after], ofNext]);
    expect(await pull()).toBe('succeeded');
    expect(gate.process.process.exitCode).toBeNull();
    expect(gate.process.logs()).not.toMatch(/"level":(50|60)/);
  });
});

it('delivers after the next start what a slow endpoint did not answer before SIGTERM', async () => {
  receiver.respond(() => ({ answerBy: () => undefined }));
  const first = await openSmall(database, { SHUTDOWN_TIMEOUT: '2' });
  const provider = await new Administrator(first).newDirectory(receiver.url);
  const ids = await createUsers(provider, 'user', 5);
  await receiver.waitFor(1);
  await first.close();
  receiver.respond(() => ({}));
  gate = await openSmall(database);
  const isLastThere = (received: ReceivedWebhook[]) =>
    received.some((webhook) => userOf(webhook) === ids.at(-1));
  const received = await receiver.waitFor(isLastThere);
  expect([...new Set(received.map(userOf))]).toEqual(ids);
});

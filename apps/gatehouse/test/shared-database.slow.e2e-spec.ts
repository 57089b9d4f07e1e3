/** Several processes on one database: with Redis they are one installation, without it all but one are refused. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createTestDatabase,
  eventually,
  startWebhookReceiver,
  type TestDatabase,
  testRedis,
  type TestRedis,
  type WebhookReceiver,
} from '@gatehouse/testing';
import { openSmall, SETTINGS, type SmallGate } from './gate.js';
import { Administrator } from './visitor.js';

const REFUSED =
  /ended with code 1 before it was ready\n[^]*gatehouse could not start: another Gatehouse process uses this database; set REDIS_URL/;

let database: TestDatabase;
let redis: TestRedis;
let gates: SmallGate[];

beforeEach(async () => {
  database = await createTestDatabase();
  redis = testRedis();
  gates = [];
});
afterEach(async () => {
  await Promise.all(gates.map((gate) => gate.close()));
  await redis.cleanup();
  await database.drop();
});

async function open(settings: Record<string, string> = {}): Promise<SmallGate> {
  const gate = await openSmall(database, settings);
  gates.push(gate);
  return gate;
}

const withRedis = () => ({
  REDIS_URL: redis.urlOf('gatehouse'),
  REDIS_NAMESPACE: redis.namespace,
});

describe('without Redis', () => {
  it('a second process says why it does not start, and the first goes on', async () => {
    const administrator = new Administrator(await open());
    const { secret } = await administrator.issue();
    await expect(openSmall(database)).rejects.toThrow(REFUSED);
    expect(await administrator.verify(secret)).toMatchObject({ is_valid: true });
  });

  it('a process starts after another one has ended, also by SIGKILL', async () => {
    const { secret } = await new Administrator(await open()).issue();
    await gates.pop()?.process.kill();
    expect(await new Administrator(await open()).verify(secret)).toMatchObject({ is_valid: true });
    await gates.pop()?.close();
    expect(await new Administrator(await open()).verify(secret)).toMatchObject({ is_valid: true });
  });

  it('no process joins those with Redis, and none with Redis joins it', async () => {
    await open();
    await expect(openSmall(database, withRedis())).rejects.toThrow(REFUSED);
    await gates.pop()?.close();
    await open(withRedis());
    await expect(openSmall(database)).rejects.toThrow(REFUSED);
  });
});

describe('with Redis, two processes side by side', () => {
  let receiver: WebhookReceiver;
  let both: [Administrator, Administrator];

  beforeEach(async () => {
    receiver = await startWebhookReceiver();
    await open(withRedis());
    await open(withRedis());
    both = gates.map((gate) => new Administrator(gate)) as typeof both;
  });
  afterEach(() => receiver.close());

  it('both refuse a key as soon as it is revoked at one of them', async () => {
    const [one, other] = both;
    const { id, secret } = await one.issue();
    // Both have it in their caches.
    for (const administrator of [one, other, one, other]) {
      expect(await administrator.verify(secret)).toMatchObject({ is_valid: true });
    }
    await one.revoke(id);
    for (const administrator of both) {
      expect(await administrator.verify(secret)).toMatchObject({
        error_code: 'VERIFICATION_ERROR_REVOKED',
      });
    }
  });

  it('a limit counts the requests to both', async () => {
    const [one, other] = both;
    const { secret } = await one.issue({ rate_limit_policy: { quota: 7, window: '3600s' } });
    const verified = await Promise.all(
      Array.from({ length: 30 }, (_, n) => (n % 2 ? one : other).verify(secret)),
    );
    expect(verified.filter(({ is_valid: isValid }) => isValid)).toHaveLength(7);
  });

  it('changes of a directory that arrive at either are delivered once and in order', async () => {
    // Long enough for both to have work of the same directory at once.
    receiver.respond(() => ({ delayMs: 50 }));
    const provider = await both[0].newDirectory(receiver.url);
    const ids: string[] = [];
    for (let n = 0; n < 40; n += 1) {
      const gate = gates[n % 2] as SmallGate;
      ids.push(await provider.at(gate).createUser(`user-${n}@example.com`));
    }
    const received = await receiver.waitFor(ids.length);
    expect(received.map(({ body }) => JSON.parse(body).data.id)).toEqual(ids);
  });
});

it('a process that waits for another ends at once on SIGTERM, with 0', async () => {
  gates.push(await openSmall(database));
  const waiting = spawn(process.execPath, ['dist/bundles/gatehouse/main.js'], {
    env: { ...SETTINGS, DATABASE_URL: database.url, PORT: '0', ADMIN_PORT: '0', METRICS_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(waiting, 'exit');
  let printed = '';
  waiting.stdout.on('data', (text: Buffer) => (printed += text.toString()));
  await eventually(() => expect(printed).toContain('waiting for another process'));
  waiting.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

/** No service ends whatever a Redis sends, or what answers in its place, and all are back after it. */
import {
  eventually,
  HOSTILE_REPLIES,
  mixedReplies,
  orClose,
  startService,
  type ServiceProcess,
  type TcpProxy,
  tcpProxy,
  USELESS_REPLIES,
} from '@gatehouse/testing';
import { bearer } from './key-stack.js';
import { type GuardedServices, openGuardedServices, READ_PATHS } from './guarded-services.js';

/** Four services start. */
const START_LIMIT_MS = 300_000;

let way: TcpProxy;
let guarded: GuardedServices;
let worker: ServiceProcess;
let admin: string;

beforeAll(async () => {
  way = await tcpProxy(process.env.TEST_REDIS_URL ?? '');
  guarded = await orClose(way.close, () => openGuardedServices({ REDIS_URL: way.url }));
  worker = await orClose(guarded.close, () =>
    startService('dsync-worker', {
      DATABASE_URL: guarded.database.serviceUrl,
      REDIS_URL: way.url,
      REDIS_NAMESPACE: guarded.redis.namespace,
      ENCRYPTION_KEYS: 'encryption-key-of-the-tests-0123456789',
    }),
  );
  admin = (await guarded.issue(['dsync:admin'])).secret;
}, START_LIMIT_MS);
afterAll(async () => {
  await worker.stop();
  await guarded.close();
  await way.close();
});

const all = () => [...Object.values(guarded.services), worker];

/** Every process still runs and is ready, and a question over Redis is answered. */
async function expectAllBack(): Promise<void> {
  for (const service of all()) {
    await eventually(async () => {
      const { exitCode, signalCode } = service.process;
      expect([exitCode, signalCode]).toEqual([null, null]);
      expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    });
  }
  await eventually(async () => {
    const options = { headers: bearer(admin) };
    const { http } = guarded.services['dsync-api'];
    expect((await http.send('GET', READ_PATHS['dsync-api'], options)).status).toBe(200);
  });
}

it.each(Object.entries(HOSTILE_REPLIES))('a Redis that sends %s', async (_, text) => {
  way.inject(text);
  await expectAllBack();
});

it('an impostor at its address, whose first words cannot be read', async () => {
  await way.cut();
  way.impersonate(HOSTILE_REPLIES['an array of 100 billion elements'] as string);
  await way.mend();
  const before = way.accepted();
  await eventually(() => expect(way.accepted() - before).toBeGreaterThan(50));
  for (const { url } of all()) {
    expect((await fetch(`${url}/health/alive`)).status).toBe(200);
    expect((await fetch(`${url}/health/ready?exclude=redis`)).status).toBe(200);
  }
  await way.cut();
  way.impersonate('');
  await way.mend();
  await expectAllBack();
});

/** More than any service needs for replies of 8 MiB, on all of its connections. */
const RESIDENT_BYTES_MAX = 700 * 1024 * 1024;
const COMMANDS_SEEN = 200;

it.each(Object.entries(USELESS_REPLIES))(
  'a server that answers every command with %s',
  async (_, reply) => {
    await way.cut();
    way.answerWith(reply);
    await way.mend();
    const before = way.answered();
    await eventually(() => expect(way.answered() - before).toBeGreaterThan(COMMANDS_SEEN), {
      progress: way.answered,
    });
    for (const { url, metrics } of all()) {
      expect((await fetch(`${url}/health/alive`)).status).toBe(200);
      const [, bytes] = /^process_resident_memory_bytes (\S+)/m.exec(await metrics()) ?? [];
      expect(Number(bytes)).toBeLessThan(RESIDENT_BYTES_MAX);
    }
    await way.cut();
    way.answerWith(undefined);
    await way.mend();
    await expectAllBack();
  },
);

/** Long enough for two checks of each connection. */
const HEALED_MS_MAX = 60_000;

it.each([1, 2, 3])('a server that answers some commands with anything (seed %i)', async (seed) => {
  const mixed = mixedReplies(seed);
  way.alter(mixed.change);
  await eventually(() => expect(mixed.changed()).toBeGreaterThan(COMMANDS_SEEN), {
    progress: mixed.changed,
  });
  way.alter(undefined);
  await eventually(expectAllBack, { timeoutMs: HEALED_MS_MAX });
});

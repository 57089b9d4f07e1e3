/** Every process of every service is replaced under load, behind the gateway: no request fails. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AppName,
  eventually,
  freePort,
  openTestStack,
  startWebhookReceiver,
  type TestStack,
  type WebhookReceiver,
} from '@gatehouse/testing';
import { startTestGateway, type TestGateway } from './test-gateway.js';

const ADMIN_KEY = 'admin-key-of-the-rolling-restart';
const SETTINGS = {
  ADMIN_API_KEYS: ADMIN_KEY,
  API_KEYS: ADMIN_KEY,
  HMAC_SECRETS: 'hmac-secret-of-the-rolling-restart',
  ENCRYPTION_KEYS: 'encryption-key-of-the-rolling-restart',
  EXTERNAL_URL: 'https://sync.example.com',
  EXAMPLE_SCHEMA: 'true',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  DRAIN_TIME: '5',
};
/** At once, for each service. */
const CLIENTS = 4;

interface Service {
  app: AppName;
  stack: TestStack;
  replicas: { port: number; stop: () => Promise<number | null> }[];
}

let folder: string;
let gateway: TestGateway | undefined;
let receiver: WebhookReceiver;
const stacks: TestStack[] = [];
const services: Service[] = [];

async function startReplica({ app, stack }: Service, port: number) {
  const process = await stack.start(app, { PORT: String(port) });
  return { port, stop: () => process.stop() };
}

async function startService(app: AppName, stack: TestStack): Promise<Service> {
  const service: Service = { app, stack, replicas: [] };
  for (let n = 0; n < 2; n++) service.replicas.push(await startReplica(service, await freePort()));
  services.push(service);
  return service;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-rolling-'));
  receiver = await startWebhookReceiver();
  for (const app of ['key-service', 'dsync-api', 'identity-forms'] as const) {
    const stack = await openTestStack(app, { settings: SETTINGS, undescribed: /./ });
    stacks.push(stack);
    await startService(app, stack);
    if (app === 'dsync-api') await startService('dsync-worker', stack);
  }
});
afterAll(async () => {
  await gateway?.close();
  for (const stack of stacks) await stack.close();
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

const hostsOf = (app: AppName) =>
  services.find((each) => each.app === app)?.replicas.map(({ port }) => `127.0.0.1:${port}`) ?? [];

/** Stops each process, and starts another in its place, one of each service at a time. */
async function replaceAll(): Promise<(number | null)[]> {
  const codes: (number | null)[] = [];
  for (const n of [0, 1]) {
    await Promise.all(
      services.map(async (service) => {
        const old = service.replicas[n];
        if (!old) throw new Error('no replica');
        codes.push(await old.stop());
        service.replicas[n] = await startReplica(service, old.port);
      }),
    );
  }
  return codes;
}

it('loses no request and no event when every process is replaced', async () => {
  gateway = await startTestGateway(folder, {
    KEY_SERVICE: hostsOf('key-service'),
    DSYNC_API: hostsOf('dsync-api'),
    IDENTITY_FORMS: hostsOf('identity-forms'),
  });
  const { adminUrl: url } = gateway;
  const send = (path: string, body: string, type: string, credential = ADMIN_KEY) =>
    fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': type },
      body,
    });
  const created = await send(
    '/api/v1/dsync',
    JSON.stringify({ tenant: 't', product: 'p', webhook_url: receiver.url }),
    'application/json',
  );
  const { data } = (await created.json()) as {
    data: { scim: { path: string; secret: string } };
  };
  let names = 0;
  const requests: Record<string, () => Promise<Response>> = {
    key: () =>
      send('/v2alpha1/admin/issuedApiKeys', '{"name":"x","actor_id":"a"}', 'application/json'),
    user: () =>
      send(
        `${data.scim.path}/Users`,
        JSON.stringify({ userName: `user-${names++}` }),
        'application/scim+json',
        data.scim.secret,
      ),
    form: () =>
      send(
        '/v1/schemas/example/decode',
        'traits.name=Ada&traits.email=ada%40example.com',
        'application/x-www-form-urlencoded',
      ),
  };
  const outcomes: Record<string, number[]> = { key: [], user: [], form: [] };
  let isOver = false;
  const client = async (kind: string) => {
    while (!isOver) {
      const answer = await requests[kind]?.();
      await answer?.text();
      outcomes[kind]?.push(answer?.status ?? 0);
    }
  };
  const clients = Object.keys(requests).flatMap((kind) =>
    Array.from({ length: CLIENTS }, () => client(kind)),
  );
  const more = (count: number) => {
    const wanted = Object.values(outcomes).map((list) => list.length + count);
    return eventually(() => {
      for (const [n, list] of Object.values(outcomes).entries()) {
        expect(list.length).toBeGreaterThan(wanted[n] ?? 0);
      }
    });
  };
  await more(50);
  const codes = await replaceAll();
  await more(50);
  isOver = true;
  await Promise.all(clients);
  expect(codes).toEqual(Array(8).fill(0));
  const failed = Object.entries(outcomes).map(([kind, list]) => [
    kind,
    list.filter((status) => status >= 300),
  ]);
  expect(failed).toEqual([
    ['key', []],
    ['user', []],
    ['form', []],
  ]);
  const users = outcomes['user']?.length ?? 0;
  await receiver.waitFor((received) => {
    const ids = new Set(received.map(({ headers }) => headers['webhook-id']));
    return ids.size >= users;
  }, 60_000);
}, 300_000);

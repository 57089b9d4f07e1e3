/** The gateway in front of real services: uploads of callers who are not let in, and hostile requests. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AppName, eventually, openTestStack, type TestStack } from '@gatehouse/testing';
import { hostileRequests } from './hostile-requests.js';
import { startTestGateway, type TestGateway } from './test-gateway.js';

const ADMIN_KEY = 'admin-key-of-the-gateway-tests';
const SETTINGS = {
  ADMIN_API_KEYS: ADMIN_KEY,
  API_KEYS: ADMIN_KEY,
  HMAC_SECRETS: 'hmac-secret-of-the-gateway-tests',
  ENCRYPTION_KEYS: 'encryption-key-of-the-gateway-tests',
  EXTERNAL_URL: 'https://sync.example.com',
  EXAMPLE_SCHEMA: 'true',
  CLIENT_IP_SOURCE: 'x-real-ip',
  TRUSTED_PROXIES: '127.0.0.1/32',
};
const APPS = ['key-service', 'dsync-api', 'identity-forms'] as const;
const UPLOADS = 100;
const UPLOAD_BYTES = 2_500_000;
/** Requests at once. */
const CLIENTS = 16;
const ANSWER_TIMEOUT_MS = 1_000;

let folder: string;
let gateway: TestGateway;
const stacks: TestStack[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-gateway-'));
  const hosts = new Map<AppName, string>();
  for (const app of APPS) {
    const stack = await openTestStack(app, { settings: SETTINGS, undescribed: /./ });
    stacks.push(stack);
    hosts.set(app, new URL((await stack.start(app)).url).host);
  }
  gateway = await startTestGateway(folder, {
    KEY_SERVICE: hosts.get('key-service') ?? '',
    DSYNC_API: hosts.get('dsync-api') ?? '',
    IDENTITY_FORMS: hosts.get('identity-forms') ?? '',
  });
});
afterAll(async () => {
  await gateway.close();
  for (const stack of stacks) await stack.close();
  rmSync(folder, { recursive: true, force: true });
});

const publicPort = () => Number(new URL(gateway.url).port);

async function newDirectory(): Promise<{ path: string; secret: string }> {
  const answer = await fetch(`${gateway.adminUrl}/api/v1/dsync`, {
    method: 'POST',
    headers: { authorization: `Api-Key ${ADMIN_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tenant: 't', product: 'p' }),
  });
  const { data } = (await answer.json()) as { data: { scim: { path: string; secret: string } } };
  return data.scim;
}

it.each(APPS)(
  'the description of %s says where the admin surface serves its paths',
  async (app) => {
    interface Description {
      paths: Record<string, { servers?: { url: string }[] }>;
    }
    const address = `${gateway.adminUrl}/${app}/openapi.json`;
    const { paths } = (await (await fetch(address)).json()) as Description;
    const moved = Object.entries(paths).flatMap(([path, { servers = [] }]) =>
      servers.map(({ url }) => url + path),
    );
    expect(moved).toHaveLength(5);
    for (const path of moved) {
      expect([path, (await fetch(new URL(path, address))).status]).toEqual([path, 200]);
    }
  },
);

it('a hundred slow uploads without a credential are refused at once, and hold nothing', async () => {
  const { path, secret } = await newDirectory();
  const before = residentKilobytes(gateway.pid);
  const uploads: { socket: Socket; answer: string }[] = Array.from({ length: UPLOADS }, () => {
    const upload = { socket: connect(publicPort(), '127.0.0.1'), answer: '' };
    upload.socket.setEncoding('utf8').on('error', () => undefined);
    upload.socket.on('data', (chunk: string) => (upload.answer += chunk));
    upload.socket.write(
      `POST ${path}/Bulk HTTP/1.1\r\nHost: x\r\nContent-Type: application/scim+json\r\n` +
        `Content-Length: ${UPLOAD_BYTES}\r\n\r\n${'x'.repeat(30_000)}`,
    );
    return upload;
  });
  try {
    const create = (n: number) =>
      fetch(`${gateway.url}${path}/Users`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/scim+json' },
        body: JSON.stringify({ userName: `user-${n}` }),
      });
    for (let n = 0; n < 30; n++) expect((await create(n)).status).toBe(201);
    await eventually(() => {
      for (const { answer } of uploads) expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    });
    expect(readdirSync(join(folder, 'client-body'), { recursive: true })).toEqual([]);
    expect(residentKilobytes(gateway.pid) - before).toBeLessThan(UPLOADS * 200);
  } finally {
    for (const { socket } of uploads) socket.destroy();
  }
});

it('hostile requests get a 4xx or nothing, and reach no admin route', async () => {
  const { path, secret } = await newDirectory();
  const before = await routesServed();
  const credentials = `Authorization: Bearer ${ADMIN_KEY}\r\nX-Admin-Authorization: Bearer ${ADMIN_KEY}\r\n`;
  const requests = hostileRequests({ credentials, scimPath: path, scimSecret: secret });
  const faults: string[] = [];
  let answers = 0;
  const next = requests[Symbol.iterator]();
  const client = async () => {
    for (let step = next.next(); !step.done; step = next.next()) {
      const answer = await exchange(step.value);
      const statuses = [...answer.matchAll(/^HTTP\/1\.[01] (\d{3})/gm)].map(([, status]) => status);
      answers += statuses.length;
      const isBad = statuses.some((status) => Number(status) >= 500);
      if (isBad || /<center>nginx|<center><h1>/.test(answer)) {
        faults.push(`${JSON.stringify(step.value.slice(0, 300))} -> ${answer.slice(0, 300)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  expect(faults).toEqual([]);
  expect(answers).toBeGreaterThan(1_000);
  const served = (await routesServed()).filter((route) => !before.includes(route));
  expect(served.filter((route) => !isPublic(route))).toEqual([]);
  expect(gateway.log()).not.toMatch(/\[(?:alert|crit|emerg)\]/);
  expect((await fetch(`${gateway.url}/sign-up?schema=example`)).status).toBe(200);
}, 180_000);

/** Sends these bytes, and resolves to what comes back until the end, or until nothing more does. */
function exchange(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(publicPort(), '127.0.0.1', () => socket.write(bytes, 'latin1'));
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy());
    socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk));
    socket.on('error', () => undefined).on('close', () => resolve(received));
  });
}

const isPublic = (route: string) =>
  /^(?:\/api\/scim\/|\/setup\/|\/flows\/|\/assets\/|\/sign-up$|\/v2alpha1\/(?:derivedKeys\/|apiKeys::?self))/.test(
    route,
  ) || !route.startsWith('/');

/** The templates of the routes that have answered so far, as the services count them. */
async function routesServed(): Promise<string[]> {
  const processes = stacks.flatMap(({ services }) => services);
  const metrics = await Promise.all(processes.map((each) => each.metrics()));
  const lines = metrics
    .join('\n')
    .matchAll(/^http_request_duration_seconds_count\{.*route="([^"]*)"/gm);
  return [...new Set([...lines].map(([, route = '']) => route))];
}

/** Resident memory of a process and its children. */
function residentKilobytes(pid: number): number {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,rss='], { encoding: 'utf8' });
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const own = rows.filter(([id, parent]) => id === pid || parent === pid);
  return own.reduce((sum, [, , kilobytes = 0]) => sum + kilobytes, 0);
}

/** Services that start before PostgreSQL answers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  type AppName,
  CONTROL_PLANE,
  eventually,
  freePort,
  openTestStack,
  type TcpProxy,
  tcpProxy,
  type TestStack,
} from '@gatehouse/testing';

const SETTINGS = {
  ADMIN_API_KEYS: 'admin-key-of-the-late-database',
  API_KEYS: 'an-api-key-of-the-late-database',
  HMAC_SECRETS: 'hmac-secret-of-the-late-database',
  ENCRYPTION_KEYS: 'encryption-key-of-the-late-database',
  EXTERNAL_URL: 'https://sync.example.com',
};

let stack: TestStack;
let proxy: TcpProxy;

beforeEach(async () => {
  stack = await openTestStack('dsync-api', { settings: SETTINGS });
  proxy = await tcpProxy(stack.database.serviceUrl);
  await proxy.cut();
});
afterEach(async () => {
  await proxy.close();
  await stack.close();
});

async function answersOf(url: string): Promise<Record<string, number>> {
  const paths = ['/health/alive', '/health/ready', '/version', '/'];
  const statuses = paths.map(async (path) => [path, (await fetch(url + path)).status] as const);
  return Object.fromEntries(await Promise.all(statuses));
}

it.each<AppName>(['dsync-api', 'dsync-worker'])(
  '%s is alive and not ready until PostgreSQL answers, and then serves',
  async (app) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const started = stack.start(app, { DATABASE_URL: proxy.url, PORT: String(port) });
    await eventually(async () => {
      expect(await answersOf(url)).toEqual({
        '/health/alive': 200,
        '/health/ready': 503,
        '/version': 503,
        '/': 503,
      });
    });
    const { headers } = await fetch(`${url}/anything`);
    expect([headers.get('retry-after'), headers.get('x-content-type-options')]).toEqual([
      '1',
      'nosniff',
    ]);
    await proxy.mend();
    const service = await started;
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect(service.logs()).toContain('"msg":"waiting for PostgreSQL"');
  },
);

it('a signal ends a service that waits', async () => {
  const port = await freePort();
  const { url: REDIS_URL } = stack.redis;
  const child = spawn(process.execPath, ['dist/bundles/dsync-api/main.js'], {
    env: { ...CONTROL_PLANE, ...SETTINGS, DATABASE_URL: proxy.url, REDIS_URL, PORT: String(port) },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  await eventually(async () => {
    expect((await fetch(`http://127.0.0.1:${port}/health/alive`)).status).toBe(200);
  });
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

/** A rolling restart of two replicas behind the gateway, as its clients see it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  eventually,
  freePort,
  openTestStack,
  type ServiceProcess,
  type TestStack,
} from '@gatehouse/testing';
import { fillTemplate } from './gateway.mjs';
import { workspace } from './layout.mjs';

const CLIENTS = 12;
const ADMIN_KEY = 'admin-key-of-the-rolling-restart';
const SETTINGS = {
  ADMIN_API_KEYS: ADMIN_KEY,
  HMAC_SECRETS: 'hmac-secret-of-the-rolling-restart',
  ENCRYPTION_KEYS: 'encryption-key-of-the-rolling-restart',
  DRAIN_TIME: '5',
};

let stack: TestStack;
let folder: string;
let nginx: ChildProcess | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-restart-'));
  stack = await openTestStack('key-service', { settings: SETTINGS });
});
afterAll(async () => {
  if (nginx !== undefined) {
    const stopped = once(nginx, 'exit');
    nginx.kill('SIGTERM');
    await stopped;
  }
  await stack.close();
  rmSync(folder, { recursive: true, force: true });
});

const hostOf = ({ url }: ServiceProcess) => new URL(url).host;

/** Starts the gateway with both replicas as servers of the key service. */
async function startGateway(replicas: ServiceProcess[]): Promise<string> {
  const port = await freePort();
  const template = readFileSync(join(workspace, 'deploy/gateway/nginx.conf.template'), 'utf8');
  const servers = replicas.map((replica) => `server ${hostOf(replica)};`).join(' ');
  const configuration = fillTemplate(template.replace('server ${KEY_SERVICE};', servers), {
    GATEWAY_PORT: `127.0.0.1:${port}`,
    DSYNC_API: '127.0.0.1:1',
    IDENTITY_FORMS: '127.0.0.1:1',
    RUN_DIR: '.',
  });
  writeFileSync(join(folder, 'nginx.conf'), configuration);
  const asRoot = process.getuid?.() === 0 ? ['-g', 'user root;'] : [];
  const args = ['-p', `${folder}/`, '-e', 'stderr', '-c', 'nginx.conf', ...asRoot];
  nginx = spawn(process.env.NGINX_PATH ?? 'nginx', args, { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => expect((await fetch(`${url}/health`)).status).toBe(200));
  return url;
}

it('loses no request', async () => {
  const replicas = [await stack.start('key-service'), await stack.start('key-service')];
  const gateway = await startGateway(replicas);
  const outcomes: unknown[] = [];
  let isOver = false;
  const client = async () => {
    while (!isOver) {
      const answer = await fetch(`${gateway}/v2alpha1/admin/issuedApiKeys`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
        body: '{"name":"x","actor_id":"a"}',
      });
      await answer.text();
      outcomes.push(answer.status);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  const more = (count: number) => {
    const before = outcomes.length;
    return eventually(() => expect(outcomes.length).toBeGreaterThan(before + count));
  };
  await more(100);
  expect(await replicas[0]?.stop()).toBe(0);
  await more(100);
  isOver = true;
  await Promise.all(clients);
  expect(outcomes.filter((status) => status !== 201)).toEqual([]);
}, 90_000);

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateWebhookSecret, webhookKeys } from '@gatehouse/crypto';
import { eventually } from '@gatehouse/testing';
import { webhookHeaders } from '../src/signing/webhook-headers.js';

const secret = generateWebhookSecret();
const newSecret = generateWebhookSecret();

let folder: string;
let program: ChildProcess;
let printed: string;
let url: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-receiver-'));
  printed = '';
  await start();
});

afterEach(async () => {
  await stop('SIGTERM');
  await rm(folder, { recursive: true });
});

it('the example receiver processes single events and batches in order, each once', async () => {
  expect(await post(userEvent(1))).toBe(204);
  expect(await post(userEvent(1))).toBe(204);
  expect(await post([userEvent(1), userEvent(2), userEvent(3)])).toBe(204);
  expect(await post([userEvent(4)], [newSecret, secret])).toBe(204);
  await processed(1, 2, 3, 4);
});

it('the example receiver answers a ping and processes nothing', async () => {
  expect(await post({ event: 'webhook.ping', data: {}, id: 'ping' })).toBe(204);
  expect(await post(userEvent(1))).toBe(204);
  await processed(1);
});

it('the example receiver refuses wrong, altered, old and missing signatures', async () => {
  const body = JSON.stringify(userEvent(1));
  const now = Date.now();
  const refused = [
    { body, headers: webhookHeaders('m', body, [webhookKeys(newSecret)]) },
    { body: `${body} `, headers: webhookHeaders('m', body, [webhookKeys(secret)]) },
    { body, headers: webhookHeaders('m', body, [webhookKeys(secret)], now - 400_000) },
    { body, headers: {} },
  ];
  for (const request of refused) {
    expect((await fetch(url, { method: 'POST', ...request })).status).toBe(401);
  }
  expect(await post(userEvent(2))).toBe(204);
  await processed(2);
});

it('the example receiver processes after a crash what it had accepted, and no event twice', async () => {
  expect(await post([userEvent(1), userEvent(2)])).toBe(204);
  await processed(1, 2);
  await stop('SIGKILL');
  await appendFile(inboxFile(), `${JSON.stringify({ event: userEvent(3) })}\n`);
  await start();
  expect(await post([userEvent(2), userEvent(3), userEvent(4)])).toBe(204);
  await processed(1, 2, 3, 4);
});

function inboxFile(): string {
  return join(folder, 'inbox.jsonl');
}

async function start(): Promise<void> {
  program = spawn(process.execPath, ['examples/webhook-receiver.mjs'], {
    env: { WEBHOOK_SECRET: secret, INBOX_FILE: inboxFile() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [program.stdout, program.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      printed += chunk.toString();
    });
  }
  url = await eventually(
    () => {
      const [, port] = /listening on (\d+)/.exec(output) ?? [];
      if (port === undefined) throw new Error(output);
      return `http://127.0.0.1:${port}`;
    },
    { timeoutMs: 20_000 },
  );
}

async function stop(signal: NodeJS.Signals): Promise<void> {
  const exited = once(program, 'exit');
  program.kill(signal);
  await exited;
}

function userEvent(sequence: number) {
  const data = { email: 'ann@example.com' };
  return { event: 'user.created', data, id: `event-${sequence}`, sequence };
}

async function post(payload: object, secrets = [secret]): Promise<number> {
  const body = JSON.stringify(payload);
  const headers = webhookHeaders('message', body, secrets.map(webhookKeys));
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

async function processed(...sequences: number[]): Promise<void> {
  await eventually(() => {
    const found = [...printed.matchAll(/^(\d+) user\.created ann@example\.com$/gm)];
    expect(found.map(([, sequence]) => Number(sequence))).toEqual(sequences);
  });
}

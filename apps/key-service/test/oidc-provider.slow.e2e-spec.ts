/** Token exchange with `oidc-provider` as the issuer, by the program and requests of docs/token-exchange.md. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, freePort } from '@gatehouse/testing';
import { workspace } from '#local-stack/layout.mjs';
import { exchange, EXCHANGE_SETTINGS, trust } from './exchanges.js';
import { type KeyServiceStack, startKeyService } from './key-stack.js';
import { AUDIENCE } from './test-issuer.js';

const PROGRAM = join(workspace, '.local', 'issuer-of-the-page.mjs');

let service: KeyServiceStack;
let issuer: string;
let running: ChildProcess;
beforeAll(async () => {
  const page = readFileSync(join(workspace, 'docs/token-exchange.md'), 'utf8');
  const [, program = ''] = /```js\n(import Provider.*?)```/s.exec(page) ?? [];
  writeFileSync(PROGRAM, program);
  const port = await freePort();
  issuer = `http://127.0.0.1:${port}`;
  const env = { ...process.env, PORT: String(port) };
  running = spawn(process.execPath, [PROGRAM], { env, stdio: 'ignore' });
  await eventually(() => fetch(issuer));
  service = await startKeyService(EXCHANGE_SETTINGS);
});
afterAll(async () => {
  await service.close();
  running.kill();
  await once(running, 'exit');
  rmSync(PROGRAM);
});

const tokenFor = async (resource: string) => {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('ci:a-secret-of-the-client')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
};

it('a token of the issuer is exchanged, once', async () => {
  const rule = await trust(service, issuer, { subject_pattern: 'ci', single_use: true });
  const token = await tokenFor(AUDIENCE);
  const { status, body } = await exchange(service, token);
  expect(status).toBe(200);
  const verified = await service.verify(body.access_token as string);
  expect(verified.body).toMatchObject({ is_valid: true, key_id: rule.key_id });
  expect((await exchange(service, token)).body.error).toBe('invalid_grant');
  const elsewhere = await exchange(service, await tokenFor('https://other.example.com'));
  expect(elsewhere.body.error).toBe('invalid_grant');
});

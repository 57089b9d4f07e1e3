/** A rolling restart of two replicas behind the gateway, as its clients see it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, openTestStack, type ServiceProcess, type TestStack } from '@gatehouse/testing';
import { startTestGateway, type TestGateway } from './test-gateway.js';

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
let gateway: TestGateway | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-restart-'));
  stack = await openTestStack('key-service', { settings: SETTINGS });
});
afterAll(async () => {
  await gateway?.close();
  await stack.close();
  rmSync(folder, { recursive: true, force: true });
});

const hostOf = ({ url }: ServiceProcess) => new URL(url).host;

it('loses no request', async () => {
  const replicas = [await stack.start('key-service'), await stack.start('key-service')];
  gateway = await startTestGateway(folder, { KEY_SERVICE: replicas.map(hostOf) });
  const { adminUrl: url } = gateway;
  const outcomes: unknown[] = [];
  let isOver = false;
  const client = async () => {
    while (!isOver) {
      const answer = await fetch(`${url}/v2alpha1/admin/issuedApiKeys`, {
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

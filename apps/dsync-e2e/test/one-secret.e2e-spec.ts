/** Services that derive the keys that they share from GATEHOUSE_SECRET. */
import { KeyRing } from '@gatehouse/crypto';
import { Derived } from '@gatehouse/kit/settings';
import * as testing from '@gatehouse/testing';
import { Webhook } from 'standardwebhooks';
import { manage, openSyncStack, type Service } from './sync-stack.js';

const ADMIN_KEY = 'an-admin-key-of-the-key-service-01';
const SECRET = 'a-gatehouse-secret-of-the-tests-0123456789';
const NEXT_SECRET = 'the-next-gatehouse-secret-0123456789';
const RINGS = {
  ENCRYPTION_KEYS: '',
  HMAC_SECRETS: '',
  MESSAGE_KEYS: '',
  VERDICT_SIGNING_KEY: '',
  VERDICT_PUBLIC_KEYS: '',
};

let stack: testing.TestStack;
let api: Service;
let keys: Service;
let receiver: testing.WebhookReceiver;

beforeAll(async () => {
  receiver = await testing.startWebhookReceiver();
  stack = await openSyncStack({
    settings: { ...RINGS, ADMIN_API_KEYS: ADMIN_KEY, GATEHOUSE_SECRET: SECRET },
  });
  // No log may contain what is derived.
  const ring = KeyRing.fromTexts([SECRET]);
  for (const [setting, derive] of Object.entries(Derived)) {
    if (setting === 'VERDICT_PUBLIC_KEYS') continue;
    for (const secret of [derive(ring)].flat()) stack.secrets.add(secret);
  }
  await testing.runMigrations('key-service', stack.database.url);
  api = await stack.start('dsync-api');
  keys = await stack.start('key-service');
  await stack.start('dsync-worker', { KEYS_DATABASE_URL: stack.database.serviceUrl });
});

afterAll(async () => {
  await stack.close();
  await receiver.close();
});

const ask = async ({ http }: Service, path: string, json: object) => {
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const answer = await http.send('POST', `/v2alpha1/admin${path}`, { headers, json });
  if (answer.status >= 300) throw new Error(answer.text);
  return answer.body;
};

const issue = async (scopes: string[]) => {
  const key = { name: 'operator', actor_id: 'operator', scopes };
  return (await ask(keys, '/issuedApiKeys', key)).secret as string;
};

it('accepts at one service what an administrator of another may do', async () => {
  const authorization = `Api-Key ${await issue(['dsync:admin'])}`;
  await testing.eventually(async () => {
    expect((await manage(api, 'GET', '', undefined, { authorization })).status).toBe(200);
  });
});

it('signs the webhooks of another service with the secret of its endpoint', async () => {
  const endpoint = await ask(keys, '/webhook-endpoints', { url: receiver.url });
  await issue([]);
  const [{ body, headers }] = (await receiver.waitFor(1)) as [testing.ReceivedWebhook];
  expect(() =>
    new Webhook(endpoint.secret as string).verify(body, headers as Record<string, string>),
  ).not.toThrow();
});

it('reads under a new secret what was stored under the one before', async () => {
  const credential = await issue([]);
  const { token: derived } = await ask(keys, '/apiKeys:derive', { credential });
  const rotated = await stack.start('key-service', {
    GATEHOUSE_SECRET: `${NEXT_SECRET},${SECRET}`,
  });
  for (const each of [credential, derived.token as string]) {
    const found = await ask(rotated, '/apiKeys:verify', { credential: each });
    expect(found).toMatchObject({ is_valid: true, actor_id: 'operator' });
  }
});

it('refuses to start with a secret that is too short', async () => {
  await expect(stack.start('key-service', { GATEHOUSE_SECRET: 'short' })).rejects.toThrow(
    /GATEHOUSE_SECRET: must list one or more different secrets of at least 32 characters/,
  );
});

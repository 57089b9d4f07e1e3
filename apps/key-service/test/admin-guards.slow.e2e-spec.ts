/** Administrator credentials: one table against the guard of each service. */
import { IssuedSecretCodec, KeyRing } from '@gatehouse/crypto';
import { eventually } from '@gatehouse/testing';
import { Client } from 'pg';
import {
  ACTOR,
  GUARDED_APPS,
  type GuardedApp,
  type GuardedServices,
  openGuardedServices,
  PREFIXES,
  READ_PATHS,
  STATIC_KEYS,
} from './guarded-services.js';
import { bearer, HMAC_SECRET } from './key-stack.js';

type Statuses = readonly [read: number, write: number];

let guarded: GuardedServices;
beforeAll(async () => {
  guarded = await openGuardedServices();
});
afterAll(() => guarded.close());

const issue: GuardedServices['issue'] = (...args) => guarded.issue(...args);

async function derive(scopes: string[], algorithm: string): Promise<string> {
  const { secret: credential } = await issue(scopes);
  const { token } = await guarded.keysAdmin('POST', '/apiKeys:derive', { credential, algorithm });
  return token.token;
}

/** Puts scopes on a key as no administrator can: directly into the database. */
async function plant(keyId: string, scopes: string[]): Promise<void> {
  const client = new Client(guarded.database.url);
  await client.connect();
  await client.query('UPDATE keys.api_keys SET scopes = $2 WHERE key_id = $1', [keyId, scopes]);
  await client.end();
}

async function plantedPublicKey(scopes: string[]): Promise<string> {
  const { id, secret } = await issue([], { visibility: 'KEY_VISIBILITY_PUBLIC' });
  await plant(id, scopes);
  return secret;
}

async function plantedImportedKey(scopes: string[]): Promise<string> {
  const rawKey = `imported-${Math.random()}`;
  const fields = { raw_key: rawKey, name: 'Guard', actor_id: ACTOR };
  const { key_id: keyId } = await guarded.keysAdmin('POST', '/importedApiKeys', fields);
  await plant(keyId, scopes);
  return rawKey;
}

async function revoked(scopes: string[]): Promise<string> {
  const { id, secret } = await issue(scopes);
  await guarded.keysAdmin('POST', `/apiKeys/${id}:revoke`, {});
  return secret;
}

const WRITE: Record<GuardedApp, string> = {
  'key-service': '/v2alpha1/admin/issuedApiKeys',
  'dsync-api': '/api/v1/dsync',
  'identity-forms': '/v1/schemas',
};

/** The statuses of a read and of a write that is only refused because its body is empty. */
async function statusesOf(app: GuardedApp, credential: string | undefined): Promise<Statuses> {
  const headers = credential === undefined ? {} : bearer(credential);
  const { http } = guarded.services[app];
  const read = await http.send('GET', READ_PATHS[app], { headers });
  const write = await http.send('POST', WRITE[app], { headers, json: {} });
  return [read.status, write.status];
}

const ADMITTED: Statuses = [200, 400];
const READER: Statuses = [200, 403];
const FORBIDDEN: Statuses = [403, 403];
const UNKNOWN: Statuses = [401, 401];

const other = (app: GuardedApp): string => (app === 'dsync-api' ? 'forms:admin' : 'dsync:admin');

const CASES: [
  string,
  (app: GuardedApp) => Promise<string | undefined> | string | undefined,
  Statuses,
][] = [
  ['no credential', () => undefined, UNKNOWN],
  ['the static key', (app) => STATIC_KEYS[app], ADMITTED],
  [
    'the static key of another service',
    (app) => STATIC_KEYS[app === 'dsync-api' ? 'identity-forms' : 'dsync-api'],
    UNKNOWN,
  ],
  ['an issued admin', async (app) => (await issue([`${PREFIXES[app]}:admin`])).secret, ADMITTED],
  ['an issued reader', async (app) => (await issue([`${PREFIXES[app]}:read`])).secret, READER],
  ['an issued admin of another', async (app) => (await issue([other(app)])).secret, FORBIDDEN],
  ['an issued key without control scopes', async () => (await issue(['x'])).secret, FORBIDDEN],
  ['a public key', (app) => plantedPublicKey([`${PREFIXES[app]}:admin`]), UNKNOWN],
  ['an imported key', (app) => plantedImportedKey([`${PREFIXES[app]}:admin`]), UNKNOWN],
  [
    'a JWT of an admin',
    (app) => derive([`${PREFIXES[app]}:admin`], 'TOKEN_ALGORITHM_JWT'),
    UNKNOWN,
  ],
  [
    'a macaroon of an admin',
    (app) => derive([`${PREFIXES[app]}:admin`], 'TOKEN_ALGORITHM_MACAROON'),
    UNKNOWN,
  ],
  ['a revoked admin', (app) => revoked([`${PREFIXES[app]}:admin`]), UNKNOWN],
  ['junk', () => 'junk', UNKNOWN],
  [
    'a secret that was never issued',
    () => new IssuedSecretCodec(KeyRing.fromTexts([HMAC_SECRET])).issue('gate_sk', UNUSED_ID),
    UNKNOWN,
  ],
];
const UNUSED_ID = '01900000-0000-7000-8000-000000000000';

describe.each(GUARDED_APPS)('the guard of %s', (app) => {
  it.each(CASES)('%s', async (_, credentialFor, expected) => {
    const credential = await credentialFor(app);
    await eventually(async () => expect(await statusesOf(app, credential)).toEqual(expected));
  });
});

it('a reader of identity forms sees no stored secret, an administrator does', async () => {
  const { http } = guarded.services['identity-forms'];
  const call = async (credential: string, method: string, path: string, json?: object) => {
    const headers = bearer(credential);
    return http.send(method, `/v1/${path}`, { headers, json });
  };
  const owner = STATIC_KEYS['identity-forms'];
  const properties = { name: { type: 'string' }, pin: { type: 'string', writeOnly: true } };
  const traits = { type: 'object', properties };
  const schema = { type: 'object', properties: { traits } };
  expect((await call(owner, 'POST', 'schemas', { id: 'pins', schema })).status).toBe(201);
  const made = await call(owner, 'POST', 'identities', {
    schema_id: 'pins',
    traits: { name: 'Ada', pin: 'pin-of-ada-98765' },
  });
  expect(made.status).toBe(201);
  const reader = (await issue(['forms:read'])).secret;
  const admin = (await issue(['forms:admin'])).secret;
  for (const path of ['identities', `identities/${made.body.id}`]) {
    await eventually(async () => expect((await call(reader, 'GET', path)).text).toContain('Ada'));
    expect((await call(reader, 'GET', path)).text).not.toContain('pin-of-ada');
    const seen = await call(admin, 'GET', path);
    expect(seen.text).toContain('pin-of-ada');
    expect(seen.headers.get('cache-control')).toBe('no-store');
  }
  const merge = `schemas/pins/decode?merge=${made.body.id}`;
  expect((await call(reader, 'GET', merge)).status).toBe(403);
  expect((await call(admin, 'GET', merge)).text).toContain('pin-of-ada');
});

it('a reader of directory sync sees no stored secret, an administrator does', async () => {
  const { http } = guarded.services['dsync-api'];
  const json = { tenant: 'secrets', product: 'p', webhook_url: 'https://example.com/hook' };
  const made = await http.send('POST', '/api/v1/dsync', {
    headers: bearer(STATIC_KEYS['dsync-api']),
    json,
  });
  const { id, scim, webhook } = made.body.data;
  const reader = (await issue(['dsync:read'])).secret;
  const admin = (await issue(['dsync:admin'])).secret;
  for (const path of ['?tenant=secrets&product=p', '/product?product=p', '', `/${id}`]) {
    const seenBy = async (credential: string) =>
      (await http.send('GET', `/api/v1/dsync${path}`, { headers: bearer(credential) })).text;
    await eventually(async () => expect(await seenBy(reader)).toContain(id));
    for (const secret of [scim.secret, webhook.secret]) {
      expect(await seenBy(admin)).toContain(secret);
      expect(await seenBy(reader)).not.toContain(secret);
    }
  }
});

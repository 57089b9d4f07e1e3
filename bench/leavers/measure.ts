/**
 * Times how long keys work after their person has left: one by one, and while a run removes 100,000 people
 * of another tenant.
 */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { type FakeGoogle, startFakeGoogle } from '@gatehouse/testing';
import { Client } from 'pg';
import { API_KEY, DSYNC_ENV } from '../directory.js';
import { once, service } from '../runner/define.js';
import { startServer } from '../runner/servers.js';
import { type BenchContext } from '../runner/types.js';
import { SETTINGS } from '../start/settings.js';

const PEOPLE = 500;
const LEAVERS = 100_000;
/** The provider still lists some: an empty listing is never believed. */
const STAYING = 10;
const POLL_MS = 100;
const PRODUCT = 'bench';

interface Results {
  medianMs: number;
  p99Ms: number;
  /** From the approval of the run to the last key, and from its end. */
  removalSeconds: number;
  drainSeconds: number;
  neighborP99Ms: number;
}

type App = 'dsync-api' | 'dsync-worker' | 'key-service';

export const results = once(measure);

async function measure(context: BenchContext): Promise<Results> {
  const google = await startFakeGoogle({ users: LEAVERS + STAYING, groups: 0 });
  context.onClose(() => google.close());
  const databaseUrl = await context.databaseUrl('leavers');
  for (const app of ['dsync-api', 'key-service'] as const) await context.migrate(app, databaseUrl);
  const start = (app: App, label: string = app) => {
    const env = () => ({
      ...SETTINGS[app],
      ...(app !== 'key-service' && { ...DSYNC_ENV, ...google.settings }),
      DATABASE_URL: databaseUrl,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      WORKSPACE_REQUESTS_PER_SECOND: '1000',
      WORKSPACE_SYNC_CRON: 'never',
    });
    const prepare = () => ({ requests: [], check: () => undefined });
    return startServer(service(app, { env, prepare }), context, { label: `leavers ${label}` });
  };
  const api = await start('dsync-api');
  await start('dsync-worker');
  const replicas = [await start('key-service'), await start('key-service', 'replica')];
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  context.onClose(() => database.end());
  const system = { api: api.url, keys: replicas.map(({ url }) => url) };

  context.log('one deactivation after another');
  const quiet = await linkedDirectory(system.api, 'quiet');
  const alone = await timesOf(system, quiet, (done) => done === PEOPLE);

  context.log(`${LEAVERS} people with a key each`);
  const large = await populate(system.api, google, database);
  const run = await held(system.api, google, large);
  context.log('their removal');
  const startedAt = performance.now();
  const secondsSince = () => (performance.now() - startedAt) / 1_000;
  await manage(system.api, 'POST', `/${large}/runs/${run}/approve`);
  let isDrained = false;
  const ended = until(async () => (await stateOf(system.api, large, run)) === 'succeeded').then(
    secondsSince,
  );
  const drained = until(() => countIs(database, PAUSED_KEYS, LEAVERS)).then(() => {
    isDrained = true;
    return secondsSince();
  });
  const meanwhile = await timesOf(system, quiet, () => isDrained);
  const removalSeconds = await drained;
  return {
    medianMs: percentile(alone, 50),
    p99Ms: percentile(alone, 99),
    removalSeconds,
    drainSeconds: Math.max(0, removalSeconds - (await ended)),
    neighborP99Ms: percentile(meanwhile, 99),
  };
}

interface System {
  api: string;
  keys: readonly string[];
}

interface ScimDirectory {
  tenant: string;
  url: string;
  headers: Record<string, string>;
}

/** A SCIM directory whose user names, behind its tenant, are the actors of keys. */
async function linkedDirectory(api: string, tenant: string): Promise<ScimDirectory> {
  await link(api, tenant);
  const directory = { tenant, product: PRODUCT, type: 'okta-scim-v2' };
  const { scim } = await manage<{ scim: { path: string; secret: string } }>(
    api,
    'POST',
    '',
    directory,
  );
  const headers = {
    authorization: `Bearer ${scim.secret}`,
    'content-type': 'application/scim+json',
  };
  return { tenant, url: api + scim.path, headers };
}

async function link(api: string, tenant: string): Promise<void> {
  await manage(api, 'PUT', '/key-links', {
    tenant,
    product: PRODUCT,
    attribute: 'userName',
    actor_prefix: `${tenant}:`,
    on_deactivate: 'pause',
    on_delete: 'pause',
  });
}

let people = 0;

/** Milliseconds from the response to a deactivation to the last replica that refuses the key. */
async function timesOf(
  { keys }: System,
  { tenant, url, headers }: ScimDirectory,
  isOver: (done: number) => boolean,
): Promise<number[]> {
  const scim = async (method: string, path: string, json: object) => {
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(json) });
    assert.ok(response.ok, await response.clone().text());
    return (await response.json()) as { id: string };
  };
  const times: number[] = [];
  while (!isOver(times.length)) {
    const userName = `person-${(people += 1)}`;
    const { id } = await scim('POST', '/Users', { schemas: [USER], userName, active: true });
    const actor = { name: 'bench', actor_id: `${tenant}:${userName}` };
    const { secret } = await keysAdmin<{ secret: string }>(keys[0], 'issuedApiKeys', actor);
    for (const replica of keys) assert.equal(await isValid(replica, secret), true);
    await scim('PATCH', `/Users/${id}`, DEACTIVATE);
    const startedAt = performance.now();
    const refusals = keys.map(async (replica) => {
      while (await isValid(replica, secret));
      return performance.now() - startedAt;
    });
    times.push(Math.max(...(await Promise.all(refusals))));
  }
  return times;
}

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const DEACTIVATE = {
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'replace', path: 'active', value: false }],
};

async function isValid(replica: string | undefined, credential: string): Promise<boolean> {
  return (await keysAdmin<{ is_valid: boolean }>(replica, 'apiKeys:verify', { credential }))
    .is_valid;
}

async function keysAdmin<Body>(url = '', path: string, json: object): Promise<Body> {
  const response = await fetch(`${url}/v2alpha1/admin/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${SETTINGS['key-service']?.['ADMIN_API_KEYS'] ?? ''}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(json),
  });
  assert.ok(response.ok, await response.clone().text());
  return (await response.json()) as Body;
}

/** A workspace directory of another tenant, which the key service knows; its people have a key each. */
async function populate(api: string, google: FakeGoogle, database: Client): Promise<string> {
  await link(api, 'large');
  const directory = { tenant: 'large', product: PRODUCT, type: 'workspace' };
  const { id } = await manage<{ id: string }>(api, 'POST', '', directory);
  const path = `/${id}/workspace/authorization-url`;
  const { authorizationUrl } = await manage<{ authorizationUrl: string }>(api, 'GET', path);
  const { pathname, search } = new URL(await google.consent(authorizationUrl));
  assert.equal((await fetch(api + pathname + search)).status, 200);
  const { id: run } = await manage<{ id: string }>(api, 'POST', `/${id}/sync`);
  await until(async () => (await stateOf(api, id, run)) === 'succeeded');
  await until(() => countIs(database, KNOWN_PEOPLE, LEAVERS + STAYING));
  await database.query(
    `INSERT INTO keys.api_keys (key_id, kind, name, actor_id, scopes, metadata, visibility,
        allowed_cidrs, secret_hash, key_preview, create_time, update_time)
      SELECT gen_random_uuid()::text, 'issued', 'bench', actor_id, '{}', '{}', 1, '{}',
        sha256(actor_id::bytea), '', now(), now()
      FROM keys.people WHERE tenant = 'large'`,
  );
  await database.query('ANALYZE keys.api_keys, keys.people');
  return id;
}

const KNOWN_PEOPLE = `SELECT count(*)::integer AS count FROM keys.people WHERE tenant = 'large'`;
const PAUSED_KEYS = `SELECT count(*)::integer AS count FROM keys.api_keys
  WHERE actor_id LIKE 'large:%' AND pause_time IS NOT NULL`;

async function countIs(database: Client, text: string, expected: number): Promise<boolean> {
  const { rows } = await database.query<{ count: number }>(text);
  return rows[0]?.count === expected;
}

/** A run that would remove the people, which is held. */
async function held(api: string, google: FakeGoogle, directory: string): Promise<string> {
  google.people.users.count = STAYING;
  const { id } = await manage<{ id: string }>(api, 'POST', `/${directory}/sync`);
  await until(async () => (await stateOf(api, directory, id)) === 'held');
  return id;
}

async function stateOf(api: string, directory: string, run: string): Promise<string> {
  const { state } = await manage<{ state: string }>(api, 'GET', `/${directory}/runs/${run}`);
  assert.notEqual(state, 'failed');
  return state;
}

async function until(isReached: () => Promise<boolean>): Promise<void> {
  while (!(await isReached())) await delay(POLL_MS);
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? NaN;
}

async function manage<Data>(
  url: string,
  method: string,
  path: string,
  json?: object,
): Promise<Data> {
  const response = await fetch(`${url}/api/v1/dsync${path}`, {
    method,
    headers: {
      authorization: `Api-Key ${API_KEY}`,
      ...(json && { 'content-type': 'application/json' }),
    },
    ...(json && { body: JSON.stringify(json) }),
  });
  assert.ok(response.ok, `${method} ${path}: ${await response.clone().text()}`);
  return ((await response.json()) as { data: Data }).data;
}

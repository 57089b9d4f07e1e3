/**
 * One tenant has nine tenths of everything, beside 2,000 small ones. Every operation that reads is called for it
 * and for a small one, and no statement may read many more rows than it returns.
 */
import { randomUUID } from 'node:crypto';
import {
  createTestDatabase,
  eventually,
  type Json,
  startWebhookReceiver,
  type TestDatabase,
  type WebhookReceiver,
} from '@gatehouse/testing';
import { type Endpoint } from '../../../../tools/reference/document.js';
import { endpointsOf } from '../../../../tools/reference/operations.js';
import { referenceDocument } from '../../../../tools/reference/reference-document.js';
import { ADMIN_KEY, openSmall, type SmallGate } from '../gate.js';
import { Administrator, openSignUp } from '../visitor.js';
import { type RunStatement, watchPlans, type WatchedDatabase } from './plans.js';
import { skew } from './skewed-data.js';

let database: TestDatabase;
let receiver: WebhookReceiver;
let watched: WatchedDatabase;
let gate: SmallGate;
let scimSecret: string;

beforeAll(async () => {
  database = await createTestDatabase();
  // Copies of one event have the ids of that one.
  receiver = await startWebhookReceiver({ check: () => undefined });
  const seeding = await openSmall(database);
  await seed(seeding);
  await seeding.close();
  await skew(database);
  watched = await watchPlans(database);
  gate = await openSmall({ url: watched.url });
}, 300_000);

afterAll(async () => {
  await gate.close();
  await watched.close();
  await receiver.close();
  await database.drop();
});

/** A row of everything, which the large tenant has. */
async function seed(seeding: SmallGate): Promise<void> {
  const administrator = new Administrator(seeding);
  const ask = async (method: string, path: string, json?: unknown): Promise<Json> => {
    const { status, text, body } = await administrator.ask(method, path, json);
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${text}`);
    return body;
  };
  const endpoint = { url: receiver.url, logs_attempts: true };
  await ask('POST', '/v2alpha1/admin/webhook-endpoints', endpoint);
  await ask('POST', '/v1/webhook-endpoints', endpoint);
  const provider = await administrator.newDirectory(receiver.url, 'large');
  scimSecret = provider.scim.secret;
  const userId = await provider.createUser('someone');
  await provider.send('POST', '/Groups', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    displayName: 'Large',
    members: [{ value: userId }],
  });
  await administrator.linkKeys('large');
  await ask('POST', '/api/v1/dsync/setup-links', { tenant: 'linked', product: 'shop' });
  const key = await administrator.issue({ actor_id: 'large' });
  await administrator.verify(key.secret);
  await administrator.portal('large');
  await administrator.newSchema('large');
  const submit = await openSignUp(seeding, 'large');
  await submit(seeding, 'someone@example.com');
  await eventually(async () => {
    const tables = [
      'dsync.scim_requests',
      'dsync.delivery_attempts',
      'keys.usage',
      'keys.delivery_attempts',
      'forms.delivery_attempts',
      'forms.flows',
    ];
    const empty: string[] = [];
    for (const table of tables) {
      const rows = await database.query(`SELECT FROM ${table} LIMIT 1`);
      if (rows.length === 0) empty.push(table);
    }
    expect(empty).toEqual([]);
  });
  await database.query(
    `INSERT INTO dsync.workspace_runs (id, directory_id, trigger, phase, state, position, counts)
      SELECT dsync.uuid_v7(), id, 'demand', 'users', 'succeeded', '', '{}' FROM dsync.directories LIMIT 1`,
  );
}

/** Values of parameters for a tenant: in paths by the collection before, such as `groups`, else by name. */
type Values = Readonly<Record<string, readonly string[]>>;

async function valuesOf(tenant: string): Promise<Values> {
  const id = async (sql: string, value: string) =>
    (await database.query<{ id: string }>(`${sql} LIMIT 1`, [value]))[0]?.id ?? '';
  const directory = await id('SELECT id FROM dsync.directories WHERE tenant = $1', tenant);
  const inDirectory = (table: string) =>
    id(`SELECT id FROM dsync.${table} WHERE directory_id = $1 ORDER BY id`, directory);
  const key = await id('SELECT key_id AS id FROM keys.api_keys WHERE actor_id = $1', tenant);
  const user = await inDirectory('users');
  const group = await inDirectory('groups');
  const identity = await id('SELECT id FROM forms.identities WHERE schema_id = $1', tenant);
  const sortBy = ['userName', 'displayName', 'externalId', 'meta.created', 'meta.lastModified'];
  return {
    actors: [tenant],
    actor_id: [tenant],
    issuedApiKeys: [key],
    apiKeys: [key],
    key_id: [key],
    portalSessions: [
      await id('SELECT session_id AS id FROM keys.portal_sessions WHERE actor_id = $1', tenant),
    ],
    dsync: [directory],
    directoryId: [directory],
    directory_id: [directory],
    tenant: [tenant],
    product: ['shop'],
    users: [user],
    Users: [user],
    groups: [group],
    Groups: [group],
    runs: [await inDirectory('workspace_runs')],
    requests: [await inDirectory('scim_requests')],
    schemas: [tenant],
    schema: [tenant],
    schema_id: [tenant],
    identities: [identity],
    identifier: ['someone@example.com'],
    state: ['failing', 'healthy', 'active'],
    has_errors: ['true', 'false'],
    status: ['4xx', 'error', '404'],
    method: ['DELETE', 'POST'],
    resource_id: [user],
    userName: ['user-7', 'unknown'],
    email: ['user-7@example.com'],
    external_id: ['external-7'],
    role: ['admin'],
    targetId: [user],
    target_id: [identity],
    type: ['key.revoked', 'user.created', 'schema.updated'],
    caller: ['someone'],
    group_by: ['key', 'outcome', 'actor'],
    interval: ['day'],
    query: ['a', 'user', 'small', 'user-7', key, directory],
    filter: [
      `actor_id="${tenant}"`,
      'key_preview="…0007"',
      'status=KEY_STATUS_REVOKED',
      `actor_id="${tenant}" AND status=KEY_STATUS_PAUSED`,
      'name="Key 7"',
      'tags:production',
      'expire_time<2027-01-01T00:00:00Z',
      'type="key.revoked"',
      `key_id="${key}"`,
      'userName eq "user-7"',
      'userName sw "user-1"',
      'externalId eq "external-7"',
      'emails.value eq "user-7@example.com"',
      'displayName eq "group-7"',
      'active eq false',
      `members.value eq "${user}"`,
      `groups.value eq "${group}"`,
      'meta.lastModified gt "2100-01-01T00:00:00Z"',
    ],
    sortBy,
    sortOrder: ['descending'],
  };
}

const OPERATIONS = endpointsOf(referenceDocument()).filter(({ method }) => method === 'GET');

/** An address without optional parameters, and one for each value of each of them. */
function addressesOf({ path, operation }: Endpoint, values: Values): string[] {
  const filled = path.replaceAll(
    /(?<=\/([^/]+)\/)\{(\w+)\}/g,
    (_, collection: string, name: string) =>
      (values[collection] ?? values[name])?.[0] ?? randomUUID(),
  );
  const parameters = (operation.parameters ?? []).filter((each) => each.in === 'query');
  // Some lists want a tenant and a product, which their description says of neither.
  const tenancy = ['tenant', 'product'].filter((name) =>
    parameters.some((each) => each.name === name),
  );
  const names = parameters.map(({ name }) => name);
  const addressWith = (chosen: Readonly<Record<string, string>>) => {
    const query = new URLSearchParams(
      Object.fromEntries(tenancy.map((name) => [name, values[name]?.[0] ?? ''])),
    );
    for (const [name, value] of Object.entries(chosen)) query.set(name, value);
    return `${filled}?${query.toString()}`;
  };
  return [
    filled,
    addressWith({}),
    ...names.flatMap((name) => (values[name] ?? []).map((value) => addressWith({ [name]: value }))),
  ];
}

interface Allowance {
  readonly statement: RegExp;
  /** Rows that it may read. */
  readonly most: number;
  readonly reason: string;
}

/** Rows that a statement may read for each one that it returns, and beside them. */
const FACTOR = 10;
const BESIDE = 200;

/** All rows are 20,000, the directories 2,000, and the memberships 56,000. */
const ALLOWED: readonly Allowance[] = [
  {
    statement: /^WITH swept /,
    most: 25_000,
    reason: 'A sweep reads each number of the log once, here all that were copied.',
  },
  {
    statement: /^SELECT e\.\* FROM dsync\.events e WHERE e\.source_id = source /,
    most: 18_500,
    reason: 'A lane with types reads once the events that it passes over.',
  },
  {
    statement: /^SELECT details->>'token_id' /,
    most: 1_000,
    reason: 'Tokens are looked for among the newest 1,000 audit events of an actor.',
  },
  {
    statement: /^SELECT count\(\*\)::integer AS total /,
    most: 80_000,
    reason: 'totalResults of RFC 7644, section 3.4.2, counts all that match.',
  },
  {
    statement: /^WITH page AS MATERIALIZED .* dsync\.(users|groups) /,
    most: 18_100,
    reason:
      'A filter that no index answers reads the resources of its directory, at a bounded cost.',
  },
  {
    statement: /^SELECT \(SELECT coalesce\(max\(n\), 0\)/,
    most: 40_000,
    reason: 'A backlog is counted, up to 100,000 events.',
  },
  {
    statement: /FROM dsync\.scim_requests WHERE directory_id = \$1 AND (status|method)/,
    most: 20_100,
    reason:
      'A rare status or method reads the entries of its directory, of which a day has a bounded number.',
  },
  {
    statement: /\b(directories|Directory|endpoints)\b/,
    most: 6_100,
    reason: 'PostgreSQL reads 2,000 directories, or their endpoints, whole.',
  },
];

function isAllowed({ text, read, returned }: RunStatement): boolean {
  if (read <= FACTOR * returned + BESIDE) return true;
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return ALLOWED.some(({ statement, most }) => statement.test(line) && read <= most);
}

it.each(['large', 'small-7'])(
  '%s: no statement reads many more rows than it returns',
  async (tenant) => {
    const values = await valuesOf(tenant);
    const failed: string[] = [];
    const costly: Record<string, object> = {};
    watched.taken();
    for (const operation of OPERATIONS) {
      for (const address of new Set(addressesOf(operation, values))) {
        const secret = address.startsWith('/api/scim/') ? scimSecret : ADMIN_KEY;
        const { status } = await gate.adminSurface.send('GET', address, {
          headers: { authorization: `Bearer ${secret}` },
        });
        if (status >= 500) failed.push(address);
        for (const { text, read, returned } of watched.taken().filter((each) => !isAllowed(each))) {
          costly[text.replaceAll(/\s+/g, ' ').slice(0, 500)] = { read, returned, address };
        }
      }
    }
    expect({ failed, costly }).toEqual({ failed: [], costly: {} });
  },
);

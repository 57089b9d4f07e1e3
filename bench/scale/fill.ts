/** Stacks that hold the same number of keys, users, events and identities. */
import { createGatehouse } from '@gatehouse/client';
import { startWebhookReceiver } from '@gatehouse/testing';
import { Client } from 'pg';
import { startServer } from '../runner/servers.js';
import { type BenchContext } from '../runner/types.js';
import { fillUsers } from '../scim/fill.js';
import { gatehouse } from '../small/sides.js';
import { fillKeys, HMAC_SECRET } from '../verify/keys.js';
import { ADMIN_KEY } from '../verify/sides.js';

export interface ScaledStack {
  readonly url: string;
  readonly databaseUrl: string;
  readonly secrets: readonly string[];
  readonly keyIds: readonly string[];
  /** Of the directory that has all users and events. */
  readonly directory: { readonly id: string; readonly secret: string };
  readonly schema: string;
  /** Where the second page of all users begins. */
  readonly cursor: string;
  /** Counts a change of a user, whose event has to arrive. */
  changed(): void;
  /** Resolves when as many events have arrived as users were changed. */
  delivered(): Promise<unknown>;
}

const SCHEMA = 'scaled';

const stacks = new WeakMap<BenchContext, Map<number, Promise<ScaledStack>>>();

/** The stack of a run with this number of each. */
export function stackOf(context: BenchContext, size: number): Promise<ScaledStack> {
  const ofRun = stacks.get(context) ?? new Map<number, Promise<ScaledStack>>();
  stacks.set(context, ofRun);
  const stack = ofRun.get(size) ?? openStack(context, size);
  ofRun.set(size, stack);
  return stack;
}

async function openStack(context: BenchContext, size: number): Promise<ScaledStack> {
  const databaseUrl = await context.databaseUrl(`scale-${size}`);
  for (const app of ['key-service', 'dsync-api', 'identity-forms'] as const) {
    await context.migrate(app, databaseUrl);
  }
  context.log(`filling ${size.toLocaleString('en-US')} keys, users, events and identities`);
  const keys = await fillKeys(databaseUrl, { keys: size, secrets: 500 });
  const { directory } = await fillUsers(databaseUrl, size);
  const receiver = await startWebhookReceiver({ check: () => undefined });
  context.onClose(() => receiver.close());

  const settings = {
    ADMIN_API_KEYS: ADMIN_KEY,
    API_KEYS: ADMIN_KEY,
    HMAC_SECRETS: HMAC_SECRET,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    CLIENT_IP_SOURCE: 'x-real-ip',
    TRUSTED_PROXIES: '127.0.0.0/8',
  };
  const label = `scale ${size}`;
  const { url } = await startServer(gatehouse(databaseUrl, settings), context, { label });
  const { schemas, directories } = createGatehouse({ url, key: ADMIN_KEY });
  const email = { type: 'string', format: 'email', 'x-identifier': true };
  const traits = { type: 'object', required: ['email'], properties: { email } };
  const schema = { type: 'object', properties: { traits } };
  await schemas.register({ id: SCHEMA, schema, public: true });

  await fillOthers(databaseUrl, directory.id, size);
  // The endpoint begins after the events that are there.
  await directories.update({ id: directory.id, webhook_url: receiver.url });
  let changes = 0;
  return {
    url,
    databaseUrl,
    ...keys,
    directory,
    schema: SCHEMA,
    cursor: await secondPage(url, directory),
    changed: () => void (changes += 1),
    delivered: () => receiver.waitFor(changes),
  };
}

/** Identities, events, and a group of all users. */
async function fillOthers(databaseUrl: string, directoryId: string, size: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(IDENTITIES, [SCHEMA, size]);
    await client.query(IDENTIFIERS);
    await client.query(EVENTS, [directoryId, size]);
    await client.query(GROUP, [directoryId, size]);
    await client.query(MEMBERS, [directoryId]);
    await client.query(
      'UPDATE dsync.dispatch SET position = (SELECT last_value FROM dsync.event_sequence)',
    );
    await client.query('VACUUM (ANALYZE)');
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}

async function secondPage(url: string, directory: ScaledStack['directory']): Promise<string> {
  const response = await fetch(`${url}/api/scim/v2.0/${directory.id}/Users?cursor&count=100`, {
    headers: { authorization: `Bearer ${directory.secret}` },
  });
  return ((await response.json()) as { nextCursor: string }).nextCursor;
}

const IDENTITIES = `INSERT INTO forms.identities (id, schema_id, schema_version, traits)
  SELECT forms.uuid_v7(), $1, 1, jsonb_build_object('email', 'user-' || n || '@example.com')
  FROM generate_series(1, $2::integer) AS n`;

const IDENTIFIERS = `INSERT INTO forms.identifiers (schema_id, digest, identity_id)
  SELECT schema_id, sha256(id::text::bytea), id FROM forms.identities`;

const GROUP = `INSERT INTO dsync.groups (directory_id, id, display_name, display_name_lower, raw, member_count)
  SELECT $1::uuid, dsync.uuid_v7(), 'Everyone', 'everyone', '{"displayName":"Everyone"}', $2::integer`;

const MEMBERS = `INSERT INTO dsync.group_members (directory_id, group_id, user_id)
  SELECT g.directory_id, g.id, u.id FROM dsync.groups g
  JOIN dsync.users u ON u.directory_id = g.directory_id WHERE g.directory_id = $1::uuid`;

/** With the data of an event of an ordinary user. */
const EVENTS = `INSERT INTO dsync.events (source_id, type, data)
  SELECT directory_id, 'user.created', jsonb_build_object('id', id, 'first_name', first_name,
    'last_name', last_name, 'email', email, 'active', active, 'external_id', external_id, 'raw', raw)
  FROM dsync.users WHERE directory_id = $1::uuid LIMIT $2::integer`;

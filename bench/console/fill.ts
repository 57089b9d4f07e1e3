/** A stack with much of everything that the console shows. */
import { Client } from 'pg';
import { once } from '../runner/define.js';
import { fillGroups, fillUsers } from '../scim/fill.js';
import { fillKeys } from '../verify/keys.js';

export interface Filled {
  readonly url: string;
  readonly keyId: string;
  readonly lastCharacters: string;
  /** With a million users. */
  readonly directoryId: string;
  /** With 100,000 users who are in one group, and all that its provider sent. */
  readonly customer: { readonly id: string; readonly secret: string };
  readonly groupId: string;
}

const MILLION = 1_000_000;
const MEMBERS = 100_000;

export const filled = once(async (context): Promise<Filled> => {
  const url = await context.databaseUrl('console');
  for (const app of ['key-service', 'dsync-api', 'identity-forms'] as const) {
    await context.migrate(app, url);
  }
  context.log('filling 1,000,000 keys, users and identities, 10,000 directories and endpoints');
  const { keyIds, secrets } = await fillKeys(url, { keys: MILLION, secrets: 10 });
  const { filled: group, groupIds } = await fillGroups(url, [MEMBERS]);
  const { directory } = await fillUsers(url, MILLION);
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`UPDATE dsync.directories SET tenant = 'other' WHERE id = $1`, [
      directory.id,
    ]);
    for (const statement of OF_CUSTOMER) await client.query(statement, [group.directory.id]);
    for (const statement of OF_ALL) await client.query(statement);
    await client.query('VACUUM (ANALYZE)');
  } finally {
    await client.end();
  }
  return {
    url,
    keyId: keyIds[0] ?? '',
    lastCharacters: secrets[0]?.slice(-4) ?? '',
    directoryId: directory.id,
    customer: group.directory,
    groupId: groupIds[0] ?? '',
  };
});

const RUN = `gen_random_uuid(), 'scim', 'delete', '',
  '{"users_listed":0,"groups_listed":0,"members_listed":0,"users_created":0,"users_updated":0,"users_deleted":7,"groups_created":0,"groups_updated":0,"groups_deleted":0,"members_added":0,"members_removed":0,"failed":0}'::jsonb`;
const RUN_COLUMNS = 'id, trigger, phase, position, counts, directory_id, state';

/** In a day, so that the partitions of the migrations take it. */
const OF_CUSTOMER = [
  `INSERT INTO dsync.scim_requests
     (id, directory_id, at, request_id, method, path, status, duration_ms, attributes)
   SELECT dsync.uuid_v7(), $1::uuid, now() - (100000 - n) * interval '0.8 s', 'bench', 'PATCH', '/Users',
     CASE n % 50 WHEN 0 THEN 409 ELSE 200 END, 3, '{}'
   FROM generate_series(1, 100000) AS n`,
  `INSERT INTO dsync.workspace_runs (${RUN_COLUMNS}, finished_at)
   SELECT ${RUN}, $1::uuid, 'succeeded', now() FROM generate_series(1, 5000)`,
  `INSERT INTO dsync.events (source_id, type, data)
   SELECT $1::uuid, 'user.created', '{}' FROM generate_series(1, 100000)`,
];

const audited = (schema: string, columns: string, values: string, count: number) =>
  `INSERT INTO ${schema}.audit_events (event_id, caller, request_id, create_time, details, ip, ${columns})
   SELECT ${schema}.uuid_v7(), 'caller-' || n % 100, 'bench', now(), '{}', '', ${values}
   FROM generate_series(1, ${count}) AS n`;

/** Of 10,000 directories, 200 are held, 200 faulty, and the endpoints of 300 fail or are paused. */
const OF_ALL = [
  `INSERT INTO dsync.directories (id, name, tenant, product, type, created_at, last_success_at, last_error_at)
   SELECT dsync.uuid_v7(), 'Customer ' || n, 'customer-' || n, 'shop', 'okta-scim-v2',
     now() - n * interval '1 s', now(), CASE n % 50 WHEN 1 THEN now() + interval '1 s' END
   FROM generate_series(1, 10000) AS n`,
  `INSERT INTO dsync.workspace_runs (${RUN_COLUMNS})
   SELECT ${RUN}, id, 'held' FROM dsync.directories WHERE tenant LIKE 'customer-%50'
     OR tenant LIKE 'customer-%00'`,
  `UPDATE dsync.dispatch SET position = (SELECT last_value FROM dsync.event_sequence)`,
  `INSERT INTO dsync.endpoints (id, source_id, url, state, failing_since, cursor)
   SELECT id, id, 'https://' || tenant || '.example/hooks',
     CASE number % 100 WHEN 1 THEN 'failing' WHEN 2 THEN 'paused' WHEN 3 THEN 'stopped' ELSE 'healthy' END,
     CASE number % 100 WHEN 1 THEN now() END, (SELECT last_value FROM dsync.event_sequence)
   FROM (SELECT id, tenant, row_number() OVER () AS number FROM dsync.directories
     WHERE tenant LIKE 'customer-%') AS numbered`,
  `INSERT INTO forms.schemas (id, current_version)
   SELECT 'customer' || n, 1 FROM generate_series(1, 1000) AS n`,
  `INSERT INTO forms.schema_versions (schema_id, version, digest, document)
   SELECT id, 1, '\\x00',
     '{"type":"object","properties":{"traits":{"type":"object","properties":{"email":{"type":"string"}}}}}'
   FROM forms.schemas`,
  `INSERT INTO forms.identities (id, schema_id, schema_version, traits)
   SELECT gen_random_uuid(), 'customer1', 1, jsonb_build_object('email', 'user-' || n || '@example.com')
   FROM generate_series(1, ${MILLION}) AS n`,
  `INSERT INTO forms.identifiers (schema_id, digest, identity_id)
   SELECT schema_id, sha256(id::text::bytea), id FROM forms.identities`,
  audited('keys', 'type, key_id, actor_id', `'key.issued', 'key-' || n, 'bench-' || n`, MILLION),
  audited('dsync', 'type, directory_id, target_id', `'directory.updated', n, n`, MEMBERS),
  audited('forms', 'type, schema_id, target_id', `'identity.created', 'customer1', n`, MEMBERS),
];

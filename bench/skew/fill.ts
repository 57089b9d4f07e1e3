/** A database of 2,000 small tenants with five of everything each, with or without one that has nine times as much. */
import { Client } from 'pg';
import { once } from '../runner/define.js';

const SMALL = 2_000;
/** Of everything, when the large tenant is there. */
const ROWS = 100_000;

export const alone = filled('skew-alone', 'WHERE n % 10 = 0');
export const beside = filled('skew-beside', '');

/** The directory of a tenant; 0 is the large one. */
export const directoryOf = (owner: number) =>
  `00000000-0000-7000-8000-${owner.toString(16).padStart(12, '0')}`;

function filled(name: string, where: string) {
  return once(async (context) => {
    const url = await context.databaseUrl(name);
    for (const app of ['key-service', 'dsync-api', 'identity-forms'] as const) {
      await context.migrate(app, url);
    }
    context.log(`filling ${name}`);
    // A row in ten belongs to a small tenant, so that theirs lie between those of the large one.
    const rows = `(SELECT n, CASE n % 10 WHEN 0 THEN n / 10 % ${SMALL} + 1 ELSE 0 END AS owner
      FROM generate_series(1, ${ROWS}) AS n ${where}) AS numbered`;
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      for (const statement of OF_TENANTS) await client.query(statement);
      for (const statement of ofRows(rows)) await client.query(statement);
      await client.query('VACUUM (ANALYZE)');
    } finally {
      await client.end();
    }
    return url;
  });
}

const tenant = (owner: string) => `'tenant-' || ${owner}`;
const directory = (owner: string) =>
  `('00000000-0000-7000-8000-' || lpad(to_hex(${owner}), 12, '0'))::uuid`;
const ID = 'dsync.uuid_v7()';

const OF_TENANTS = [
  `INSERT INTO dsync.directories (id, name, tenant, product, type)
    SELECT ${directory('owner')}, ${tenant('owner')}, ${tenant('owner')}, 'shop', 'okta-scim-v2'
    FROM generate_series(0, ${SMALL}) AS owner`,
  `INSERT INTO forms.schemas (id, current_version)
    SELECT ${tenant('owner')}, 1 FROM generate_series(0, ${SMALL}) AS owner`,
  `INSERT INTO forms.schema_versions (schema_id, version, digest, document)
    SELECT id, 1, '\\x00', '{"type":"object","properties":{"traits":{"type":"object"}}}' FROM forms.schemas`,
];

const ofRows = (rows: string) => [
  `INSERT INTO keys.api_keys (key_id, kind, name, actor_id, scopes, metadata, visibility,
      allowed_cidrs, secret_hash, key_preview, create_time, update_time)
    SELECT ${ID}, 'issued', 'Key ' || n, ${tenant('owner')}, ARRAY['orders:read'], '{}', 1, '{}',
      sha256(n::text::bytea), 'gate_sk_v1_…' || lpad(to_hex(n), 4, '0'), now(), now() FROM ${rows}`,
  `INSERT INTO keys.audit_events (event_id, type, key_id, actor_id, caller, request_id, create_time, details)
    SELECT ${ID}, 'key.issued', 'key-' || n, ${tenant('owner')}, 'caller', 'bench', now(), '{}' FROM ${rows}`,
  `INSERT INTO keys.usage (level, series, at, subject, tag, outcome, limit_name, actor_id, count, cost)
    SELECT 2, 1, date_trunc('hour', now(), 'UTC'), 'key-' || n, '', 0, '', ${tenant('owner')}, 7, 7 FROM ${rows}`,
  `INSERT INTO dsync.users (directory_id, id, user_name, user_name_lower, external_id, display_name,
      display_name_lower, emails_lower, first_name, last_name, email, active, raw)
    SELECT ${directory('owner')}, ${ID}, 'user-' || n, 'user-' || n, 'ext-' || n, 'Bench Person', 'bench person',
      ARRAY['user-' || n], 'Bench', 'Person', 'user-' || n, true, '{}' FROM ${rows}`,
  `INSERT INTO dsync.groups (directory_id, id, display_name, display_name_lower, external_id, raw)
    SELECT ${directory('owner')}, ${ID}, 'group-' || n, 'group-' || n, 'ext-' || n, '{}' FROM ${rows}`,
  `INSERT INTO dsync.events (source_id, type, data)
    SELECT ${directory('owner')}, 'user.created', '{}' FROM ${rows}`,
  `UPDATE dsync.dispatch SET position = (SELECT last_value FROM dsync.event_sequence)`,
  `INSERT INTO forms.identities (id, schema_id, schema_version, traits)
    SELECT ${ID}, ${tenant('owner')}, 1, jsonb_build_object('n', n) FROM ${rows}`,
];

import { createHash } from 'node:crypto';
import { IssuedSecretCodec, KeyRing } from '@gatehouse/crypto';
import { Client } from 'pg';

export const HMAC_SECRET = 'bench-hmac-secret-0123456789abcdef';

export interface KeyCounts {
  keys: number;
  /** How many of them, evenly spread, get a secret that the benchmark knows. */
  secrets: number;
  /** Keys with a known secret have a limit that never refuses. */
  limit?: 'leased' | 'strict';
}

/**
 * Writes keys by one statement instead of thousands of requests. `url` names a migrated database.
 * Resolves to the known secrets and the ids of their keys, in the same order.
 */
export async function fillKeys(url: string, { keys, secrets: count, limit }: KeyCounts) {
  const codec = new IssuedSecretCodec(KeyRing.fromTexts([HMAC_SECRET]));
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // Rows go in many times faster while only the constraints are checked.
    const indexes = await client.query<{ name: string; definition: string }>(INDEXES);
    for (const { name } of indexes.rows) await client.query(`DROP INDEX ${name}`);
    await client.query(FILL, [keys]);
    for (const { definition } of indexes.rows) await client.query(definition);
    const { rows } = await client.query<{ key_id: string }>(SPREAD, [
      Math.floor(keys / count),
      count,
    ]);
    const keyIds = rows.map((row) => row.key_id);
    const secrets = keyIds.map((keyId) => codec.issue('gate_sk', keyId));
    const hashes = secrets.map((secret) => createHash('sha256').update(secret).digest('hex'));
    await client.query(SET_SECRETS, [keyIds, hashes]);
    if (limit) await client.query(SET_LIMITS, [keyIds, limit === 'strict']);
    // The statistics and the visibility map of a table that was filled over months.
    await client.query('VACUUM (ANALYZE) keys.api_keys');
    await client.query('CHECKPOINT');
    return { secrets, keyIds };
  } finally {
    await client.end();
  }
}

// Without those of keys, which foreign keys depend on.
const INDEXES = `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
  FROM pg_index i
  WHERE i.indrelid = 'keys.api_keys'::regclass
    AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`;

// Ids in the order of creation, like those of version 7. Times in whole milliseconds, as the service
// writes them: one of the two sides rounds what is below, the other truncates it.
const FILL = `INSERT INTO keys.api_keys (key_id, kind, name, actor_id, scopes, metadata, visibility,
    allowed_cidrs, secret_hash, key_preview, create_time, update_time, expire_time)
  SELECT '0199' || substr(hex, 1, 4) || '-' || substr(hex, 5, 4) || '-7000-8000-' || substr(md5(hex), 1, 12),
    'issued', 'Bench', 'bench-' || hex, ARRAY['orders:read', 'orders:write'],
    '{"plan":"standard"}', 1, '{}', sha256(hex::bytea), 'gate_sk_v1_…' || substr(hex, 5, 4),
    moment, moment, moment + interval '1 day'
  FROM (SELECT n, lpad(to_hex(n), 8, '0') AS hex FROM generate_series(1, $1::integer) AS n) AS numbered,
    date_trunc('milliseconds', now()) AS moment`;

const SPREAD = `SELECT key_id FROM (
    SELECT key_id, row_number() OVER (ORDER BY key_id) AS number FROM keys.api_keys) AS numbered
  WHERE number % $1::integer = 0 ORDER BY number LIMIT $2`;

const SET_SECRETS = `UPDATE keys.api_keys AS k SET secret_hash = decode(s.hash, 'hex')
  FROM unnest($1::text[], $2::text[]) AS s (key_id, hash) WHERE k.key_id = s.key_id`;

const SET_LIMITS = `UPDATE keys.api_keys SET rate_limits = jsonb_build_array(jsonb_build_object(
    'name', 'calls', 'quota', '1000000000', 'burst', '1000000000', 'windowSeconds', 3600,
    'scope', 'key', 'tag', '', 'onError', NULL, 'isStrict', $2::boolean))
  WHERE key_id = ANY ($1)`;

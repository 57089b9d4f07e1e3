import { Client } from 'pg';
import { type ScaledStack } from './fill.js';

interface Kind {
  table: string;
  /** Columns that differ between copies of a row that the requests left; without it, the table is filled. */
  distinct?: Readonly<Record<string, string>>;
}

/** A column that takes its default. */
const DEFAULT = 'DEFAULT';
const UUID = 'dsync.uuid_v7()';

/** Each kind of row that grows, by the name that docs/scale.md gives it. */
export const ROWS: Readonly<Record<string, Kind>> = {
  'a key': { table: 'keys.api_keys' },
  'a user': { table: 'dsync.users' },
  'an event': { table: 'dsync.events' },
  'an identity': { table: 'forms.identities' },
  'the identifier of an identity': { table: 'forms.identifiers' },
  'a membership': { table: 'dsync.group_members' },
  'a delivery attempt': { table: 'dsync.delivery_attempts', distinct: { id: DEFAULT } },
  'a SCIM request': { table: 'dsync.scim_requests', distinct: { id: UUID } },
  'an audit event of keys': { table: 'keys.audit_events', distinct: { event_id: UUID } },
  'a count of usage': { table: 'keys.usage', distinct: { subject: `${UUID}::text` } },
};

const COPIES = 100_000;

/** The bytes of a table and its indexes for each row of it. */
export async function bytesOfRow({ databaseUrl }: ScaledStack, name: string): Promise<number> {
  const { table, distinct } = ROWS[name] ?? { table: '' };
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const before = await sizeOf(client, table);
    if (!distinct) return before.bytes / before.rows;
    const { rows } = await client.query<{ name: string }>(COLUMNS, [table]);
    const names = rows.map((row) => row.name).filter((column) => distinct[column] !== DEFAULT);
    const values = names.map((column) => distinct[column] ?? `old.${column}`);
    await client.query(
      `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')}
        FROM (SELECT * FROM ${table} LIMIT 1) AS old, generate_series(1, ${COPIES})`,
    );
    const after = await sizeOf(client, table);
    return (after.bytes - before.bytes) / (after.rows - before.rows);
  } finally {
    await client.end();
  }
}

async function sizeOf(client: Client, table: string): Promise<{ bytes: number; rows: number }> {
  const { rows } = await client.query<{ bytes: number; rows: number }>(
    `SELECT sum(pg_total_relation_size(relid))::float8 AS bytes,
        (SELECT count(*) FROM ${table})::float8 AS rows
      FROM (SELECT $1::regclass AS relid UNION SELECT relid FROM pg_partition_tree($1)) AS parts`,
    [table],
  );
  return rows[0] ?? { bytes: NaN, rows: NaN };
}

const COLUMNS = `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass
  AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attidentity = ''`;

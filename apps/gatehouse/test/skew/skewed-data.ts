/** Multiplies what one tenant has: nine tenths of all rows for that one, and a row for each of 2,000 others. */
import { type TestDatabase } from '@gatehouse/testing';

const LARGE = 18_000;
const SMALL = 2_000;

/** Values of columns by their expressions; `owner` and `n` are those of the new row, `old` is the copied one. */
type Values = Readonly<Record<string, string>>;

/** A column that takes its default. */
const DEFAULT = 'DEFAULT';
const AGO = `now() - n * interval '1 second'`;
const UUID = 'dsync.uuid_v7()';

const ACTORS = ownersOf(
  `SELECT 'large'::text`,
  `SELECT 'small-' || n FROM generate_series(1, ${SMALL}) n`,
);
const SCHEMAS = ownersOf(
  `SELECT 'large'::text`,
  `SELECT id FROM forms.schemas WHERE id LIKE 'small-%'`,
);
const DIRECTORIES = ownersOf(
  `SELECT id FROM dsync.directories WHERE tenant = 'large'`,
  `SELECT id FROM dsync.directories WHERE tenant LIKE 'small-%'`,
);

/** @param database in which one row of each table belongs to the large tenant */
export async function skew(database: TestDatabase): Promise<void> {
  const copies = new Copies(database);
  const small = `SELECT 'small-' || n AS owner, n FROM generate_series(1, ${SMALL}) n`;

  await copies.add('dsync.directories', small, {
    id: UUID,
    name: 'owner',
    tenant: 'owner',
    scim_secret_sealed: 'NULL',
    scim_secret_sha256: 'NULL',
  });
  await copies.add('dsync.users', DIRECTORIES, {
    directory_id: 'owner',
    id: UUID,
    user_name: `'user-' || n`,
    user_name_lower: `'user-' || n`,
    external_id: `'external-' || n`,
    emails_lower: `ARRAY['user-' || n || '@example.com']`,
    email: `'user-' || n || '@example.com'`,
    created_at: AGO,
    updated_at: AGO,
  });
  await copies.add('dsync.groups', DIRECTORIES, {
    directory_id: 'owner',
    id: UUID,
    display_name: `'group-' || n`,
    display_name_lower: `'group-' || n`,
    external_id: `'external-' || n`,
    created_at: AGO,
    updated_at: AGO,
  });
  await database.query(MEMBERS);
  await database.query(MEMBERS_OF_LARGE_GROUPS);
  for (const [table, values] of Object.entries(DIRECTORY_ROWS)) {
    await copies.add(`dsync.${table}`, DIRECTORIES, values);
  }

  await database.query(WEBHOOKS);

  await copies.add('keys.api_keys', ACTORS, {
    key_id: `${UUID}::text`,
    actor_id: 'owner',
    name: `'Key ' || n`,
    secret_hash: `sha256(('key' || n)::bytea)`,
    key_preview: `'gate_sk_v1_…' || lpad(to_hex(n), 4, '0')`,
    request_id: 'NULL',
    create_time: AGO,
  });
  for (const [table, values] of Object.entries(KEY_ROWS)) {
    await copies.add(`keys.${table}`, ACTORS, values);
  }

  await copies.add('forms.schemas', small, { id: 'owner' });
  await copies.add('forms.schema_versions', small, { schema_id: 'owner' });
  await copies.add('forms.identities', SCHEMAS, { id: UUID, schema_id: 'owner', created_at: AGO });
  for (const [table, values] of Object.entries(FORM_ROWS)) {
    await copies.add(`forms.${table}`, SCHEMAS, values);
  }
  await database.query('ANALYZE');
}

const EVENT: Values = { sequence: DEFAULT, id: DEFAULT };

const DIRECTORY_ROWS: Readonly<Record<string, Values>> = {
  audit_events: { event_id: UUID, directory_id: 'owner::text', create_time: AGO },
  delivery_attempts: { id: DEFAULT, source_id: 'owner', at: AGO },
  events: { ...EVENT, source_id: 'owner' },
  scim_requests: { id: UUID, directory_id: 'owner', at: AGO },
  setup_links: {
    id: UUID,
    directory_id: 'owner',
    secret_sha256: `sha256(('secret' || n)::bytea)`,
    session_sha256: 'NULL',
  },
  workspace_runs: { id: UUID, directory_id: 'owner', created_at: AGO },
};

const KEY_ROWS: Readonly<Record<string, Values>> = {
  audit_events: { event_id: UUID, actor_id: 'owner', create_time: AGO },
  delivery_attempts: { id: DEFAULT, at: AGO },
  events: EVENT,
  portal_sessions: {
    session_id: UUID,
    actor_id: 'owner',
    secret_sha256: `sha256(('portal' || n)::bytea)`,
    cookie_sha256: 'NULL',
    create_time: AGO,
  },
  usage: { subject: `'key-' || n`, actor_id: 'owner' },
};

const FORM_ROWS: Readonly<Record<string, Values>> = {
  audit_events: { event_id: UUID, schema_id: 'owner', create_time: AGO },
  delivery_attempts: { id: DEFAULT, at: AGO },
  events: EVENT,
  flows: {
    id_digest: `sha256(('flow' || n)::bytea)`,
    id: UUID,
    schema_id: 'owner',
    created_at: AGO,
  },
};

/** A user and a group of the same directory with the same number. */
const MEMBERS = `INSERT INTO dsync.group_members (directory_id, group_id, user_id)
  SELECT u.directory_id, g.id, u.id FROM dsync.users u
  JOIN dsync.groups g ON g.directory_id = u.directory_id AND g.external_id = u.external_id`;

/** All users of the large tenant are in its oldest group, and in its newest, which lists show first. */
const MEMBERS_OF_LARGE_GROUPS = `INSERT INTO dsync.group_members (directory_id, group_id, user_id)
  SELECT u.directory_id, g.id, u.id FROM dsync.users u
  JOIN dsync.directories d ON d.id = u.directory_id AND d.tenant = 'large'
  JOIN dsync.groups g ON g.directory_id = d.id AND (g.display_name = 'Large' OR g.id =
    (SELECT id FROM dsync.groups WHERE directory_id = d.id ORDER BY id DESC LIMIT 1))
  ON CONFLICT DO NOTHING`;

/** The endpoints of the small directories, with nothing to deliver. */
const WEBHOOKS = `INSERT INTO dsync.endpoints (id, source_id, url, cursor)
  SELECT id, id, '', (SELECT max(sequence) FROM dsync.events) FROM dsync.directories
  WHERE tenant LIKE 'small-%'`;

/** Owner and number of each new row. */
function ownersOf(large: string, small: string): string {
  return `SELECT owner, n FROM (${large}) o (owner), generate_series(1, ${LARGE}) n
    UNION ALL SELECT owner, ${LARGE} + row_number() OVER () FROM (${small}) o (owner)`;
}

class Copies {
  constructor(private readonly database: TestDatabase) {}

  /** Copies one row of a table for each owner. */
  async add(table: string, owners: string, values: Values): Promise<void> {
    const columns = await this.database.query<{ name: string }>(COLUMNS, [table]);
    const names = columns.map(({ name }) => name).filter((name) => values[name] !== DEFAULT);
    const list = names.map((name) => values[name] ?? `old.${name}`);
    const inserted = await this.database.query(
      `WITH old AS MATERIALIZED (SELECT * FROM ${table} LIMIT 1), owners AS (${owners})
        INSERT INTO ${table} (${names.join(', ')}) SELECT ${list.join(', ')} FROM old, owners
        RETURNING 1 AS one`,
    );
    if (inserted.length < SMALL) throw new Error(`${table} has no row to copy`);
  }
}

const COLUMNS = `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass
  AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attidentity = ''`;

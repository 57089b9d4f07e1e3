/**
 * Reads the PostgreSQL database of Polis, in one snapshot. Each record is a JSON text in `jackson_store`,
 * encrypted if Polis has DB_ENCRYPTION_KEY; `jackson_index` finds the records of a directory or group by a
 * digest of its id.
 */
import { createDecipheriv, createHash } from 'node:crypto';
import {
  type DirectoryContent,
  type ResourceKind,
  type SourceDirectory,
  type SourceGroup,
  type SourceUser,
} from '@gatehouse/directory-sync/imports';
import pg from 'pg';
import { StackFault } from '#local-stack/fault.mjs';
import {
  directoryOf,
  groupOf,
  type PolisDirectory,
  type PolisGroup,
  type PolisMember,
  type PolisSource,
  type PolisUser,
  userOf,
} from './polis-records.js';

const USERS_AT_ONCE = 500;
const GROUPS_AT_ONCE = 100;
const CONNECT_TIMEOUT_MS = 10_000;

interface Row {
  key: string;
  value: string;
  iv: string | null;
  tag: string | null;
}

const RECORDS = `SELECT i.key, s.value, s.iv, s.tag FROM jackson_index i
  JOIN jackson_store s ON s.key = i."storeKey"`;

/** @param encryptionKey the DB_ENCRYPTION_KEY of Polis; '' if it has none */
export async function openPolisDatabase(url: string, encryptionKey: string): Promise<PolisSource> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'gatehouse-import',
  });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const { rows } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('jackson_store') IS NOT NULL AS exists`,
  );
  if (!rows[0]?.exists) {
    await client.end();
    throw new StackFault('The database has no table "jackson_store"', 'Check POLIS_DATABASE_URL');
  }
  return new PolisDatabase(client, keyOf(encryptionKey));
}

class PolisDatabase implements PolisSource {
  private cursors = 0;

  constructor(
    private readonly client: pg.Client,
    private readonly key: Buffer | undefined,
  ) {}

  async *directories(): AsyncGenerator<SourceDirectory> {
    const { rows } = await this.client.query<Row>(
      `SELECT key, value, iv, tag FROM jackson_store WHERE namespace = 'dsync:config'
        ORDER BY "createdAt", key`,
    );
    for (const row of rows) yield directoryOf(this.open<PolisDirectory>(row));
  }

  contentOf(directory: SourceDirectory): DirectoryContent {
    return {
      users: () => this.users(directory),
      groups: () => this.groups(directory),
      deleted: (kind, ids) => this.deleted(directory, kind, ids),
    };
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  /** The newest first: of two users with the same name, Polis finds the newer one. */
  private async *users(directory: SourceDirectory): AsyncGenerator<SourceUser[]> {
    const key = `${namespaceOf('users', directory)}:directoryId:${digest(directory.id)}`;
    for await (const rows of this.pages(key, USERS_AT_ONCE)) {
      yield rows.map((row) => userOf(this.open<PolisUser>(row)));
    }
  }

  private async *groups(directory: SourceDirectory): AsyncGenerator<SourceGroup[]> {
    const key = `${namespaceOf('groups', directory)}:directoryId:${digest(directory.id)}`;
    for await (const rows of this.pages(key, GROUPS_AT_ONCE)) {
      const groups = rows.map((row) => this.open<PolisGroup>(row));
      const members = await this.membersOf(directory, groups);
      yield groups.map((group) => groupOf(group, members.get(group.id) ?? []));
    }
  }

  private async membersOf(
    directory: SourceDirectory,
    groups: readonly PolisGroup[],
  ): Promise<Map<string, string[]>> {
    const base = `${namespaceOf('members', directory)}:groupId:`;
    const keys = groups.map(({ id }) => base + digest(id));
    const { rows } = await this.client.query<Row>(`${RECORDS} WHERE i.key = ANY ($1)`, [keys]);
    const members = new Map<string, string[]>();
    for (const row of rows) {
      const { group_id, user_id } = this.open<PolisMember>(row);
      const there = members.get(group_id);
      if (there) there.push(user_id);
      else members.set(group_id, [user_id]);
    }
    return members;
  }

  private async deleted(
    directory: SourceDirectory,
    kind: ResourceKind,
    ids: readonly string[],
  ): Promise<string[]> {
    const base = `${namespaceOf(kind === 'user' ? 'users' : 'groups', directory)}:`;
    const keys = ids.map((id) => base + digest(id));
    const { rows } = await this.client.query<{ key: string }>(
      'SELECT key FROM jackson_store WHERE key = ANY ($1)',
      [keys],
    );
    const present = new Set(rows.map(({ key }) => key));
    return ids.filter((id) => !present.has(base + digest(id)));
  }

  private async *pages(key: string, size: number): AsyncGenerator<Row[]> {
    const cursor = `import_${(this.cursors += 1)}`;
    await this.client.query(
      `DECLARE ${cursor} NO SCROLL CURSOR FOR ${RECORDS}
        WHERE i.key = ${this.client.escapeLiteral(key)} ORDER BY i.id DESC`,
    );
    try {
      for (;;) {
        const { rows } = await this.client.query<Row>(`FETCH ${size} FROM ${cursor}`);
        if (rows.length === 0) return;
        yield rows;
      }
    } finally {
      await this.client.query(`CLOSE ${cursor}`).catch(() => undefined);
    }
  }

  private open<T>({ key, value, iv, tag }: Row): T {
    if (!iv || !tag) return JSON.parse(value) as T;
    if (!this.key) {
      throw new StackFault('The records of Polis are encrypted', 'Set POLIS_DB_ENCRYPTION_KEY');
    }
    try {
      const options = { authTagLength: 16 };
      const iv64 = Buffer.from(iv, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', this.key, iv64, options);
      decipher.setAuthTag(Buffer.from(tag, 'base64'));
      const text = decipher.update(value, 'base64', 'utf8') + decipher.final('utf8');
      return JSON.parse(text) as T;
    } catch {
      throw new StackFault(
        `The record ${key} cannot be decrypted`,
        'POLIS_DB_ENCRYPTION_KEY must be the DB_ENCRYPTION_KEY of Polis',
      );
    }
  }
}

function namespaceOf(
  store: 'users' | 'groups' | 'members',
  { tenant, product }: SourceDirectory,
): string {
  return `dsync:${store}:${tenant}:${product}`;
}

/** Not for security: Polis names its records by this digest. */
function digest(text: string): string {
  return createHash('ripemd160').update(text).digest('hex');
}

function keyOf(text: string): Buffer | undefined {
  if (text === '') return undefined;
  const key = Buffer.from(text, text.length === 32 ? 'latin1' : 'base64');
  if (key.length === 32) return key;
  throw new StackFault(
    'POLIS_DB_ENCRYPTION_KEY is neither 32 characters nor 32 bytes in Base64',
    'It must be the DB_ENCRYPTION_KEY of Polis',
    78,
  );
}

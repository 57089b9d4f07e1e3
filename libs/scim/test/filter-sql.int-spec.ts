import fc from 'fast-check';
// The property is about PostgreSQL itself, so this test of a pure library talks to one.
// eslint-disable-next-line @nx/enforce-module-boundaries
import pg from 'pg';
import { ScimError } from '../src/errors/scim-error.js';
import { type BoundFilter } from '../src/filter/bound-filter.js';
import { bindFilter } from '../src/filter/filter-binder.js';
import { matchesFilter } from '../src/filter/filter-evaluator.js';
import { parseFilter } from '../src/filter/filter-parser.js';
import { deriveUser } from '../src/resource/derived-fields.js';
import { foldCase } from '../src/json/json-access.js';
import { normalizeResource } from '../src/resource/resource-normalizer.js';
import { type JsonObject } from '../src/json/json.js';
import { bindSort, sortResources } from '../src/resource/sort.js';
import { userResourceType } from '../src/schema/resource-type.js';
import { type FilterColumns } from '../src/sql/filter-columns.js';
import { filterToSql } from '../src/sql/filter-sql.js';
import { filterTexts, type Sample, samples, sortPaths } from './samples.js';
import { SqlParameters } from '../src/sql/sql-parameters.js';
import { sortToSql } from '../src/sql/sort-sql.js';

/**
 * The SQL of a filter gives the rows that the evaluator in memory gives, and the SQL of a sort
 * order the same order: with columns for the usual attributes, and with the jsonb only.
 */

const withColumns: FilterColumns = {
  raw: 'u.raw',
  attributes: {
    id: { kind: 'column', sql: 'u.id', type: 'uuid', nullable: false },
    userName: {
      kind: 'column',
      sql: 'u.user_name',
      type: 'text',
      lowered: 'u.user_name_lower',
      nullable: false,
    },
    externalId: { kind: 'column', sql: 'u.external_id', type: 'text' },
    displayName: { kind: 'column', sql: 'u.display_name', type: 'text' },
    active: { kind: 'column', sql: 'u.active', type: 'boolean', nullable: false },
    emails: { kind: 'array', values: 'u.emails_lower' },
    groups: {
      kind: 'table',
      from: 'scim_test_members m',
      on: 'm.user_id = u.id',
      attributes: { value: { kind: 'column', sql: 'm.group_id', type: 'uuid' } },
    },
    'meta.resourceType': { kind: 'column', sql: "'User'", type: 'text' },
    'meta.created': { kind: 'column', sql: 'u.created_at', type: 'timestamp', nullable: false },
    'meta.lastModified': { kind: 'column', sql: 'u.created_at', type: 'timestamp' },
  },
};
const withoutColumns: FilterColumns = { raw: 'u.whole', attributes: {} };

const tables = `
  CREATE TEMP TABLE scim_test_users (
    id uuid PRIMARY KEY, user_name text NOT NULL, user_name_lower text COLLATE "C" NOT NULL,
    external_id text, display_name text, active boolean NOT NULL, emails_lower text[] NOT NULL,
    created_at timestamptz NOT NULL, raw jsonb NOT NULL, whole jsonb NOT NULL);
  CREATE TEMP TABLE scim_test_members (user_id uuid NOT NULL, group_id uuid NOT NULL);`;

interface StoredUser {
  id: string;
  /** As a client sees it, and as the evaluator reads it. */
  resource: JsonObject;
}

let client: pg.Client;

beforeAll(async () => {
  const connectionString = process.env.TEST_DATABASE_URL;
  if (connectionString === undefined) {
    throw new Error('Set TEST_DATABASE_URL to a PostgreSQL database.');
  }
  client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(tables);
});

afterAll(() => client.end());

async function store(users: Sample[]): Promise<StoredUser[]> {
  await client.query('TRUNCATE scim_test_users, scim_test_members');
  const stored: StoredUser[] = [];
  for (const [index, { body, created, groups }] of users.entries()) {
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    const raw = normalizeResource(body, userResourceType);
    const fields = deriveUser(raw);
    const resource = {
      ...raw,
      id,
      active: fields.active,
      groups: groups.map((value) => ({ value })),
      meta: { resourceType: 'User', created, lastModified: created },
    };
    await client.query(
      'INSERT INTO scim_test_users VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
      [
        id,
        fields.userName,
        foldCase(fields.userName),
        raw.externalId ?? null,
        raw.displayName ?? null,
        fields.active,
        fields.emails.map(foldCase),
        created,
        JSON.stringify(raw),
        JSON.stringify(resource),
      ],
    );
    for (const group of groups) {
      await client.query('INSERT INTO scim_test_members VALUES ($1, $2)', [id, group]);
    }
    stored.push({ id, resource });
  }
  return stored;
}

async function idsBySql(filter: BoundFilter, columns: FilterColumns): Promise<string[]> {
  const parameters = new SqlParameters();
  const condition = filterToSql(filter, columns, parameters);
  const { rows } = await client.query<{ id: string }>(
    `SELECT u.id FROM scim_test_users u WHERE ${condition} ORDER BY u.id`,
    parameters.values,
  );
  return rows.map(({ id }) => id);
}

function bound(text: string): BoundFilter | undefined {
  try {
    return bindFilter(parseFilter(text), userResourceType);
  } catch (error) {
    if (error instanceof ScimError && error.scimType === 'invalidFilter') {
      return undefined;
    }
    throw error;
  }
}

function usesTime(text: string): boolean {
  return text.includes('meta.');
}

describe('filterToSql', () => {
  it('selects the resources that the evaluator selects, with columns and on jsonb', async () => {
    const property = fc.asyncProperty(
      fc.array(samples, { minLength: 5, maxLength: 25 }),
      fc.array(filterTexts, { minLength: 20, maxLength: 20 }),
      async (users, texts) => {
        const stored = await store(users);
        for (const text of texts) {
          const filter = bound(text);
          if (filter === undefined) {
            continue;
          }
          const expected = stored
            .filter(({ resource }) => matchesFilter(filter, resource))
            .map(({ id }) => id);
          expect([text, await idsBySql(filter, withColumns)]).toEqual([text, expected]);
          if (!usesTime(text)) {
            expect([text, await idsBySql(filter, withoutColumns)]).toEqual([text, expected]);
          }
        }
      },
    );
    await fc.assert(property, { numRuns: 40 });
  }, 120_000);

  it('never puts client input into the SQL text', () => {
    const hostile = `x' OR 1=1; --`;
    const filter = bindFilter(
      parseFilter(
        `userName eq ${JSON.stringify(hostile)} or title co "${hostile}" or o.p sw "${hostile}"`,
      ),
      userResourceType,
    );
    const parameters = new SqlParameters();
    expect(filterToSql(filter, withColumns, parameters)).not.toContain('1=1');
    expect(parameters.values.join()).toContain('1=1');
  });
});

describe('sortToSql', () => {
  it('orders like sortResources and pages by key without gaps or duplicates', async () => {
    const property = fc.asyncProperty(
      fc.array(samples, { minLength: 1, maxLength: 20 }),
      fc.constantFrom(...sortPaths),
      fc.constantFrom('ascending', 'descending'),
      async (users, path, order) => {
        const stored = await store(users);
        const sort = bindSort(userResourceType, path, order)!;
        const byId = order === 'descending' ? [...stored].reverse() : stored;
        const sorted = sortResources(
          byId.map(({ resource }) => resource),
          sort,
        );
        const expected = sorted.map(({ id }) => id);
        for (const columns of usesTime(path) ? [withColumns] : [withColumns, withoutColumns]) {
          expect([path, await pageThrough(path, order, columns)]).toEqual([path, expected]);
        }
      },
    );
    await fc.assert(property, { numRuns: 60 });
  }, 120_000);

  async function pageThrough(path: string, order: string, columns: FilterColumns) {
    const sql = sortToSql(bindSort(userResourceType, path, order)!, columns);
    const ids: string[] = [];
    let last: { id: string; key: string | null } | undefined;
    for (;;) {
      const parameters = new SqlParameters();
      const where =
        last === undefined ? 'TRUE' : sql.after(last.key, 'u.id', last.id, parameters).join(' OR ');
      const page = await client.query<{ id: string; key: string | null }>(
        `SELECT u.id, ${sql.key} AS key FROM scim_test_users u WHERE ${where}
         ORDER BY ${sql.orderBy('u.id')} LIMIT 3`,
        parameters.values,
      );
      ids.push(...page.rows.map(({ id }) => id));
      last = page.rows.at(-1);
      if (page.rows.length < 3) {
        return ids;
      }
    }
  }
});

import { ScimError } from '../errors/scim-error.js';
import { bindElementFilter, bindFilter } from '../filter/filter-binder.js';
import { parseFilter } from '../filter/filter-parser.js';
import { MEMBERS_DEFINITION } from '../resource/members.js';
import { attribute } from '../schema/attribute.js';
import { defineResourceType, userResourceType } from '../schema/resource-type.js';
import { type FilterColumns } from './filter-columns.js';
import { elementFilterToSql, filterToSql } from './filter-sql.js';
import { SqlParameters } from './sql-parameters.js';

/** The shapes that indexes depend on; what the conditions mean is tested on PostgreSQL. */

const columns: FilterColumns = {
  raw: 'u.raw',
  attributes: {
    id: { kind: 'column', sql: 'u.id', type: 'uuid' },
    userName: { kind: 'column', sql: 'u.name', type: 'text', lowered: 'u.name_lower' },
    externalId: { kind: 'column', sql: 'u.external_id', type: 'text' },
    active: { kind: 'column', sql: 'u.active', type: 'boolean' },
    emails: { kind: 'array', values: 'u.emails' },
    groups: {
      kind: 'table',
      from: 'members m',
      on: 'm.user_id = u.id',
      attributes: { value: { kind: 'column', sql: 'm.group_id', type: 'uuid' } },
    },
    'meta.created': { kind: 'column', sql: 'u.created_at', type: 'timestamp' },
  },
};
const id = '7b6a0c1e-0000-4000-8000-000000000001';

function translate(text: string): [string, ...unknown[]] {
  const parameters = new SqlParameters();
  const filter = bindFilter(parseFilter(text), userResourceType);
  return [filterToSql(filter, columns, parameters), ...parameters.values];
}

it.each<[string, string, ...unknown[]]>([
  ['userName eq "KIM"', 'u.name_lower = $1::text', 'kim'],
  ['userName sw "50%_\\\\"', 'u.name_lower LIKE $1::text', '50\\%\\_\\\\%'],
  ['userName co "m"', 'u.name_lower LIKE $1::text', '%m%'],
  ['userName gt "m"', '(u.name_lower) COLLATE "C" > $1::text', 'm'],
  ['userName ne "kim"', '(u.name_lower = $1::text) IS NOT TRUE', 'kim'],
  ['externalId eq "E"', 'u.external_id = $1::text', 'E'],
  [`id eq "${id}"`, 'u.id = $1::uuid', id],
  [`id eq "${id.toUpperCase()}"`, 'FALSE'],
  ['id eq "1; DROP"', 'FALSE'],
  ['active eq "True"', 'u.active = $1::boolean', true],
  ['active pr', '(u.active) IS NOT NULL'],
  [
    'meta.created ge "2026-01-01T01:00:00+01:00"',
    'u.created_at >= $1::timestamptz',
    '2026-01-01T00:00:00.000Z',
  ],
  ['emails eq "A@b"', 'u.emails @> ARRAY[$1]::text[]', 'a@b'],
  ['emails.value eq "A@b"', 'u.emails @> ARRAY[$1]::text[]', 'a@b'],
  [
    `groups.value eq "${id}"`,
    'EXISTS (SELECT 1 FROM members m WHERE m.user_id = u.id AND m.group_id = $1::uuid)',
    id,
  ],
  ['groups pr', 'EXISTS (SELECT 1 FROM members m WHERE m.user_id = u.id)'],
  [
    'title eq "X"',
    `(lower(((u.raw ->> 'title')) COLLATE "und-x-icu") COLLATE "C") = (lower(($1::text) COLLATE "und-x-icu") COLLATE "C")`,
    'X',
  ],
  ['active eq true and userName pr', "(u.active = $1::boolean AND u.name <> '')", true],
])('%s', (text, sql, ...values) => {
  expect(translate(text)).toEqual([sql, ...values]);
});

it('narrows a value path by the indexed values before reading the elements', () => {
  const [sql, ...values] = translate('emails[type eq "work" and value eq "A@b"]');
  expect(sql).toMatch(
    /^\(u\.emails @> ARRAY\[\$1\]::text\[\] AND EXISTS \(SELECT 1 FROM jsonb_array_elements/,
  );
  expect(values[0]).toBe('a@b');
});

it('numbers its parameters after those of the statement', () => {
  const parameters = new SqlParameters(4);
  const filter = bindFilter(parseFilter('userName eq "a" or userName eq "b"'), userResourceType);
  expect(filterToSql(filter, columns, parameters)).toBe(
    '(u.name_lower = $4::text OR u.name_lower = $5::text)',
  );
  expect(parameters.values).toEqual(['a', 'b']);
});

it('translates a condition on members to their rows', () => {
  const parameters = new SqlParameters();
  const filter = bindElementFilter(
    parseFilter('type eq "Group" or value eq "x"'),
    MEMBERS_DEFINITION,
  );
  const sql = elementFilterToSql(
    filter,
    { type: { kind: 'column', sql: 'm.type', type: 'text' } },
    parameters,
  );
  expect(sql).toBe(
    '((lower((m.type) COLLATE "und-x-icu") COLLATE "C") = (lower(($1::text) COLLATE "und-x-icu") COLLATE "C") OR FALSE)',
  );
});

it('finds the rows of a member by the columns with an index', () => {
  const parameters = new SqlParameters();
  const filter = bindElementFilter(parseFilter(`value eq "${id}"`), MEMBERS_DEFINITION);
  const indexed = ['m.user_id', 'm.subgroup_id'];
  const sql = elementFilterToSql(
    filter,
    { value: { kind: 'column', sql: 'm.member_id', type: 'uuid', indexed } },
    parameters,
  );
  expect(sql).toBe(
    '(m.member_id = $1::uuid AND (m.user_id = $1::uuid OR m.subgroup_id = $1::uuid))',
  );
});

it('refuses to compare times without a column', () => {
  const type = defineResourceType({
    ...userResourceType,
    extensions: [
      {
        id: 'urn:x:hire:1.0:User',
        name: 'Hire',
        description: 'Hire',
        attributes: [attribute('hiredAt', 'dateTime', 'When.')],
      },
    ],
  });
  const filter = bindFilter(parseFilter('hiredAt gt "2026-01-01T00:00:00Z"'), type);
  expect(() => filterToSql(filter, columns, new SqlParameters())).toThrow(ScimError);
});

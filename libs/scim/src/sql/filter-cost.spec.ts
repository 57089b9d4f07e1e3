import { bindElementFilter, bindFilter } from '../filter/filter-binder.js';
import { parseFilter } from '../filter/filter-parser.js';
import { MEMBERS_DEFINITION } from '../resource/members.js';
import { userResourceType } from '../schema/resource-type.js';
import { type FilterColumns } from './filter-columns.js';
import { elementFilterCost, filterCost } from './filter-cost.js';

const columns: FilterColumns = {
  raw: 'u.raw',
  attributes: {
    id: { kind: 'column', sql: 'u.id', type: 'uuid', isIndexed: true },
    userName: { kind: 'column', sql: 'u.name', type: 'text', isIndexed: true },
    'meta.version': { kind: 'column', sql: 'u.version', type: 'text' },
    emails: { kind: 'array', values: 'u.emails' },
    groups: {
      kind: 'table',
      from: 'members m',
      on: 'm.user_id = u.id',
      attributes: {
        value: { kind: 'column', sql: 'm.group_id', type: 'uuid', isIndexed: true },
        type: { kind: 'column', sql: `'direct'`, type: 'text' },
      },
    },
  },
};

const costOf = (text: string) =>
  filterCost(bindFilter(parseFilter(text), userResourceType), columns);

it.each([
  'userName eq "a"',
  'userName sw "a"',
  'userName gt "a"',
  'id eq "00000000-0000-4000-8000-000000000000"',
  'emails eq "a@x"',
  'emails[value eq "a@x" and type eq "work"]',
  'groups.value eq "00000000-0000-4000-8000-000000000000"',
])('%s costs 1 for each term, because an index answers it', (filter) => {
  expect(costOf(filter)).toMatchObject({ dearest: { cost: 1 }, isIndexed: true });
});

it.each([
  ['userName co "a"', 5],
  ['userName pr', 5],
  ['id sw "a"', 5],
  ['meta.version eq "1"', 5],
  ['title eq "a"', 10],
  ['name.givenName co "a"', 10],
  ['emails pr', 10],
  ['emails.value co "a"', 20],
  ['emails[type eq "work"]', 20],
  ['groups.type eq "direct"', 20],
  ['schemas eq "a"', 20],
  ['x.y co "a"', 50],
  ['urn:x:y:1.0:User:z eq "a"', 50],
  ['emails.nothing eq "a"', 70],
  ['x[y eq "a"]', 110],
])('%s costs %d', (filter, cost) => {
  expect(costOf(filter)).toMatchObject({ total: cost, isIndexed: false });
});

it('a filter costs the sum of its terms and names the most expensive one', () => {
  const filter = 'userName eq "a" or not (title co "a" and (x0.y0 co "a" or emails.type eq "b"))';
  expect(costOf(filter)).toEqual({
    total: 81,
    dearest: { term: 'x0.y0 co', cost: 50 },
    isIndexed: false,
  });
});

it('a negation is not answered by an index, because all other resources match', () => {
  expect(costOf('userName ne "a"')).toMatchObject({ total: 1, isIndexed: false });
});

it('a condition on members costs the same for each term', () => {
  const filter = bindElementFilter(
    parseFilter('display co "a" or value eq "b"'),
    MEMBERS_DEFINITION,
  );
  expect(elementFilterCost(filter)).toMatchObject({ total: 40, dearest: { term: 'display co' } });
});

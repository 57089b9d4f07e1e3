import { userResourceType } from '../schema/resource-type.js';
import {
  parseListQuery,
  parseSearchRequest,
  parseSelectionQuery,
  SEARCH_REQUEST_SCHEMA,
} from './list-query.js';
import { listResponse } from './list-response.js';

const limits = { pageSizeDefault: 100, pageSizeMax: 1000 };
const read = (query: Record<string, unknown>) => parseListQuery(query, userResourceType, limits);
const search = (body: unknown) => parseSearchRequest(body, userResourceType, limits);

describe('parseListQuery', () => {
  it.each<[Record<string, unknown>, object]>([
    [{}, { mode: 'index', startIndex: 1, count: 100 }],
    [
      { startIndex: '3', count: '7' },
      { mode: 'index', startIndex: 3, count: 7 },
    ],
    [
      { startindex: '3', COUNT: '7' },
      { mode: 'index', startIndex: 3, count: 7 },
    ],
    [
      { startIndex: 3, count: 7 },
      { mode: 'index', startIndex: 3, count: 7 },
    ],
    [{ startIndex: '0' }, { mode: 'index', startIndex: 1, count: 100 }],
    [{ startIndex: '-7' }, { mode: 'index', startIndex: 1, count: 100 }],
    [{ count: '0' }, { mode: 'index', startIndex: 1, count: 0 }],
    [{ count: '-3' }, { mode: 'index', startIndex: 1, count: 0 }],
    [{ count: '1000000' }, { mode: 'index', startIndex: 1, count: 1000 }],
    [{ count: '9'.repeat(30) }, { mode: 'index', startIndex: 1, count: 1000 }],
    [
      { startIndex: '9'.repeat(30) },
      { mode: 'index', startIndex: Number.MAX_SAFE_INTEGER, count: 100 },
    ],
    [{ count: '' }, { mode: 'index', startIndex: 1, count: 100 }],
    [{ cursor: '' }, { mode: 'cursor', cursor: '', count: 100 }],
    [
      { cursor: 'abc', count: '5' },
      { mode: 'cursor', cursor: 'abc', count: 5 },
    ],
    [{ count: ['5', '6'] }, { mode: 'index', startIndex: 1, count: 5 }],
    [
      { aadOptscim062020: '', foo: { a: 1 } },
      { mode: 'index', startIndex: 1, count: 100 },
    ],
  ])('%j', (query, page) => {
    expect(read(query).page).toEqual(page);
  });

  it('binds filter, sort and selection', () => {
    const query = read({ filter: 'userName eq "x"', sortBy: 'title', attributes: 'userName' });
    expect(query.filter).toMatchObject({ kind: 'test' });
    expect(query.sort).toMatchObject({ descending: false });
    expect(query.selection.includes('emails')).toBe(false);
  });

  it('reads all names of a repeated parameter, in any case', () => {
    for (const { selection } of [
      read({ Attributes: ['userName', 'title'] }),
      { selection: parseSelectionQuery({ ATTRIBUTES: ['userName', 'title'] }, userResourceType) },
    ]) {
      const shown = ['userName', 'title', 'emails'].filter((name) => selection.includes(name));
      expect(shown).toEqual(['userName', 'title']);
    }
    expect(() => parseSelectionQuery({ attributes: { a: 1 } }, userResourceType)).toThrow(
      expect.objectContaining({ scimType: 'invalidValue' }),
    );
  });

  it('has the same key for every spelling of a query', () => {
    const key = (query: Record<string, unknown>) => read(query).key;
    expect(key({ filter: 'a EQ  "x"', count: '1' })).toBe(key({ filter: 'a eq "x"' }));
    expect(key({ sortBy: 'USERNAME' })).toBe(key({ sortBy: 'userName', sortOrder: 'ascending' }));
    expect(key({ filter: 'a eq "x"' })).not.toBe(key({ filter: 'a eq "y"' }));
    expect(key({ sortBy: 'userName' })).not.toBe(
      key({ sortBy: 'userName', sortOrder: 'descending' }),
    );
  });

  it.each<[Record<string, unknown>, string, string]>([
    [{ count: 'abc' }, 'invalidValue', 'count'],
    [{ count: '1.5' }, 'invalidValue', 'count'],
    [{ count: '1e3' }, 'invalidValue', 'count'],
    [{ startIndex: 'x' }, 'invalidValue', 'startIndex'],
    [{ cursor: '', count: 'abc' }, 'invalidCount', 'count'],
    [{ filter: 'userName' }, 'invalidFilter', 'filter'],
    [{ filter: '' }, 'invalidFilter', 'filter'],
    [{ filter: 'active gt true' }, 'invalidFilter', 'filter'],
    [{ filter: { a: 1 } }, 'invalidValue', 'filter'],
    [{ sortBy: 'a b' }, 'invalidPath', 'sortBy'],
    [{ sortOrder: 'up' }, 'invalidValue', 'sortOrder'],
    [{ attributes: 'a', excludedAttributes: 'b' }, 'invalidValue', 'attributes'],
  ])('refuses %j', (query, scimType, name) => {
    expect(() => read(query)).toThrow(
      expect.objectContaining({ status: 400, scimType, detail: expect.stringContaining(name) }),
    );
  });
});

describe('parseSearchRequest', () => {
  it('reads the same from a body', () => {
    const body = {
      schemas: [SEARCH_REQUEST_SCHEMA],
      filter: 'userName eq "x"',
      attributes: ['userName', 'name.givenName'],
      sortBy: 'userName',
      sortOrder: 'descending',
      startIndex: 2,
      count: 5,
    };
    const query = search(body);
    expect(query.page).toEqual({ mode: 'index', startIndex: 2, count: 5 });
    expect(query.sort?.descending).toBe(true);
    expect(query.key).toBe(
      read({ filter: body.filter, sortBy: 'userName', sortOrder: 'descending' }).key,
    );
    expect(search({ attributes: 'userName,title' }).selection.includes('title')).toBe(true);
    expect(search({ filter: null, cursor: '' }).page).toMatchObject({ mode: 'cursor' });
  });

  it.each<[unknown, string]>([
    [[], 'invalidSyntax'],
    [{ schemas: ['urn:x'], filter: 'userName pr' }, 'invalidSyntax'],
    [{ schemas: [5] }, 'invalidValue'],
    [{ filter: 5 }, 'invalidValue'],
    [{ filter: 'userName =' }, 'invalidFilter'],
    [{ attributes: [5] }, 'invalidValue'],
    [{ count: {} }, 'invalidValue'],
    [{ count: 1.5 }, 'invalidValue'],
    [{ cursor: 5 }, 'invalidValue'],
  ])('refuses %j', (body, scimType) => {
    expect(() => search(body)).toThrow(expect.objectContaining({ status: 400, scimType }));
  });
});

describe('listResponse', () => {
  it('counts the page', () => {
    expect(listResponse({ totalResults: 9, startIndex: 3, resources: [{ id: '1' }] })).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 9,
      startIndex: 3,
      itemsPerPage: 1,
      Resources: [{ id: '1' }],
    });
  });

  it('names the next page by its cursor', () => {
    expect(listResponse({ resources: [], nextCursor: 'n' })).toMatchObject({
      itemsPerPage: 0,
      nextCursor: 'n',
      Resources: [],
    });
  });
});

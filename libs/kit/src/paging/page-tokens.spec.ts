import { KeyRing } from '@gatehouse/crypto';
import * as fc from 'fast-check';
import { InputReader } from '../input/input-reader.js';
import { PageTokens, readPageRequest } from './page-tokens.js';

const REFUSED = { kind: 'invalid_argument', violations: [{ field: 'page_token' }] };
const OLD = 'old-secret-text-that-is-long-enough-0';
const NEW = 'new-secret-text-that-is-long-enough-1';
const tokens = PageTokens.fromRing(KeyRing.fromTexts([NEW, OLD]));

const ALL = ['a', 'b', 'c', 'd', 'e'];
const source = {
  fetch: (after: readonly string[] | undefined, limit: number) =>
    Promise.resolve(
      ALL.filter((row) => after === undefined || row > (after[0] ?? '')).slice(0, limit),
    ),
  positionOf: (row: string) => [row],
};
const page = (pageSize: number, pageToken = '', scope = 'rows', by = tokens) =>
  by.page(scope, { pageSize, pageToken }, source);

describe('PageTokens', () => {
  it('lead through every row once, and end with an empty token', async () => {
    const first = await page(2);
    const second = await page(2, first.nextPageToken);
    const third = await page(2, second.nextPageToken);
    expect([...first.rows, ...second.rows, ...third.rows]).toEqual(ALL);
    expect(third.nextPageToken).toBe('');
    expect((await page(5)).nextPageToken).toBe('');
  });

  it('return the position, only for the list and filter that they were made for', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string(),
        fc.string(),
        fc.array(fc.string(), { maxLength: 3 }),
        async (scope, other, position) => {
          let after: readonly string[] | undefined;
          const rows = {
            fetch: (given: readonly string[] | undefined) => {
              after = given;
              return Promise.resolve([1, 2]);
            },
            positionOf: () => position,
          };
          const { nextPageToken } = await tokens.page(scope, { pageSize: 1, pageToken: '' }, rows);
          await tokens.page(scope, { pageSize: 1, pageToken: nextPageToken }, rows);
          expect(after).toEqual(position);
          fc.pre(scope !== other);
          const elsewhere = tokens.page(other, { pageSize: 1, pageToken: nextPageToken }, rows);
          await expect(elsewhere).rejects.toMatchObject(REFUSED);
        },
      ),
    );
  });

  it('are refused with any character changed, cut or added', async () => {
    const { nextPageToken: token } = await page(2);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(token.length - 1),
        fc.constantFrom('A', 'z', '-', '.', ''),
        async (at, character) => {
          fc.pre(token[at] !== character);
          const altered = token.slice(0, at) + character + token.slice(at + 1);
          fc.pre(altered !== '');
          await expect(page(2, altered)).rejects.toMatchObject(REFUSED);
        },
      ),
    );
    for (const made of [`${token}=`, 'x', '!', 'x'.repeat(5000)]) {
      await expect(page(2, made)).rejects.toMatchObject(REFUSED);
    }
  });

  it('survive a rotation of the secret', async () => {
    const before = PageTokens.fromRing(KeyRing.fromTexts([OLD]));
    const { nextPageToken } = await page(2, '', 'rows', before);
    await expect(page(9, nextPageToken)).resolves.toMatchObject({ rows: ['c', 'd', 'e'] });
  });

  it('may use keys that are loaded when they are needed', async () => {
    const loaded = new PageTokens(() => Promise.resolve([Buffer.alloc(32, 1)]));
    const { nextPageToken } = await page(4, '', 'rows', loaded);
    await expect(page(4, nextPageToken, 'rows', loaded)).resolves.toMatchObject({ rows: ['e'] });
  });
});

describe('readPageRequest', () => {
  const read = (query: object) => readPageRequest(InputReader.ofQuery(query));

  it.each([
    [undefined, 50],
    ['', 50],
    ['0', 50],
    ['-7', 50],
    ['1', 1],
    ['1000', 1000],
    ['1001', 1000],
    ['9'.repeat(40), 1000],
    [`-${'9'.repeat(40)}`, 50],
    ['100000', 1000],
  ])('page_size %j is %d', (text, size) => {
    expect(read({ page_size: text }).pageSize).toBe(size);
  });

  it.each(['1.5', '1e3', 'many', ['1', '2'], {}])('page_size %j is refused', (value) => {
    const query = InputReader.ofQuery({ page_size: value });
    readPageRequest(query);
    expect(() => query.throwIfInvalid()).toThrow(/page_size/);
  });

  it('reads a smaller maximum, and the token as it is', () => {
    const query = InputReader.ofQuery({ page_size: '500', page_token: 'abc' });
    expect(readPageRequest(query, { max: 100 })).toEqual({ pageSize: 100, pageToken: 'abc' });
  });
});

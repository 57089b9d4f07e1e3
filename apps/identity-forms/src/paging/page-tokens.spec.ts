import { type PageTokenKeysRepository } from './page-token-keys.repository.js';
import { pageSizeOf, PageTokens } from './page-tokens.js';

const keys = { getOrInsert: (candidate: Buffer) => Promise.resolve(candidate) };
const all = ['a', 'b', 'c', 'd', 'e'];
const source = {
  fetch: (cursor: string | undefined, limit: number) =>
    Promise.resolve(all.filter((row) => cursor === undefined || row > cursor).slice(0, limit)),
  cursorOf: (row: string) => row,
};

describe('PageTokens', () => {
  const tokens = new PageTokens(keys as PageTokenKeysRepository);
  const page = (pageSize: number, pageToken = '', scope = 'rows') =>
    tokens.page(scope, { pageSize, pageToken }, source);

  it('goes through every row once and ends with an empty token', async () => {
    const first = await page(2);
    const second = await page(2, first.nextPageToken);
    const third = await page(2, second.nextPageToken);
    expect([...first.rows, ...second.rows, ...third.rows]).toEqual(all);
    expect(third.nextPageToken).toBe('');
    expect((await page(5)).nextPageToken).toBe('');
  });

  it('refuses a token that was altered, cut, made up, or belongs to another list', async () => {
    const { nextPageToken } = await page(2);
    const flipped = (nextPageToken.startsWith('A') ? 'B' : 'A') + nextPageToken.slice(1);
    for (const token of [flipped, nextPageToken.slice(1), `${nextPageToken}=`, 'x', '!']) {
      await expect(page(2, token)).rejects.toThrow(/page_token/);
    }
    await expect(page(2, nextPageToken, 'rows:other')).rejects.toThrow(/page_token/);
  });

  it('reads page sizes', () => {
    expect(['', undefined, '0', '-5', '10', '1000', '100000'].map(pageSizeOf)).toEqual([
      50, 50, 50, 50, 10, 1000, 1000,
    ]);
    expect(() => pageSizeOf('many')).toThrow(/page_size/);
  });
});

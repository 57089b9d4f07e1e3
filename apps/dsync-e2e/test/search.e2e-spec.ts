/** GET /search of the management API, over HTTP; its hits are tested with directory sync. */
import { type TestStack } from '@gatehouse/testing';
import { manage, newDirectory, openSyncStack, type Service, user } from './sync-stack.js';

let stack: TestStack;
let api: Service;

beforeAll(async () => {
  stack = await openSyncStack();
  api = await stack.start('dsync-api');
});
afterAll(() => stack.close());

const search = (query: Record<string, string>) =>
  manage(api, 'GET', `/search?${new URLSearchParams(query).toString()}`);

it('200: hits in the envelope of the management API, which no cache keeps', async () => {
  const { id, scim } = await newDirectory(api, { tenant: 'searched', product: 'shop' });
  const { body: made } = await scim('POST', '/Users', user('Grace & Co+1@example.com'));
  const answer = await search({ query: ' grace & CO+1', pageLimit: '1' });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(answer.body).toEqual({
    data: {
      hits: [
        {
          kind: 'user',
          id: made.id,
          title: 'Grace & Co+1@example.com',
          detail: expect.stringContaining('searched · shop'),
          parent_id: id,
        },
      ],
      is_more: false,
    },
    error: null,
  });
});

it.each([
  ['', 'query: is required'],
  ['?query=%20', 'query: is required'],
  ['?query=%00', 'query: must not contain control characters'],
  [`?query=${'x'.repeat(256)}`, 'query: must not exceed 255 characters'],
  ['?query=a&query=b', 'query: must be given only once'],
  ['?query=a&pageLimit=0', 'pageLimit: must be a whole number of at least 1'],
  ['?query=a&pageLimit=many', 'pageLimit: must be a whole number of at least 1'],
  ['?query=a&pageOffset=5', 'pageOffset'],
])('400: /search%s', async (query, message) => {
  const { status, body } = await manage(api, 'GET', `/search${query}`);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)]);
});

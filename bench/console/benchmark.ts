/** Pages of the console where there is much to show, and jobs in Chromium. */
import assert from 'node:assert/strict';
import { type BenchContext, type Benchmark } from '../runner/types.js';
import { ADMIN_KEY } from '../verify/sides.js';
import { type Filled, filled } from './fill.js';
import { JOBS } from './jobs.js';
import { filledStack, percentile, walkRow } from './walk.js';

/** Of each page. */
const REQUESTS = 100;

const PAGES: readonly (readonly [name: string, path: (filled: Filled) => string])[] = [
  ['the overview', () => '/'],
  ['keys, the newest', () => '/keys'],
  ['keys, by last characters', ({ lastCharacters }) => `/keys?preview=${lastCharacters}`],
  ['a key', ({ keyId }) => `/keys/${keyId}`],
  ['a person', () => '/people?id=bench-00000777'],
  ['directories', () => '/directories'],
  ['a directory', ({ directoryId }) => `/directories/${directoryId}`],
  ['users of a directory', ({ directoryId }) => `/directories/${directoryId}/users`],
  ['directories that are held', () => '/directories?state=held'],
  ['requests of a provider', ({ customer }) => `/directories/${customer.id}/requests`],
  [
    'requests that were refused',
    ({ customer }) => `/directories/${customer.id}/requests?status=4xx`,
  ],
  ['runs of a directory', ({ customer }) => `/directories/${customer.id}/runs`],
  [
    'a group of 100,000',
    ({ customer, groupId }) => `/directories/${customer.id}/groups/${groupId}`,
  ],
  ['endpoints', () => '/webhooks'],
  ['endpoints that fail', () => '/webhooks?state=failing'],
  ['schemas', () => '/forms'],
  ['identities', () => '/forms/identities'],
  ['the audit log', () => '/audit'],
  ['search: a letter', () => '/search?q=b'],
  ['search: what a million begin with', () => '/search?q=user'],
  ['search: an id', ({ keyId }) => `/search?list=yes&q=${keyId}`],
];

export const benchmark: Benchmark = {
  title: 'The console, with 1,000,000 keys, users and identities, and 10,000 directories',
  postgres: true,
  redis: true,
  isSystem: true,
  seconds: 3,
  rows: [
    ...JOBS.map(walkRow),
    ...PAGES.map(([name, path]) => ({
      kind: 'measure' as const,
      name,
      unit: 'ms, p95',
      aim: { atMost: 100 },
      measure: (context: BenchContext) =>
        withConsole(context, async (get, filled) => {
          const times: number[] = [];
          for (let n = 0; n < REQUESTS; n += 1) {
            const startMs = performance.now();
            await get(path(filled));
            times.push(performance.now() - startMs);
          }
          return percentile(times, 0.95);
        }),
    })),
    {
      kind: 'measure',
      name: 'first load of the overview',
      unit: 'kB, with style and script',
      aim: { atMost: 60 },
      measure: (context) =>
        withConsole(context, async (get) => {
          const page = await get('/');
          const files = [...page.matchAll(/(?:href|src)="\/console(\/assets\/[^"]+)"/g)];
          const texts = await Promise.all(files.map(([, path = '']) => get(path)));
          return Buffer.byteLength([page, ...texts].join('')) / 1_000;
        }),
    },
  ],
};

type Get = (path: string) => Promise<string>;

/** Signs in at the console of the filled stack. */
async function withConsole(
  context: BenchContext,
  work: (get: Get, filled: Filled) => Promise<number>,
): Promise<number> {
  const { url } = (await filledStack(context)).server;
  const signedIn = await fetch(`${url}/console/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ key: ADMIN_KEY }),
    redirect: 'manual',
  });
  assert.equal(signedIn.status, 303);
  const [cookie = ''] = signedIn.headers.getSetCookie();
  const headers = { cookie: cookie.split(';')[0] ?? '' };
  const get = async (path: string) => {
    const response = await fetch(`${url}/console${path}`, { headers, redirect: 'manual' });
    assert.equal(response.status, 200, path);
    return response.text();
  };
  return work(get, await filled(context));
}

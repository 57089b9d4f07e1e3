/** How long pages of the console take on the server, where there is much to show. */
import assert from 'node:assert/strict';
import { Client } from 'pg';
import { once } from '../runner/define.js';
import { type BenchContext, type Benchmark, type MeasureTools } from '../runner/types.js';
import { fillGroups, fillUsers } from '../scim/fill.js';
import { gatehouse } from '../small/sides.js';
import { fillKeys } from '../verify/keys.js';
import { ADMIN_KEY } from '../verify/sides.js';

const KEYS = 1_000_000;
const USERS = 1_000_000;
const IDENTITIES = 1_000_000;
const MEMBERS = 100_000;
const SECOND_USER = '01990000-0002-7000-8000-000000000002';
/** Of each page. */
const REQUESTS = 100;

interface Filled {
  readonly url: string;
  readonly keyId: string;
  readonly lastCharacters: string;
  readonly directoryId: string;
  readonly groupPath: string;
}

const PAGES: readonly (readonly [name: string, path: (filled: Filled) => string])[] = [
  ['the overview', () => '/'],
  ['keys, the newest', () => '/keys'],
  ['keys, by last characters', ({ lastCharacters }) => `/keys?preview=${lastCharacters}`],
  ['a key', ({ keyId }) => `/keys/${keyId}`],
  ['a person', () => '/people?id=bench-00000777'],
  ['directories', () => '/directories'],
  ['a directory', ({ directoryId }) => `/directories/${directoryId}`],
  ['users of a directory', ({ directoryId }) => `/directories/${directoryId}/users`],
  ['members of a group', ({ groupPath }) => groupPath],
  ['the last members of a group', ({ groupPath }) => `${groupPath}?after=${SECOND_USER}`],
  ['endpoints', () => '/webhooks'],
  ['identities', () => '/forms/identities'],
  ['the audit log', () => '/audit'],
  ['search: a letter', () => '/search?q=b'],
  ['search: what a million begin with', () => '/search?q=user'],
  ['search: an id', ({ keyId }) => `/search?list=yes&q=${keyId}`],
];

export const benchmark: Benchmark = {
  title: 'Pages of the console, with 1,000,000 keys, users and identities',
  postgres: true,
  redis: true,
  rows: [
    ...PAGES.map(([name, path]) => ({
      kind: 'measure' as const,
      name,
      unit: 'ms, p95',
      aim: { atMost: 100 },
      measure: (context: BenchContext, tools: MeasureTools) =>
        withConsole(context, tools, async (get, filled) => {
          const times: number[] = [];
          for (let n = 0; n < REQUESTS; n += 1) {
            const startMs = performance.now();
            await get(path(filled));
            times.push(performance.now() - startMs);
          }
          return times.sort((a, b) => a - b)[Math.ceil(REQUESTS * 0.95) - 1] as number;
        }),
    })),
    {
      kind: 'measure',
      name: 'first load of the overview',
      unit: 'kB, with style and script',
      aim: { atMost: 60 },
      measure: (context, tools) =>
        withConsole(context, tools, async (get) => {
          const page = await get('/');
          const files = [...page.matchAll(/(?:href|src)="\/console(\/assets\/[^"]+)"/g)];
          const texts = await Promise.all(files.map(([, path = '']) => get(path)));
          return Buffer.byteLength([page, ...texts].join('')) / 1_000;
        }),
    },
  ],
};

type Get = (path: string) => Promise<string>;

/** Signs in at the console of a process on the filled database. */
async function withConsole(
  context: BenchContext,
  { startServer }: MeasureTools,
  work: (get: Get, filled: Filled) => Promise<number>,
): Promise<number> {
  const data = await filled(context);
  const { url, stop } = await startServer(
    gatehouse(data.url, { ADMIN_API_KEYS: ADMIN_KEY, API_KEYS: ADMIN_KEY }),
  );
  try {
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
    return await work(get, data);
  } finally {
    await stop();
  }
}

const filled = once(async (context): Promise<Filled> => {
  const url = await context.databaseUrl('console');
  for (const app of ['key-service', 'dsync-api', 'identity-forms'] as const) {
    await context.migrate(app, url);
  }
  context.log('filling 1,000,000 keys, users and identities');
  const { keyIds, secrets } = await fillKeys(url, { keys: KEYS, secrets: 10 });
  const { filled: ofGroup, groupIds } = await fillGroups(url, [MEMBERS]);
  const { directory } = await fillUsers(url, USERS);
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(ADD_SCHEMA);
    await client.query(FILL_IDENTITIES, [IDENTITIES]);
    await client.query('VACUUM (ANALYZE) forms.identities');
  } finally {
    await client.end();
  }
  return {
    url,
    keyId: keyIds[0] ?? '',
    lastCharacters: secrets[0]?.slice(-4) ?? '',
    directoryId: directory.id,
    groupPath: `/directories/${ofGroup.directory.id}/groups/${groupIds[0]}`,
  };
});

const ADD_SCHEMA = `
  INSERT INTO forms.schemas (id, current_version) VALUES ('customer', 1);
  INSERT INTO forms.schema_versions (schema_id, version, digest, document) VALUES ('customer', 1, '\\x00',
    '{"type":"object","properties":{"traits":{"type":"object","properties":{"email":{"type":"string"}}}}}')`;

const FILL_IDENTITIES = `INSERT INTO forms.identities (id, schema_id, schema_version, traits)
  SELECT gen_random_uuid(), 'customer', 1, jsonb_build_object('email', 'user-' || n || '@example.com')
  FROM generate_series(1, $1::integer) AS n`;

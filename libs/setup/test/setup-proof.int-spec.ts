/** Setup pages show the requests that have arrived. */
import { uuidv7 } from '@gatehouse/kit/ids';
import { sqlOf } from '@gatehouse/nest-kit/database';
import { NEWEST_ENTRIES, useFixture } from '@gatehouse/directory-sync/testing';
import { CALL, setupOf } from './setup-of.js';

const fixture = useFixture();

interface Sent {
  status: number;
  count?: number;
  method?: string;
  path?: string;
  minutesAgo?: number;
}

/** Logs requests; those of later calls are newer. */
async function log({ status, count = 1, method, path, minutesAgo = 0 }: Sent): Promise<void> {
  const at = new Date(Date.now() - minutesAgo * 60_000);
  const ids = Array.from({ length: count }, () => uuidv7(at.getTime()));
  await fixture.database.query(
    `INSERT INTO dsync.scim_requests
        (id, directory_id, at, request_id, method, path, status, duration_ms, attributes)
      SELECT id, $2, $3, 'r', $4, $5 || CASE WHEN $6 > 1 THEN n::text ELSE '' END, $7, 1, '{}'
      FROM unnest($1::uuid[]) WITH ORDINALITY AS ids (id, n)`,
    [ids, fixture.directory.id, at, method ?? 'GET', path ?? '/Users', count, status],
  );
}
async function openLink(): Promise<string> {
  const { links: setupLinks, sessions: setupSessions } = setupOf(fixture.test);
  const { data: link } = await setupLinks.create({ directory_id: fixture.directory.id }, CALL);
  const secret = new URL(link?.url ?? '').pathname.replace('/setup/', '');
  return (await setupSessions.open(secret, CALL)).data?.cookie ?? '';
}
async function proofOf(cookie: string) {
  const { data, error } = await setupOf(fixture.test).sessions.proof(cookie);
  if (error) throw new Error(error.message);
  return data;
}

it('shows what was refused, however many requests look for what does not exist', async () => {
  const cookie = await openLink();
  await log({ status: 400, method: 'POST' });
  await log({ status: 404, count: 200 });
  const { hasRequest, isConnected, refused } = await proofOf(cookie);
  expect([hasRequest, isConnected]).toEqual([true, false]);
  expect(refused).toMatchObject([{ status: 400, method: 'POST', path: '/Users', count: 1 }]);
});

it('shows what was refused, whatever strangers send without a token', async () => {
  const cookie = await openLink();
  await log({ status: 409, method: 'POST' });
  await log({ status: 401, count: 100, path: '/path' });
  expect((await proofOf(cookie)).refused).toMatchObject([
    { status: 401, count: 50 },
    { status: 409, count: 1 },
  ]);
});

it('a token that works settles requests without one, and no other', async () => {
  const cookie = await openLink();
  await log({ status: 401 });
  await log({ status: 403, method: 'POST' });
  await log({ status: 413, method: 'POST' });
  expect((await proofOf(cookie)).isConnected).toBe(false);
  await log({ status: 200 });
  await log({ status: 404, count: 60 });
  const { isConnected, refused } = await proofOf(cookie);
  expect([isConnected, refused.map(({ status }) => status)]).toEqual([true, [413]]);
});

it('shows nothing from before the link was opened', async () => {
  await log({ status: 200, minutesAgo: 2 });
  await log({ status: 400, minutesAgo: 2 });
  const { hasRequest, isConnected, refused } = await proofOf(await openLink());
  expect([hasRequest, isConnected, refused]).toEqual([false, false, []]);
});

it('reads no request of another status, nor from before', async () => {
  await log({ status: 404, count: 5_000, minutesAgo: 1 });
  await log({ status: 400, count: 3, minutesAgo: 1 });
  await fixture.database.query('ANALYZE dsync.scim_requests');
  const since = new Date(Date.now() - 120_000);
  const explained = { text: `EXPLAIN (ANALYZE, BUFFERS) ${NEWEST_ENTRIES.text}` };
  const rows = await sqlOf(fixture.test.dataSource).rows<{ 'QUERY PLAN': string }>(explained, [
    fixture.directory.id,
    since,
    '00000000-0000-0000-0000-000000000000',
    [400],
    [400],
    [50],
  ]);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(/Index Cond: .*directory_id.*id >=.*status >= .*status <=/);
  expect(plan).not.toMatch(/Seq Scan|Rows Removed by Filter: [1-9]/);
});

/** Operators are told before a token expires and when it has, once each, and the scan reads what is due. */
import { OPERATIONS_SOURCE } from '@gatehouse/delivery';
import { createDelivery, type Delivery } from '../../src/delivery/create-delivery.js';
import { silentLogger } from '../../src/sync-logger.js';
import { LOCK_DUE_TOKENS } from '../../src/scim-tokens/scim-token.sql.js';
import { useFixture } from '../fixture.js';
import { ENCRYPTION_KEYS } from '../harness.js';

const fixture = useFixture();
const DAY_SECONDS = 86_400;
const HALF_HOUR = 1 / 48;
let workers: Delivery[];

const newWorker = (days: number[]) =>
  createDelivery({
    dataSource: fixture.test.dataSource,
    encryptionKeys: ENCRYPTION_KEYS,
    outbound: { allowPrivate: true },
    settings: {
      retryScheduleSeconds: [0],
      timeoutSeconds: 2,
      turnSeconds: 20,
      eventAttempts: 3,
      batchSize: 0,
    },
    logger: silentLogger,
    tokenExpiringThresholds: days.map((each) => each * DAY_SECONDS),
  });

beforeAll(() => {
  workers = [newWorker([1, 30, 7]), newWorker([1, 30, 7])];
});
afterAll(() => Promise.all(workers.map((worker) => worker.close())));

const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_SECONDS * 1_000);
const newToken = async (days: number | null, name = 'Okta') => {
  const expires_at = days === null ? null : daysFromNow(days).toISOString();
  const { data } = await fixture.test.sync.scimTokens.create(fixture.directory.id, {
    name,
    expires_at,
  });
  return data?.id ?? '';
};
/** Both workers scan at once, some days from now. */
const scan = (...days: number[]) =>
  days.reduce(async (before, day) => {
    await before;
    await Promise.all(workers.map((worker) => worker.noticeTokens(undefined, daysFromNow(day))));
  }, Promise.resolve());
const daily = (from: number, to: number) =>
  scan(...Array.from({ length: to - from + 1 }, (_, n) => from + n + HALF_HOUR));
const announced = async (id: string) => {
  const rows = await fixture.database.query<{ type: string; data: Record<string, unknown> }>(
    `SELECT type, data FROM dsync.events
      WHERE source_id = $1 AND data ->> 'token_id' = $2 ORDER BY sequence`,
    [OPERATIONS_SOURCE, id],
  );
  return rows.map(({ type, data: { threshold } }) =>
    type === 'directory.token_expired' ? 'expired' : parseInt(threshold as string) / DAY_SECONDS,
  );
};

it('each threshold is announced once, then the expiry, however many workers scan', async () => {
  const id = await newToken(40);
  await daily(0, 45);
  expect(await announced(id)).toEqual([30, 7, 1, 'expired']);
  const [row] = await fixture.database.query<{ data: object }>(
    `SELECT data FROM dsync.events WHERE data ->> 'token_id' = $1 LIMIT 1`,
    [id],
  );
  expect(row?.data).toMatchObject({
    directory_id: fixture.directory.id,
    token_name: 'Okta',
    threshold: '2592000s',
    tenant: fixture.directory.tenant,
    last_used_at: null,
  });
});

it('a threshold that the token never was outside of is not announced', async () => {
  const [exact, short, forever] = [
    await newToken(null, 'a'),
    await newToken(5, 'b'),
    await newToken(null, 'c'),
  ];
  await fixture.test.sync.scimTokens.rotate(fixture.directory.id, exact, { ttl: '7d' });
  await daily(0, 8);
  expect(await announced(exact)).toEqual([1, 'expired']);
  expect(await announced(short)).toEqual([1, 'expired']);
  expect(await announced(forever)).toEqual([]);
});

it('after a pause, only the nearest threshold is announced, and after the expiry only that', async () => {
  const [late, expired] = [await newToken(40), await newToken(20, 'b')];
  await scan(0.1, 36);
  expect([await announced(late), await announced(expired)]).toEqual([[7], ['expired']]);
});

it('a later expiry and a rotation start over; a deleted token is not announced', async () => {
  const { scimTokens } = fixture.test.sync;
  const { id: directoryId } = fixture.directory;
  const [extended, rotated, deleted] = [
    await newToken(8),
    await newToken(8, 'b'),
    await newToken(8, 'c'),
  ];
  await scan(0.1, 1.1);
  await scimTokens.update(directoryId, extended, { expires_at: daysFromNow(40).toISOString() });
  await scimTokens.rotate(directoryId, rotated, { expires_at: daysFromNow(40).toISOString() });
  await scimTokens.delete(directoryId, deleted);
  await daily(2, 41);
  for (const id of [extended, rotated]) {
    expect(await announced(id)).toEqual([7, 30, 7, 1, 'expired']);
  }
  expect(await announced(deleted)).toEqual([7]);
});

it('a new name does not repeat what was announced', async () => {
  const id = await newToken(8);
  await scan(0.1, 1.1);
  await fixture.test.sync.scimTokens.update(fixture.directory.id, id, { name: 'renamed' });
  await daily(2, 9);
  expect(await announced(id)).toEqual([7, 1, 'expired']);
});

it('the scan reads only the tokens that are due', async () => {
  await fixture.database.query(
    `INSERT INTO dsync.scim_tokens
      (directory_id, id, name, preview, sha256, created_at, expires_at, next_notice_at)
      SELECT $1, dsync.uuid_v7(), n::text, '', '', now(), now() + interval '1 year',
        now() + interval '300 days'
      FROM generate_series(1, 5000) n`,
    [fixture.directory.id],
  );
  await fixture.database.query('ANALYZE dsync.scim_tokens');
  const rows = await fixture.database.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN ${LOCK_DUE_TOKENS.text}`,
    [new Date(), 100],
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('scim_tokens_next_notice');
  await fixture.database.query('DELETE FROM dsync.scim_tokens WHERE directory_id = $1', [
    fixture.directory.id,
  ]);
});

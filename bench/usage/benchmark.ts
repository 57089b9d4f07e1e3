import assert from 'node:assert/strict';
import { Client } from 'pg';
import { once } from '../runner/define.js';
import { type BenchContext, type Benchmark, type HttpSide } from '../runner/types.js';
import { JSON_HEADERS, keyService, verifications } from '../verify/sides.js';

const FEW = { keys: 1_000, secrets: 100 };
const HOURS = 240;
/** Each was used in every hour by one of 4,000 actors. */
const KEYS = 41_667;
const QUERIES = 15;

export const benchmark: Benchmark = {
  title: 'Usage: what counting costs, and queries of 10,000,000 counts',
  postgres: true,
  redis: true,
  rows: [
    {
      kind: 'http',
      name: 'verify, cached, with usage',
      aim: { cpuRatio: 0.97 },
      subject: keyService(FEW, (_server, { secrets }) => verifications(secrets), {
        name: 'counted',
      }),
      floor: keyService(FEW, (_server, { secrets }) => verifications(secrets), {
        name: 'not counted',
        env: { USAGE_RECORDING: 'false' },
      }),
    },
    ...[
      ['a key by hour', 'filter=key_id%3D"key-777"&group_by=outcome'],
      ['the keys of an actor', 'filter=actor_id%3D"actor-77"&group_by=key'],
      ['all by hour', ''],
      ['all keys, a page', 'group_by=key'],
      ['refused keys, a page', 'group_by=key&filter=outcome%3Dexpired'],
    ].map(([name, query]) => ({
      kind: 'measure' as const,
      name: `10,000,000 key-hours: ${name}`,
      unit: 'ms, median',
      aim: { atMost: 300 },
      measure: (context: BenchContext, { startServer }: { startServer: StartServer }) =>
        measure(context, startServer, `interval=hour&page_size=1000&${query}`),
    })),
  ],
};

type StartServer = (side: HttpSide) => Promise<{ url: string; stop: () => Promise<void> }>;

async function measure(context: BenchContext, startServer: StartServer, query: string) {
  const side = keyService(FEW, () => ({ requests: [], check: () => undefined }), {
    env: async () => ({ DATABASE_URL: await filled(context) }),
  });
  const server = await startServer(side);
  const from = new Date(Date.now() - HOURS * 3_600_000).toISOString();
  const times: number[] = [];
  for (let n = 0; n < QUERIES; n += 1) {
    const startMs = performance.now();
    const response = await fetch(`${server.url}/v2alpha1/admin/usage?from=${from}&${query}`, {
      headers: JSON_HEADERS,
    });
    const { usage } = (await response.json()) as { usage: unknown[] };
    times.push(performance.now() - startMs);
    assert.equal(response.status, 200);
    assert.ok(usage.length > 100, `${usage.length} rows`);
  }
  await server.stop();
  return times.sort((a, b) => a - b)[Math.floor(QUERIES / 2)] as number;
}

const filled = once(async (context) => {
  const url = await context.databaseUrl('keys-usage');
  await context.migrate('key-service', url);
  context.log('filling 10,000,000 key-hours');
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SELECT keys.create_usage_partitions(current_date - 11, current_date)');
    await client.query(FILL, [KEYS, HOURS]);
    await client.query(SUM_UP);
    await client.query('VACUUM (ANALYZE) keys.usage');
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
  return url;
});

const COLUMNS = 'level, series, at, subject, tag, outcome, limit_name, actor_id, count, cost';

const FILL = `INSERT INTO keys.usage (${COLUMNS})
  SELECT 2, 1, date_trunc('hour', now(), 'UTC') - h * interval '1 hour', 'key-' || k, '',
    CASE WHEN k % 500 = 0 THEN 2 ELSE 0 END, '', 'actor-' || k % 4000, 7, 7
  FROM generate_series(0, $2::integer - 1) AS h, generate_series(1, $1::integer) AS k`;

const SUM_UP = `INSERT INTO keys.usage (${COLUMNS})
  SELECT 2, 3, at, actor_id, '', outcome, '', '', sum(count), sum(cost)
  FROM keys.usage WHERE level = 2 AND series = 1 GROUP BY at, actor_id, outcome
  UNION ALL
  SELECT 2, 6, at, '', '', outcome, '', '', sum(count), sum(cost)
  FROM keys.usage WHERE level = 2 AND series = 1 GROUP BY at, outcome`;

// @ts-check

/**
 * PostgreSQL and Redis for a run: the servers of TEST_DATABASE_URL and TEST_REDIS_URL.
 *
 * @param {import('./types.mjs').Benchmark} benchmark
 * @returns {Promise<{ postgresUrl?: string, redisUrl?: string, close: () => Promise<void> }>}
 */
export async function provideStores({ postgres, redis }) {
  const postgresUrl = process.env['TEST_DATABASE_URL'];
  const redisUrl = process.env['TEST_REDIS_URL'];
  if (postgres && !postgresUrl) throw new Error('Set TEST_DATABASE_URL to a PostgreSQL superuser.');
  if (redis && !redisUrl) throw new Error('Set TEST_REDIS_URL to a Redis server.');
  return { postgresUrl, redisUrl, close: async () => {} };
}

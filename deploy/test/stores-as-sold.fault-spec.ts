/** The services on stores as they are sold: behind a pooler, on Valkey, and as users with few rights. */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layoutAt, makeFolders, workspace } from '#local-stack/layout.mjs';
import { PGBOUNCER_SOURCE, startPgBouncer } from '#local-stack/pgbouncer.mjs';
import { unpackProgram } from '#local-stack/programs.mjs';
import { startRedis, VALKEY_SOURCE } from '#local-stack/redis.mjs';
import { stopRecorded } from '#local-stack/stopping.mjs';
import { freePort, requiredVariable, startRedisWithUsers } from '@gatehouse/testing';
import { Redis } from 'ioredis';
import { failuresOn } from './e2e-run.js';

const LIMIT_MS = 600_000;
const PASSWORD = 'test';
const { signal } = new AbortController();

const root = mkdtempSync(join(process.env.TEST_STACKS_FOLDER ?? tmpdir(), 'stores-'));
// PgBouncer runs as another user than root.
chmodSync(root, 0o755);
const layout = layoutAt(root);
makeFolders(layout);
afterAll(async () => {
  await stopRecorded(layout);
  rmSync(root, { recursive: true, force: true });
});

const context = { layout, signal };
const pgBouncer = await unpackProgram(PGBOUNCER_SOURCE, context);
const valkey = await unpackProgram(VALKEY_SOURCE, context);
const missing = [pgBouncer, valkey].find((each) => 'missing' in each);
const title = 'behind PgBouncer in transaction mode and on Valkey, all services work';
if ('missing' in pgBouncer || 'missing' in valkey) {
  it.skip(`${title} (not run: ${JSON.stringify(missing)})`, () => undefined);
} else {
  it(
    title,
    async () => {
      const serverUrl = requiredVariable('TEST_DATABASE_URL');
      const pooler = await startPgBouncer({ layout, port: await freePort(), serverUrl, signal });
      const plan = { layout, port: await freePort(), password: PASSWORD, signal };
      const { url } = await startRedis({ ...plan, program: valkey.path });
      const stores = { TEST_DATABASE_POOLER_URL: pooler.url, TEST_REDIS_URL: url };
      expect(await failuresOn(stores)).toBe('');
    },
    LIMIT_MS,
  );
}

/** The users of deploy/redis, for the namespaces of tests. */
function usersOfTests(): string {
  const template = readFileSync(join(workspace, 'deploy/redis/users.acl.template'), 'utf8');
  return template
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/>[A-Z_]+/g, `>${PASSWORD}`)
    .replaceAll(/ ([~&])(\{?)(?=\w)/g, ' $1$2test-*.');
}

describe('with a Redis user for each service', () => {
  let redis: Awaited<ReturnType<typeof startRedisWithUsers>> | undefined;
  beforeAll(async () => {
    redis = await startRedisWithUsers(usersOfTests());
  });
  afterAll(() => redis?.remove());

  it(
    'all services work, and Redis refuses none of their commands',
    async () => {
      const stores = { TEST_REDIS_URL: redis?.url ?? '', TEST_REDIS_USERS: PASSWORD };
      expect(await failuresOn(stores)).toBe('');
      const operator = new Redis(redis?.url ?? '');
      const refused = (await operator.call('ACL', 'LOG')) as unknown[][];
      operator.disconnect();
      expect(refused.map((entry) => entry.join(' '))).toEqual([]);
    },
    LIMIT_MS,
  );

  it.each(['key-service', 'identity-forms', 'dsync-api', 'dsync-worker', 'console'])(
    '%s can do nothing else',
    async (username) => {
      const url = Object.assign(new URL(redis?.url ?? ''), { username });
      const client = new Redis(url.href, { enableReadyCheck: false });
      for (const command of [
        ['FLUSHALL'],
        ['KEYS', '*'],
        ['SCAN', '0'],
        ['CONFIG', 'GET', 'dir'],
        ['ACL', 'WHOAMI'],
        ['MONITOR'],
        ['SCRIPT', 'FLUSH'],
        ['GET', 'test-1.other'],
        ['DEL', 'test-1.keys:other'],
        ['EVAL', "return redis.call('GET', 'test-1.other')", '0'],
        ['PUBLISH', 'test-1.other', 'x'],
        ['PSUBSCRIBE', '*'],
      ] as const) {
        const [name, ...args] = command;
        await expect(client.call(name, ...args)).rejects.toThrow(
          /NOPERM|The user executing the script can't/,
        );
      }
      client.disconnect();
    },
  );
});

/** The services on stores as they are sold: behind a pooler, and on Valkey. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reasonOf } from '#local-stack/fault.mjs';
import { layoutAt, makeFolders } from '#local-stack/layout.mjs';
import { provideNewer } from '#local-stack/newer-debian.mjs';
import { startPgBouncer } from '#local-stack/pgbouncer.mjs';
import { startRedis } from '#local-stack/redis.mjs';
import { stopRecorded } from '#local-stack/stopping.mjs';
import { freePort, requiredVariable } from '@gatehouse/testing';
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

const missing = await Promise.all([
  provideNewer('pgbouncer', { layout, signal }),
  provideNewer('valkey-server', { layout, signal }),
]).then(() => undefined, reasonOf);
const title = 'behind PgBouncer in transaction mode and on Valkey, all services work';
if (missing !== undefined) it.skip(`${title} (not run: ${missing})`, () => undefined);
else {
  it(
    title,
    async () => {
      const serverUrl = requiredVariable('TEST_DATABASE_URL');
      const pooler = await startPgBouncer({ layout, port: await freePort(), serverUrl, signal });
      const program = await provideNewer('valkey-server', { layout, signal });
      const plan = { layout, port: await freePort(), password: PASSWORD, signal, program };
      const { url } = await startRedis(plan);
      const stores = { TEST_DATABASE_POOLER_URL: pooler.url, TEST_REDIS_URL: url };
      expect(await failuresOn(stores)).toBe('');
    },
    LIMIT_MS,
  );
}

/** TLS to both stores, verified with an authority of one's own. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createTestDatabase,
  eventually,
  orClose,
  type TestAuthority,
  testAuthority,
  testRedis,
  tlsProxy,
} from '@gatehouse/testing';
import { loadConfig } from '@gatehouse/kit/settings';
import { ServiceConfig } from '../src/config/service.config.js';
import { createDataSource } from '../src/database/data-source.js';
import { untilDatabaseAnswers } from '../src/http/stand-in.js';
import { createLogger } from '../src/logging/logger.js';
import { closeRedis, redisConnection } from '@gatehouse/kit/redis';

const missing = (() => {
  try {
    execFileSync('openssl', ['version']);
    return undefined;
  } catch {
    return 'openssl is not there';
  }
})();

const CASES = [
  ['is used with the authority that signed its certificate', 'localhost', 'own', undefined],
  ['is refused with another authority', 'localhost', 'other', /certificate/],
  ['is refused without one', 'localhost', 'none', /certificate/],
  ['is refused under a name that its certificate lacks', '127.0.0.1', 'own', /altnames/],
] as const;

if (missing !== undefined) it.skip(`TLS (not run: ${missing})`, () => undefined);
else {
  describe('over TLS', () => {
    let folder: string;
    let own: TestAuthority;
    let authorities: Record<'own' | 'other' | 'none', string>;
    beforeAll(() => {
      own = testAuthority();
      authorities = { own: own.ca, other: testAuthority().ca, none: '' };
      folder = mkdtempSync(join(tmpdir(), 'tls-'));
      for (const name of ['own', 'other'] as const) {
        writeFileSync(join(folder, name), authorities[name]);
      }
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    /** The lines that are logged until the end of the test. */
    const logTo = (lines: string[]) =>
      createLogger('test', 'info', { destination: { write: (line) => void lines.push(line) } });

    it.each(CASES)('Redis %s', async (_title, host, authority, fault) => {
      const redis = testRedis();
      const proxy = await tlsProxy(redis.url, own);
      const url = Object.assign(new URL(redis.url), { hostname: host, port: String(proxy.port) });
      const lines: string[] = [];
      const { redis: settings } = loadConfig(ServiceConfig, {
        DATABASE_URL: 'postgres://localhost',
        REDIS_URL: url.href.replace(/^redis:/, 'rediss:'),
        REDIS_TLS_CA: authorities[authority],
      });
      const connection = redisConnection(settings, 'subscriber', logTo(lines));
      const close = async () => {
        await closeRedis(connection);
        await proxy.close();
        await redis.cleanup();
      };
      await orClose(close, () =>
        eventually(() => {
          if (fault === undefined) expect(connection.status).toBe('ready');
          else expect(lines.join('')).toMatch(fault);
        }),
      );
      await close();
    });

    it.each(CASES)('PostgreSQL %s', async (_title, host, authority, fault) => {
      const database = await createTestDatabase();
      const proxy = await tlsProxy(database.url, own);
      const url = Object.assign(new URL(database.url), {
        hostname: host,
        port: String(proxy.port),
      });
      url.searchParams.set('sslmode', 'verify-full');
      if (authority !== 'none') url.searchParams.set('sslrootcert', join(folder, authority));
      const definition = { schema: 'public', entities: [], migrations: [] };
      const source = createDataSource({ databaseUrl: url.href, ...definition });
      const close = async () => {
        if (source.isInitialized) await source.destroy();
        await proxy.close();
        await database.drop();
      };
      await orClose(close, async () => {
        const opened = source.initialize();
        if (fault === undefined) {
          await opened;
          expect(await source.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
        } else await expect(opened).rejects.toThrow(fault);
      });
      await close();
    });

    it('the reason why PostgreSQL is refused is logged while a service waits for it', async () => {
      const database = await createTestDatabase();
      const proxy = await tlsProxy(database.url, own);
      const url = Object.assign(new URL(database.url), { hostname: 'localhost' });
      url.port = String(proxy.port);
      writeFileSync(join(folder, 'changing'), authorities.other);
      url.search = `sslmode=verify-full&sslrootcert=${join(folder, 'changing')}`;
      const settings = {
        DATABASE_URL: url.href,
        REDIS_URL: 'redis://localhost',
        HOST: '127.0.0.1',
      };
      const lines: string[] = [];
      const config = loadConfig(ServiceConfig, settings);
      const answered = untilDatabaseAnswers({ config }, logTo(lines));
      await eventually(() => expect(lines.join('')).toMatch(/certificate.*waiting for PostgreSQL/));
      writeFileSync(join(folder, 'changing'), authorities.own);
      await (await answered)?.close();
      await proxy.close();
      await database.drop();
    });
  });
}

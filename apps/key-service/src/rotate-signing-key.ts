/**
 * `npm run keys:rotate-signing` adds a signing key, with the settings of the running service. The
 * replicas load it when notified over Redis, otherwise within a minute. `--at-once` makes it sign
 * now instead of in 20 minutes. `--drop-others` is for a leaked key: every JWT that another key
 * signed becomes invalid.
 */
import { parseArgs } from 'node:util';
import { KeyRing } from '@gatehouse/crypto';
import { closeRedis, redisConnection } from '@gatehouse/kit/redis';
import { loadConfigOrExit } from '@gatehouse/kit/settings';
import { sqlOf } from '@gatehouse/nest-kit/database';
import { createLogger } from '@gatehouse/nest-kit/logging';
import { SealedMessages } from '@gatehouse/nest-kit/messaging';
import { KeyServiceConfig } from './config.js';
import { createDataSource } from './data-source.js';
import { SigningKeysRepository } from './verification/credentials/signing-keys.repository.js';
import { SigningKeysService } from './verification/credentials/signing-keys.service.js';
import { CacheInvalidation } from './store/cache/cache-invalidation.js';
import { KeyCache } from './store/cache/key-cache.js';

const REDIS_WAIT_MS = 2_000;

const USAGE = `Usage: npm run keys:rotate-signing -- [--at-once] [--drop-others]
       node rotate-signing-key.js [--at-once] [--drop-others]

Adds a signing key. It is published in the JWKS now and signs in 20 minutes.

  --at-once      signs now
  --drop-others  after a leak: signs now, and invalidates every JWT of the other keys
`;

void rotateSigningKey();

async function rotateSigningKey(): Promise<void> {
  const values = readOptions();
  const config = loadConfigOrExit(KeyServiceConfig);
  const logger = createLogger('rotate-signing-key', 'silent');
  const dataSource = createDataSource(config.database.directUrl || config.database.url);
  const redis = redisConnection(config.redis, 'producer', logger);
  const ready = Promise.race([
    new Promise<boolean>((resolve) => redis.once('ready', () => resolve(true))),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(false), REDIS_WAIT_MS)),
  ]);

  try {
    await dataSource.initialize();
    const isRedisReady = await ready;
    const messages = new SealedMessages(KeyRing.fromTexts(config.messages.keys), 'key-service');
    const service = new SigningKeysService(
      config,
      KeyRing.fromTexts(config.encryptionKeys),
      logger,
      new SigningKeysRepository(sqlOf(dataSource)),
      new CacheInvalidation(config, redis, logger, new KeyCache(config), messages),
    );
    const dropOthers = values['drop-others'];
    const kid = await service.rotate({ atOnce: values['at-once'] || dropOthers, dropOthers });
    const learn = isRedisReady ? 'have been told' : 'will see it within a minute (Redis is away)';
    process.stdout.write(`Signing key ${kid} added; the running replicas ${learn}.\n`);
  } catch (error) {
    process.stderr.write(`No signing key was added: ${(error as Error).message}\n`);
    process.exitCode = 1;
  } finally {
    await closeRedis(redis);
    if (dataSource.isInitialized) await dataSource.destroy();
  }
}

function readOptions(): { 'at-once': boolean; 'drop-others': boolean } {
  const flag = { type: 'boolean', default: false } as const;
  try {
    const options = { 'at-once': flag, 'drop-others': flag, help: flag };
    const { help, ...given } = parseArgs({ options }).values;
    if (!help) return given;
    process.stdout.write(USAGE);
    process.exit(0);
  } catch (error) {
    // Node appends advice about arguments that begin with a dash.
    const [reason] = (error as Error).message.split('. To specify a positional argument');
    process.stderr.write(`${reason}\n\n${USAGE}`);
    process.exit(2);
  }
}

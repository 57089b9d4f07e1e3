/** The command that adds a signing key; see USAGE. */
import { parseArgs } from 'node:util';
import { KeyRing } from '@gatehouse/crypto';
import { type Exchange } from '@gatehouse/kit/exchange';
import { sqlOf } from '@gatehouse/nest-kit/database';
import { createLogger } from '@gatehouse/nest-kit/logging';
import { type KeyServiceConfig } from './config.js';
import { createDataSource } from './data-source.js';
import { SigningKeysRepository } from './verification/credentials/signing-keys.repository.js';
import { SigningKeysService } from './verification/credentials/signing-keys.service.js';
import { CacheInvalidation } from './store/cache/cache-invalidation.js';
import { KeyCache } from './store/cache/key-cache.js';

const USAGE = `Usage: npm run keys:rotate-signing -- [--at-once] [--drop-others]
       gatehouse [key-service] rotate-signing-key [--at-once] [--drop-others]

Adds a signing key. It is published in the JWKS now and signs in 20 minutes.

  --at-once      signs now
  --drop-others  after a leak: signs now, and invalidates every JWT of the other keys
`;

/**
 * Runs the command with the options of the process.
 *
 * @param load reads the settings of the running service
 * @param openExchange opens the exchange by which the replicas hear of the key
 */
export async function rotateSigningKey(
  load: () => KeyServiceConfig,
  openExchange: (config: KeyServiceConfig) => Exchange,
): Promise<void> {
  const values = readOptions();
  const config = load();
  const logger = createLogger('rotate-signing-key', 'silent');
  const dataSource = createDataSource(config.database.sessionUrl);
  const exchange = openExchange(config);

  try {
    await dataSource.initialize();
    const isHeard = await reachesOthers(exchange);
    const signingKeys = new SigningKeysService(
      config,
      KeyRing.fromTexts(config.encryptionKeys),
      logger,
      new SigningKeysRepository(sqlOf(dataSource)),
      new CacheInvalidation(exchange, logger, new KeyCache(config)),
    );
    const dropOthers = values['drop-others'];
    const kid = await signingKeys.rotate({ atOnce: values['at-once'] || dropOthers, dropOthers });
    const learn = isHeard ? 'have been told' : 'will see it within a minute';
    process.stdout.write(`Signing key ${kid} added; the running replicas ${learn}.\n`);
  } catch (error) {
    process.stderr.write(`No signing key was added: ${(error as Error).message}\n`);
    process.exitCode = 1;
  } finally {
    await exchange.close();
    if (dataSource.isInitialized) await dataSource.destroy();
  }
}

/** An exchange without a store is that of this process alone. */
function reachesOthers({ probes, messages }: Exchange): Promise<boolean> {
  const sent = probes.length > 0 ? messages.publish([]) : Promise.reject(new Error('no store'));
  return sent.then(
    () => true,
    () => false,
  );
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

import { migrateQueues } from '@gatehouse/kit/exchange';
import { migrate } from '@gatehouse/nest-kit/database';
import { type Logger } from 'pino';
import { createDataSource as console } from '../../console/src/data-source.js';
import { createDataSource as dsync } from '../../dsync-api/src/data-source.js';
import { createDataSource as forms } from '../../identity-forms/src/data-source.js';
import { createDataSource as keys } from '../../key-service/src/data-source.js';
import { type GatehouseConfig } from './config.js';

/** Applies the pending migrations of all services. Concurrent runs wait for each other. */
export async function migrateAll(
  { database: { sessionUrl, cell }, isAlone }: GatehouseConfig,
  logger: Logger,
): Promise<void> {
  for (const createDataSource of [keys, dsync, forms, console]) {
    const names = await migrate(createDataSource(sessionUrl), 'up', {
      cell,
      report: (progress) => logger.info({ progress }, 'migrating'),
    });
    if (names.length > 0) logger.info({ migrations: names }, 'migrated');
  }
  if (isAlone) await migrateQueues(sessionUrl);
}

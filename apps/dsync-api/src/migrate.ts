// `node dist/bundles/dsync-api/migrate.js [up | down [--to MIGRATION] --yes]`, with DATABASE_URL of the
// service's own role.
import { runMigrateCommand } from '@gatehouse/service-kit';
import { createDataSource } from './data-source.js';

await runMigrateCommand('dsync-api', createDataSource);

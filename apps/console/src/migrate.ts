// `node dist/bundles/console/migrate.js [up | down [--to MIGRATION] --yes]`, with DATABASE_URL of the
// service's own role.
import { runMigrateCommand } from '@gatehouse/nest-kit/database';
import { createDataSource } from './data-source.js';

void runMigrateCommand('console', createDataSource);

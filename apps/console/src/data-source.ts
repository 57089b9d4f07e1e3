import { createDataSource as createKitDataSource } from '@gatehouse/nest-kit/database';
import { type DataSource } from 'typeorm';
import { CreateConsole1796400000003 } from './migrations/1796400000003-create-console.migration.js';

export const database = {
  schema: 'console',
  tables: ['sessions'],
  entities: [],
  migrations: [CreateConsole1796400000003],
};

export function createDataSource(databaseUrl: string): DataSource {
  return createKitDataSource({ databaseUrl, ...database });
}

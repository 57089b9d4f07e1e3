import { databaseDefinition } from '@gatehouse/directory-sync';
import { createDataSource as createKitDataSource } from '@gatehouse/nest-kit/database';
import { type DataSource } from 'typeorm';

/** The database of directory sync, for migrations; the worker uses the same database. */
export function createDataSource(databaseUrl: string): DataSource {
  return createKitDataSource({ databaseUrl, ...databaseDefinition });
}

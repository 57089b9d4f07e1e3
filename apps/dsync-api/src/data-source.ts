import { databaseDefinition } from '@gatehouse/directory-sync';
import { createDataSource as createKitDataSource } from '@gatehouse/service-kit';
import { type DataSource } from 'typeorm';

/** The database of directory sync, for migrations; the worker uses the same database. */
export function createDataSource(databaseUrl: string): DataSource {
  return createKitDataSource({ databaseUrl, ...databaseDefinition });
}

import { migrate } from '@gatehouse/nest-kit/database';
import { createMigratedDatabase, type TestDatabase } from '@gatehouse/testing';
import { createDataSource } from '../src/data-source.js';

/** A fresh database with the tables of the key service. */
export function createKeyDatabase(): Promise<TestDatabase> {
  return createMigratedDatabase('key-service', (url) => migrate(createDataSource(url)));
}

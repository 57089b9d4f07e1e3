import { createDataSource as createKitDataSource } from '@gatehouse/nest-kit/database';
import { type DataSource } from 'typeorm';
import { CreateConsole1796400000003 } from './migrations/1796400000003-create-console.migration.js';
import { RememberSentForms1796600000001 } from './migrations/1796600000001-remember-sent-forms.migration.js';

export const database = {
  schema: 'console',
  tables: ['sessions', 'sent_forms'],
  entities: [],
  migrations: [CreateConsole1796400000003, RememberSentForms1796600000001],
};

export function createDataSource(databaseUrl: string): DataSource {
  return createKitDataSource({ databaseUrl, ...database });
}

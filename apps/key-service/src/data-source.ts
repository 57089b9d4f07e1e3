import { createDataSource as dataSourceOf } from '@gatehouse/nest-kit/database';
import { type DataSource } from 'typeorm';
import { AddPeople1796100000001 } from './migrations/1796100000001-add-people.migration.js';
import { AddTrustRules1796400000001 } from './migrations/1796400000001-add-trust-rules.migration.js';
import { ClaimLanes1796000000002 } from './migrations/1796000000002-claim-lanes.migration.js';
import { CreateRefusals1796300000002 } from './migrations/1796300000002-create-refusals.migration.js';
import { FindKeys1796300000001 } from './migrations/1796300000001-find-keys.migration.js';
import { SearchKeys1796500000001 } from './migrations/1796500000001-search-keys.migration.js';
import { CreateKeys1795600000001 } from './migrations/1795600000001-create-keys.migration.js';

/** The schema of the key service. It has no entities: all statements are SQL. */
export const database = {
  schema: 'keys',
  tables: ['api_keys', 'signing_keys', 'audit_events'],
  entities: [],
  migrations: [
    CreateKeys1795600000001,
    ClaimLanes1796000000002,
    AddPeople1796100000001,
    FindKeys1796300000001,
    CreateRefusals1796300000002,
    AddTrustRules1796400000001,
    SearchKeys1796500000001,
  ],
};

/** A data source for the migration tool; not yet connected. */
export function createDataSource(databaseUrl: string): DataSource {
  return dataSourceOf({ ...database, databaseUrl });
}

import { createDataSource as createKitDataSource } from '@gatehouse/nest-kit/database';
import { type DataSource } from 'typeorm';
import { CreateForms1763640000000 } from './migrations/1763640000000-create-forms.migration.js';
import { AddFlowHandles1763800000000 } from './migrations/1763800000000-add-flow-handles.migration.js';
import { RecomputeIdentifiers1763800000001 } from './migrations/1763800000001-recompute-identifiers.migration.js';
import { BindFlowsToBrowsers1763800000002 } from './migrations/1763800000002-bind-flows-to-browsers.migration.js';
import { CreateAuditEvents1763900000000 } from './migrations/1763900000000-create-audit-events.migration.js';
import { CreateIdentityEvents1764000000000 } from './migrations/1764000000000-create-identity-events.migration.js';
import { IndexAttemptsOfEndpoints1764100000001 } from './migrations/1764100000001-index-attempts-of-endpoints.migration.js';
import { LetWorkersDeliverIdentityEvents1764300000001 } from './migrations/1764300000001-let-workers-deliver-identity-events.migration.js';
import { KeepTracesOfIdentityEvents1765100000021 } from './migrations/1765100000021-keep-traces-of-identity-events.migration.js';
import { ReadIdentityEventsInOrder1765300003021 } from './migrations/1765300003021-read-identity-events-in-order.migration.js';
import { IdentitySchema } from './schemas/identity-schema.entity.js';
import { SchemaVersion } from './schemas/schema-version.entity.js';

/** The tables that administrators edit, and the migrations of all tables, in order. */
export const database = {
  schema: 'forms',
  tables: [
    'schemas',
    'schema_versions',
    'identities',
    'identifiers',
    'flows',
    'events',
    'page_token_keys',
    'audit_events',
  ],
  entities: [IdentitySchema, SchemaVersion],
  migrations: [
    CreateForms1763640000000,
    AddFlowHandles1763800000000,
    RecomputeIdentifiers1763800000001,
    BindFlowsToBrowsers1763800000002,
    CreateAuditEvents1763900000000,
    CreateIdentityEvents1764000000000,
    IndexAttemptsOfEndpoints1764100000001,
    LetWorkersDeliverIdentityEvents1764300000001,
    KeepTracesOfIdentityEvents1765100000021,
    ReadIdentityEventsInOrder1765300003021,
  ],
};

export function createDataSource(databaseUrl: string): DataSource {
  return createKitDataSource({ databaseUrl, ...database });
}

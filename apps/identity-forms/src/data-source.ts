import { createDataSource as createKitDataSource } from '@gatehouse/nest-kit/database';
import { type DataSource } from 'typeorm';
import { ClaimLanes1796000000003 } from './migrations/1796000000003-claim-lanes.migration.js';
import { LinkKeys1796200000002 } from './migrations/1796200000002-link-keys.migration.js';
import { FindSchemas1796500000002 } from './migrations/1796500000002-find-schemas.migration.js';
import { TitleSchemas1796500000001 } from './migrations/1796500000001-title-schemas.migration.js';
import { CreateForms1795600000003 } from './migrations/1795600000003-create-forms.migration.js';
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
    'key_links',
  ],
  entities: [IdentitySchema, SchemaVersion],
  migrations: [
    CreateForms1795600000003,
    ClaimLanes1796000000003,
    LinkKeys1796200000002,
    TitleSchemas1796500000001,
    FindSchemas1796500000002,
  ],
};

export function createDataSource(databaseUrl: string): DataSource {
  return createKitDataSource({ databaseUrl, ...database });
}

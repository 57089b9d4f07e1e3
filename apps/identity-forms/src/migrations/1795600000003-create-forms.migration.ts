import {
  createDeliveryTables,
  dropDeliveryTables,
  grantDelivery,
  revokeDelivery,
} from '@gatehouse/delivery';
import { createAuditTable } from '@gatehouse/kit/audit';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The schema of identity forms as of its first release. Later changes are migrations of their own. */
export class CreateForms1795600000003 implements MigrationInterface {
  readonly name = 'CreateForms1795600000003';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

/** Identity schemas. A version never changes (ADR 0032). */
const SCHEMAS = [
  `CREATE TABLE forms.schemas (
    id text PRIMARY KEY,
    is_public boolean NOT NULL DEFAULT false,
    current_version integer NOT NULL CHECK (current_version > 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  )`,
  // text, because jsonb would lose the order of the members, which is the order of the form.
  `CREATE TABLE forms.schema_versions (
    schema_id text NOT NULL REFERENCES forms.schemas (id),
    version integer NOT NULL CHECK (version > 0),
    digest bytea NOT NULL,
    document text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (schema_id, version),
    UNIQUE (schema_id, digest)
  )`,
];

const IDENTITIES = [
  `CREATE TABLE forms.identities (
    id uuid PRIMARY KEY,
    schema_id text NOT NULL,
    schema_version integer NOT NULL,
    traits jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    FOREIGN KEY (schema_id, schema_version)
      REFERENCES forms.schema_versions (schema_id, version)
  )`,
  `CREATE INDEX identities_by_schema ON forms.identities (schema_id, id)`,
  // The primary key makes identifiers unique, even between concurrent writers (ADR 0033).
  `CREATE TABLE forms.identifiers (
    schema_id text NOT NULL,
    digest bytea NOT NULL,
    identity_id uuid NOT NULL REFERENCES forms.identities (id) ON DELETE CASCADE,
    PRIMARY KEY (schema_id, digest)
  )`,
  `CREATE INDEX identifiers_by_identity ON forms.identifiers (identity_id)`,
  // Finds an identity by its identifier in any schema.
  `CREATE INDEX identifiers_by_digest ON forms.identifiers (digest)`,
];

/**
 * Flows. `id_digest` is the digest of the address; `id` is the public name, which opens nothing.
 * `browser_digest`: the digest of the cookie of the first browser that opened a flow, where only that
 * one may. `result_identity_id` has no foreign key: a flow stays used after its identity was deleted.
 */
const FLOWS = [
  `CREATE TABLE forms.flows (
    id_digest bytea PRIMARY KEY,
    id uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
    kind text NOT NULL CHECK (kind IN ('sign-up', 'profile')),
    schema_id text NOT NULL,
    schema_version integer NOT NULL,
    identity_id uuid REFERENCES forms.identities (id) ON DELETE CASCADE,
    return_to text,
    csrf_key bytea NOT NULL,
    is_bound boolean NOT NULL DEFAULT false,
    browser_digest bytea,
    result_identity_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    CHECK ((kind = 'profile') = (identity_id IS NOT NULL)),
    FOREIGN KEY (schema_id, schema_version)
      REFERENCES forms.schema_versions (schema_id, version)
  )`,
  `CREATE INDEX flows_by_expiry ON forms.flows (expires_at)`,
  `CREATE INDEX flows_by_identity ON forms.flows (identity_id)`,
];

/** Authenticates page tokens. The first replica that needs the key creates it. */
const PAGE_TOKEN_KEYS = [
  `CREATE TABLE forms.page_token_keys (
    id integer PRIMARY KEY CHECK (id = 1),
    key bytea NOT NULL
  )`,
];

/** The log of identity events and the webhook endpoints that receive them. */
const EVENTS = [
  ...createDeliveryTables('forms'),
  // For pages of one type.
  `CREATE INDEX events_type ON forms.events (type, sequence)`,
  grantDelivery('forms'),
];

const UP = [
  'CREATE SCHEMA IF NOT EXISTS forms',
  ...SCHEMAS,
  ...IDENTITIES,
  ...FLOWS,
  ...PAGE_TOKEN_KEYS,
  // Who administrated what.
  ...createAuditTable('forms', 'schema_id'),
  ...EVENTS,
];

const DOWN = [
  revokeDelivery('forms'),
  ...dropDeliveryTables('forms'),
  `DROP TABLE forms.audit_events, forms.page_token_keys, forms.flows, forms.identifiers,
    forms.identities, forms.schema_versions, forms.schemas`,
  'DROP FUNCTION forms.protect_audit_events',
];

import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Directories with their users, groups and memberships. Keys start with the directory, so a
 * membership across directories violates a foreign key. Texts that are compared without case have a
 * folded column too; folded and case-sensitive columns sort by bytes (COLLATE "C"), as keyset paging
 * and prefix ranges require.
 *
 * Lookups by id use a hash index on the id alone. Without it, the planner might read all rows of a
 * directory that is new, or whose table was never analyzed, to find one (ADR 0022).
 */
export class CreateDirectories1763640000001 implements MigrationInterface {
  readonly name = 'CreateDirectories1763640000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SCHEMA IF NOT EXISTS dsync');
    for (const statement of [DIRECTORIES, USERS, GROUPS, MEMBERS].flat()) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE dsync.group_members, dsync.groups, dsync.users, dsync.directories',
    );
  }
}

/** Makes autovacuum analyze the table soon after a new directory is filled. */
const ANALYZE_OFTEN = (table: string) =>
  `ALTER TABLE dsync.${table} SET (autovacuum_analyze_scale_factor = 0.02)`;

const DIRECTORIES = [
  `CREATE TABLE dsync.directories (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    tenant text NOT NULL CHECK (strpos(tenant, ':') = 0),
    product text NOT NULL CHECK (strpos(product, ':') = 0),
    type text NOT NULL,
    deactivated boolean NOT NULL DEFAULT false,
    log_webhook_events boolean NOT NULL DEFAULT false,
    attribute_mapping jsonb,
    webhook_endpoint text,
    webhook_secret_sealed text,
    webhook_secret_previous_sealed text,
    webhook_secret_previous_until timestamptz,
    webhook_stopped_at timestamptz,
    scim_secret_sealed text,
    scim_secret_sha256 bytea,
    scim_secret_previous_sha256 bytea,
    scim_secret_previous_until timestamptz,
    workspace_domain text,
    workspace_access_token_sealed text,
    workspace_refresh_token_sealed text,
    ignored_members bigint NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    deleted_at timestamptz
  )`,
  `CREATE INDEX directories_tenant_product ON dsync.directories (tenant, product, id)`,
  `CREATE INDEX directories_product ON dsync.directories (product, id)`,
  `CREATE INDEX directories_type ON dsync.directories (type, id)`,
  `CREATE INDEX directories_deleted ON dsync.directories (deleted_at) WHERE deleted_at IS NOT NULL`,
];

const USERS = [
  `CREATE TABLE dsync.users (
    directory_id uuid NOT NULL REFERENCES dsync.directories (id),
    id uuid NOT NULL,
    version integer NOT NULL DEFAULT 1,
    user_name text COLLATE "C" NOT NULL,
    user_name_lower text COLLATE "C" NOT NULL,
    external_id text COLLATE "C",
    display_name text COLLATE "C",
    display_name_lower text COLLATE "C",
    emails_lower text[] COLLATE "C" NOT NULL,
    first_name text,
    last_name text,
    email text,
    active boolean NOT NULL,
    raw jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (directory_id, id)
  )`,
  ANALYZE_OFTEN('users'),
  `CREATE INDEX users_id ON dsync.users USING hash (id)`,
  `CREATE UNIQUE INDEX users_user_name ON dsync.users (directory_id, user_name_lower)`,
  `CREATE INDEX users_external_id ON dsync.users (directory_id, external_id)
    WHERE external_id IS NOT NULL`,
  `CREATE INDEX users_display_name ON dsync.users (directory_id, display_name_lower)
    WHERE display_name_lower IS NOT NULL`,
  `CREATE INDEX users_emails ON dsync.users USING gin (emails_lower)`,
  `CREATE INDEX users_active ON dsync.users (directory_id, active, id)`,
  `CREATE INDEX users_created_at ON dsync.users (directory_id, created_at)`,
  `CREATE INDEX users_updated_at ON dsync.users (directory_id, updated_at)`,
];

const GROUPS = [
  `CREATE TABLE dsync.groups (
    directory_id uuid NOT NULL REFERENCES dsync.directories (id),
    id uuid NOT NULL,
    version integer NOT NULL DEFAULT 1,
    display_name text COLLATE "C" NOT NULL,
    display_name_lower text COLLATE "C" NOT NULL,
    unique_name text COLLATE "C",
    external_id text COLLATE "C",
    member_count integer NOT NULL DEFAULT 0,
    raw jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (directory_id, id)
  )`,
  ANALYZE_OFTEN('groups'),
  `CREATE INDEX groups_id ON dsync.groups USING hash (id)`,
  // Set only in directories whose type requires unique group names.
  `CREATE UNIQUE INDEX groups_unique_name ON dsync.groups (directory_id, unique_name)
    WHERE unique_name IS NOT NULL`,
  `CREATE INDEX groups_display_name ON dsync.groups (directory_id, display_name_lower)`,
  `CREATE INDEX groups_external_id ON dsync.groups (directory_id, external_id)
    WHERE external_id IS NOT NULL`,
  `CREATE INDEX groups_created_at ON dsync.groups (directory_id, created_at)`,
  `CREATE INDEX groups_updated_at ON dsync.groups (directory_id, updated_at)`,
];

const MEMBERS = [
  `CREATE TABLE dsync.group_members (
    directory_id uuid NOT NULL,
    group_id uuid NOT NULL,
    user_id uuid,
    subgroup_id uuid,
    member_id uuid GENERATED ALWAYS AS (coalesce(user_id, subgroup_id)) STORED,
    PRIMARY KEY (group_id, member_id),
    CHECK (num_nonnulls(user_id, subgroup_id) = 1),
    FOREIGN KEY (directory_id, group_id) REFERENCES dsync.groups (directory_id, id),
    FOREIGN KEY (directory_id, user_id) REFERENCES dsync.users (directory_id, id),
    FOREIGN KEY (directory_id, subgroup_id) REFERENCES dsync.groups (directory_id, id)
  )`,
  `CREATE INDEX group_members_user ON dsync.group_members (user_id, group_id)
    WHERE user_id IS NOT NULL`,
  `CREATE INDEX group_members_subgroup ON dsync.group_members (subgroup_id, group_id)
    WHERE subgroup_id IS NOT NULL`,
];

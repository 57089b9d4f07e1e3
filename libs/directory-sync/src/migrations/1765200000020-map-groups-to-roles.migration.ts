import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Roles from groups: the mapping of a directory with its rules, the groups to which each rule applies
 * (those that it names and the groups inside them), and the effective roles of users. `group_id` of a
 * role is the group through which the user has it, null for the default role; `group_name` is the name
 * that it had then. The mapping of a directory has its id; a preview has one of its own, which is rolled
 * back. `maps_roles` says that there is one, where it costs no look-up.
 *
 * No row references a user or a group: deleting one must not cost directories without a mapping
 * anything. The version before ignores all of it.
 */
export class MapGroupsToRoles1765200000020 implements MigrationInterface {
  readonly name = 'MapGroupsToRoles1765200000020';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION dsync.roles_of');
    await runner.query(
      'DROP TABLE dsync.user_roles, dsync.role_groups, dsync.role_rules, dsync.role_mappings',
    );
    await runner.query('ALTER TABLE dsync.directories DROP COLUMN maps_roles');
  }
}

const STATEMENTS = [
  'ALTER TABLE dsync.directories ADD COLUMN maps_roles boolean NOT NULL DEFAULT false',

  `CREATE TABLE dsync.role_mappings (
    id uuid PRIMARY KEY,
    directory_id uuid NOT NULL REFERENCES dsync.directories (id),
    default_role text COLLATE "C",
    mode text NOT NULL CHECK (mode IN ('all', 'highest')),
    state text NOT NULL CHECK (state IN ('applying', 'applied', 'removing')),
    position uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    users_total integer NOT NULL DEFAULT 0,
    users_processed integer NOT NULL DEFAULT 0,
    users_changed integer NOT NULL DEFAULT 0,
    settles_at timestamptz,
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    applied_at timestamptz(3)
  ) WITH (fillfactor = 70)`,
  `CREATE INDEX role_mappings_directory ON dsync.role_mappings (directory_id)`,
  `CREATE INDEX role_mappings_unfinished ON dsync.role_mappings (updated_at)
    WHERE state <> 'applied' OR settles_at IS NOT NULL`,

  `CREATE TABLE dsync.role_rules (
    mapping_id uuid NOT NULL REFERENCES dsync.role_mappings (id) ON DELETE CASCADE,
    number smallint NOT NULL,
    group_id uuid,
    external_id text COLLATE "C",
    display_name text COLLATE "C",
    display_name_lower text COLLATE "C",
    role text COLLATE "C" NOT NULL,
    priority integer NOT NULL,
    PRIMARY KEY (mapping_id, number),
    CHECK (num_nonnulls(group_id, external_id, display_name) = 1)
  )`,

  `CREATE TABLE dsync.role_groups (
    mapping_id uuid NOT NULL REFERENCES dsync.role_mappings (id) ON DELETE CASCADE,
    group_id uuid NOT NULL,
    number smallint NOT NULL,
    PRIMARY KEY (mapping_id, group_id, number)
  )`,

  `CREATE TABLE dsync.user_roles (
    directory_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text COLLATE "C" NOT NULL,
    group_id uuid,
    group_name text,
    PRIMARY KEY (user_id, role)
  )`,
  `CREATE INDEX user_roles_role ON dsync.user_roles (directory_id, role, user_id)`,

  // A function, so that statements that need roles only in directories with a mapping are planned as
  // if there were none.
  `CREATE FUNCTION dsync.roles_of(wanted uuid) RETURNS text[] LANGUAGE plpgsql STABLE COST 1 AS $$
    BEGIN
      RETURN ARRAY(SELECT r.role FROM dsync.user_roles r WHERE r.user_id = wanted ORDER BY r.role);
    END $$`,
];

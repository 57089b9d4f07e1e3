import { createDeliveryTables, dropDeliveryTables } from '@gatehouse/delivery';
import { createAuditTable } from '@gatehouse/kit/audit';
import { PARTITIONS_AHEAD_DAYS } from '@gatehouse/kit/sql';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The schema of directory sync as of its first release. Later changes are migrations of their own.
 *
 * Every row names its directory, and every key contains it: appended where rows are looked up by id, so
 * that the look-up keeps its index (ADR 0046).
 */
export class CreateDirectorySync1795600000002 implements MigrationInterface {
  readonly name = 'CreateDirectorySync1795600000002';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

/**
 * Directories. `revision` validates cached directories (ADR 0023); `reserved_*` is how much of its quota
 * processes have reserved (ADR 0024); `quiet_at` is when it was noticed that requests have stopped.
 * `scim_token_hashes` repeats what SCIM requests need of the tokens, because a join would cost every
 * request that reads the directory; each change of a token writes it anew. `maps_roles` says that there is
 * a role mapping, where that costs no look-up.
 */
const DIRECTORIES = [
  `CREATE TABLE dsync.directories (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    tenant text NOT NULL CHECK (strpos(tenant, ':') = 0),
    product text NOT NULL CHECK (strpos(product, ':') = 0),
    type text NOT NULL,
    revision integer NOT NULL DEFAULT 1,
    deactivated boolean NOT NULL DEFAULT false,
    strict boolean NOT NULL DEFAULT false,
    attribute_mapping jsonb,
    maps_roles boolean NOT NULL DEFAULT false,
    guard jsonb,
    scim_secret_sealed text,
    scim_secret_sha256 bytea,
    scim_secret_previous_sha256 bytea,
    scim_secret_previous_until timestamptz,
    scim_secret_used_at timestamptz(3),
    scim_token_hashes json,
    reserved_users bigint NOT NULL DEFAULT 0,
    reserved_groups bigint NOT NULL DEFAULT 0,
    reserved_bytes bigint NOT NULL DEFAULT 0,
    usage_counted_at timestamptz NOT NULL DEFAULT now(),
    ignored_members bigint NOT NULL DEFAULT 0,
    last_request_at timestamptz,
    last_success_at timestamptz,
    last_error_at timestamptz,
    last_error text,
    quiet_at timestamptz,
    capture_until timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    deleted_at timestamptz
  )`,
  `CREATE INDEX directories_tenant_product ON dsync.directories (tenant, product, id)`,
  // Lists, newest first.
  `CREATE INDEX directories_created_at ON dsync.directories (created_at, id)`,
  `CREATE INDEX directories_product ON dsync.directories (product, created_at, id)`,
  `CREATE INDEX directories_type ON dsync.directories (type, created_at, id)`,
  `CREATE INDEX directories_deleted ON dsync.directories (deleted_at) WHERE deleted_at IS NOT NULL`,
  // Finds the directories that have become quiet without reading the others.
  `CREATE INDEX directories_last_request ON dsync.directories (last_request_at)
    WHERE deleted_at IS NULL AND NOT deactivated AND quiet_at IS NULL`,
];

/** Makes autovacuum analyze the table soon after a new directory is filled. */
const ANALYZED_OFTEN = 'WITH (autovacuum_analyze_scale_factor = 0.02)';

/**
 * Users, groups and memberships. Keys contain the directory, so a membership across directories violates
 * a foreign key. Texts that are compared without case have a folded column too; folded and case-sensitive
 * columns sort by bytes (COLLATE "C"), as keyset paging and prefix ranges require. `raw_bytes` lets a page
 * end at a number of bytes before it reads the resources behind it.
 *
 * Lookups by id use a hash index on the id alone. Without it, the planner might read all rows of a
 * directory that is new, or whose table was never analyzed, to find one (ADR 0022). Indexes of optional
 * attributes include rows without the attribute, so a list sorted by it reads its index in order.
 */
const RESOURCES = [
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
    raw_bytes integer NOT NULL GENERATED ALWAYS AS (octet_length(raw::text)) STORED,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (directory_id, id)
  ) ${ANALYZED_OFTEN}`,
  `CREATE INDEX users_id ON dsync.users USING hash (id)`,
  `CREATE UNIQUE INDEX users_user_name ON dsync.users (directory_id, user_name_lower)`,
  `CREATE INDEX users_external_id ON dsync.users (directory_id, external_id, id)`,
  `CREATE INDEX users_display_name ON dsync.users (directory_id, display_name_lower, id)`,
  `CREATE INDEX users_emails ON dsync.users USING gin (emails_lower)`,
  `CREATE INDEX users_active ON dsync.users (directory_id, active, id)`,
  `CREATE INDEX users_created_at ON dsync.users (directory_id, created_at)`,
  `CREATE INDEX users_updated_at ON dsync.users (directory_id, updated_at)`,

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
    raw_bytes integer NOT NULL GENERATED ALWAYS AS (octet_length(raw::text)) STORED,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (directory_id, id)
  ) ${ANALYZED_OFTEN}`,
  `CREATE INDEX groups_id ON dsync.groups USING hash (id)`,
  // Set only in directories whose type requires unique group names.
  `CREATE UNIQUE INDEX groups_unique_name ON dsync.groups (directory_id, unique_name)
    WHERE unique_name IS NOT NULL`,
  `CREATE INDEX groups_display_name ON dsync.groups (directory_id, display_name_lower)`,
  `CREATE INDEX groups_external_id ON dsync.groups (directory_id, external_id, id)`,
  `CREATE INDEX groups_created_at ON dsync.groups (directory_id, created_at)`,
  `CREATE INDEX groups_updated_at ON dsync.groups (directory_id, updated_at)`,

  `CREATE TABLE dsync.group_members (
    directory_id uuid NOT NULL,
    group_id uuid NOT NULL,
    user_id uuid,
    subgroup_id uuid,
    member_id uuid GENERATED ALWAYS AS (coalesce(user_id, subgroup_id)) STORED,
    PRIMARY KEY (group_id, member_id, directory_id),
    CHECK (num_nonnulls(user_id, subgroup_id) = 1),
    FOREIGN KEY (directory_id, group_id) REFERENCES dsync.groups (directory_id, id),
    FOREIGN KEY (directory_id, user_id) REFERENCES dsync.users (directory_id, id),
    FOREIGN KEY (directory_id, subgroup_id) REFERENCES dsync.groups (directory_id, id)
  )`,
  `CREATE INDEX group_members_user ON dsync.group_members (user_id, group_id)
    WHERE user_id IS NOT NULL`,
  `CREATE INDEX group_members_subgroup ON dsync.group_members (subgroup_id, group_id)
    WHERE subgroup_id IS NOT NULL`,
  // Finds the groups inside a group without reading the users among its members.
  `CREATE INDEX group_members_inside ON dsync.group_members (group_id, subgroup_id)
    WHERE subgroup_id IS NOT NULL`,
];

/** Further tokens of directories for SCIM requests (ADR 0028). */
const SCIM_TOKENS = [
  `CREATE TABLE dsync.scim_tokens (
    directory_id uuid NOT NULL REFERENCES dsync.directories (id),
    id uuid NOT NULL,
    name text NOT NULL,
    preview text NOT NULL,
    sha256 bytea NOT NULL,
    created_at timestamptz(3) NOT NULL,
    rotated_at timestamptz(3),
    expires_at timestamptz(3),
    last_used_at timestamptz(3),
    previous_sha256 bytea,
    previous_until timestamptz(3),
    previous_used_at timestamptz(3),
    next_notice_at timestamptz(3),
    PRIMARY KEY (directory_id, id)
  ) WITH (fillfactor = 70)`,
  `CREATE INDEX scim_tokens_next_notice ON dsync.scim_tokens (next_notice_at)
    WHERE next_notice_at IS NOT NULL`,
];

/**
 * The log of SCIM requests, in daily partitions; counts of requests by hour; and what is known about the
 * client of a directory. `token_id` is null for the SCIM secret of the directory.
 */
const SCIM_REQUESTS = [
  `CREATE TABLE dsync.scim_requests (
    id uuid NOT NULL,
    directory_id uuid NOT NULL,
    at timestamptz(3) NOT NULL,
    token_id uuid,
    request_id text NOT NULL,
    method text NOT NULL,
    path text NOT NULL,
    filter text,
    status smallint NOT NULL,
    scim_type text,
    detail text,
    duration_ms real NOT NULL,
    user_agent text,
    attributes text[] NOT NULL,
    resource_id text,
    bodies_sealed text,
    PRIMARY KEY (id, at, directory_id)
  ) PARTITION BY RANGE (at)`,
  // Status and method are compared within the index, so that a filter reads no other rows.
  `CREATE INDEX scim_requests_directory
    ON dsync.scim_requests (directory_id, id, status, method)`,
  `CREATE INDEX scim_requests_resource ON dsync.scim_requests (directory_id, resource_id, id)
    WHERE resource_id IS NOT NULL`,

  `CREATE TABLE dsync.scim_request_hours (
    directory_id uuid NOT NULL,
    hour timestamptz NOT NULL,
    requests integer NOT NULL,
    errors integer NOT NULL,
    unauthorized integer NOT NULL,
    stored integer NOT NULL,
    captured integer NOT NULL,
    PRIMARY KEY (directory_id, hour)
  ) WITH (fillfactor = 70)`,

  `CREATE TABLE dsync.scim_clients (
    directory_id uuid PRIMARY KEY,
    provider text,
    user_agent text,
    last_at timestamptz(3),
    usual_gap_seconds real,
    unauthorized_at timestamptz(3)
  ) WITH (fillfactor = 70)`,

  // One partition for each day (UTC). ATTACH takes a lock that neither readers nor writers notice.
  `CREATE FUNCTION dsync.create_request_partitions(first date, last date) RETURNS integer
    LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      day date;
      part text;
      created integer := 0;
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtextextended('dsync.create_request_partitions', 0));
      day := first;
      WHILE day <= last LOOP
        part := 'scim_requests' || to_char(day, '_YYYYMMDD');
        IF to_regclass('dsync.' || part) IS NULL THEN
          EXECUTE format('CREATE TABLE dsync.%I (LIKE dsync.scim_requests INCLUDING ALL)', part);
          EXECUTE format('ALTER TABLE dsync.scim_requests ATTACH PARTITION dsync.%I
            FOR VALUES FROM (%L) TO (%L)', part, day || ' 00:00Z', (day + 1) || ' 00:00Z');
          created := created + 1;
        END IF;
        day := day + 1;
      END LOOP;
      RETURN created;
    END $$`,
  `SELECT dsync.create_request_partitions((now() AT TIME ZONE 'UTC')::date - 1,
    (now() AT TIME ZONE 'UTC')::date + ${PARTITIONS_AHEAD_DAYS})`,
];

/**
 * Roles from groups (ADR 0029): the mapping of a directory with its rules, the groups to which each rule
 * applies (those that it names and the groups inside them), and the effective roles of users. `group_id`
 * of a role is the group through which the user has it, null for the default role; `group_name` is the
 * name that it had then. The mapping of a directory has its id; a preview has one of its own, which is
 * rolled back.
 *
 * No row references a user or a group: deleting one must not cost directories without a mapping anything.
 */
const ROLES = [
  `CREATE TABLE dsync.role_mappings (
    id uuid NOT NULL,
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
    applied_at timestamptz(3),
    PRIMARY KEY (id, directory_id)
  ) WITH (fillfactor = 70)`,
  `CREATE INDEX role_mappings_directory ON dsync.role_mappings (directory_id)`,
  `CREATE INDEX role_mappings_unfinished ON dsync.role_mappings (updated_at)
    WHERE state <> 'applied' OR settles_at IS NOT NULL`,

  `CREATE TABLE dsync.role_rules (
    directory_id uuid NOT NULL,
    mapping_id uuid NOT NULL,
    number smallint NOT NULL,
    group_id uuid,
    external_id text COLLATE "C",
    display_name text COLLATE "C",
    display_name_lower text COLLATE "C",
    role text COLLATE "C" NOT NULL,
    priority integer NOT NULL,
    PRIMARY KEY (mapping_id, number, directory_id),
    FOREIGN KEY (mapping_id, directory_id)
      REFERENCES dsync.role_mappings (id, directory_id) ON DELETE CASCADE,
    CHECK (num_nonnulls(group_id, external_id, display_name) = 1)
  )`,

  `CREATE TABLE dsync.role_groups (
    directory_id uuid NOT NULL,
    mapping_id uuid NOT NULL,
    group_id uuid NOT NULL,
    number smallint NOT NULL,
    PRIMARY KEY (mapping_id, group_id, number, directory_id),
    FOREIGN KEY (mapping_id, directory_id)
      REFERENCES dsync.role_mappings (id, directory_id) ON DELETE CASCADE
  )`,

  `CREATE TABLE dsync.user_roles (
    directory_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text COLLATE "C" NOT NULL,
    group_id uuid,
    group_name text,
    PRIMARY KEY (user_id, role, directory_id)
  )`,
  `CREATE INDEX user_roles_role ON dsync.user_roles (directory_id, role, user_id)`,

  // A function, so that statements that need roles only in directories with a mapping are planned as
  // if there were none.
  `CREATE FUNCTION dsync.roles_of(wanted uuid) RETURNS text[] LANGUAGE plpgsql STABLE COST 1 AS $$
    BEGIN
      RETURN ARRAY(SELECT r.role FROM dsync.user_roles r WHERE r.user_id = wanted ORDER BY r.role);
    END $$`,
];

/** Every run updates `seen_run` of every row: free space keeps the new version on the same page. */
const UPDATED_OFTEN = 'WITH (fillfactor = 70, autovacuum_analyze_scale_factor = 0.02)';

/**
 * Workspace directories: connections to their providers, with the authorizations that administrators have
 * begun; runs (ADR 0026); what the provider listed; push notifications.
 *
 * A listed row is also the link to the stored user or group: `applied_hash` is the hash of the resource as
 * it was stored last, and `seen_run` is the run that listed the row last; a row that the latest run has not
 * seen is gone at the provider. `members_*`: how a listing changes the members of a group, null before a
 * run has compared them. Of a run: `amounts` is how much it has listed, against its bounds; `settings` are
 * those with which it began; with `change_token` the next one asks the provider for changes.
 */
const WORKSPACES = [
  `CREATE TABLE dsync.workspace_settings (
    directory_id uuid PRIMARY KEY REFERENCES dsync.directories (id),
    settings jsonb NOT NULL
  )`,

  `CREATE TABLE dsync.workspace_connections (
    directory_id uuid PRIMARY KEY REFERENCES dsync.directories ON DELETE CASCADE,
    provider text NOT NULL CHECK (provider IN ('google', 'entra')),
    domain text,
    administrator text,
    state text NOT NULL CHECK (state IN ('authorized', 'needs_authorization')),
    reason text,
    changed_at timestamptz NOT NULL DEFAULT now(),
    version integer NOT NULL DEFAULT 1,
    access_token_sealed text,
    refresh_token_sealed text,
    scope text,
    token_type text,
    expires_at timestamptz
  )`,
  // link_id: the setup link on whose pages the authorization was begun.
  `CREATE TABLE dsync.workspace_authorizations (
    state_sha256 bytea NOT NULL,
    directory_id uuid NOT NULL REFERENCES dsync.directories ON DELETE CASCADE,
    link_id uuid,
    verifier_sealed text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (state_sha256, directory_id)
  )`,
  `CREATE INDEX workspace_authorizations_of_directory
    ON dsync.workspace_authorizations (directory_id, created_at DESC)`,

  `CREATE TABLE dsync.workspace_runs (
    id uuid NOT NULL,
    directory_id uuid NOT NULL REFERENCES dsync.directories (id),
    trigger text NOT NULL CHECK (trigger IN ('schedule', 'demand', 'push', 'callback', 'scim')),
    settings jsonb,
    state text NOT NULL CHECK (state IN
      ('queued', 'listing', 'applying', 'held', 'succeeded', 'failed', 'discarded')),
    phase text NOT NULL,
    position text NOT NULL,
    page_token text,
    second_round boolean NOT NULL DEFAULT false,
    counts jsonb NOT NULL,
    amounts jsonb NOT NULL DEFAULT '{"bytes": 0, "memberships": 0}',
    pages integer NOT NULL DEFAULT 0,
    api_calls integer NOT NULL DEFAULT 0,
    setbacks integer NOT NULL DEFAULT 0,
    hold_reasons jsonb NOT NULL DEFAULT '[]',
    error text,
    not_before timestamptz NOT NULL DEFAULT now(),
    leased_by uuid,
    leased_until timestamptz,
    change_token text,
    unchanged_since timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    started_at timestamptz(3),
    finished_at timestamptz(3),
    PRIMARY KEY (id, directory_id)
  )`,
  `CREATE UNIQUE INDEX workspace_runs_unfinished ON dsync.workspace_runs (directory_id)
    WHERE state IN ('queued', 'listing', 'applying', 'held')`,
  `CREATE INDEX workspace_runs_directory ON dsync.workspace_runs (directory_id, id)`,
  `CREATE INDEX workspace_runs_due ON dsync.workspace_runs (not_before)
    WHERE state IN ('queued', 'listing', 'applying')`,

  `CREATE TABLE dsync.workspace_users (
    directory_id uuid NOT NULL REFERENCES dsync.directories (id),
    external_id text COLLATE "C" NOT NULL,
    user_id uuid,
    listed_hash text NOT NULL,
    applied_hash text,
    resource jsonb,
    seen_run uuid NOT NULL,
    failure text,
    PRIMARY KEY (directory_id, external_id)
  ) ${UPDATED_OFTEN}`,

  `CREATE TABLE dsync.workspace_groups (
    directory_id uuid NOT NULL REFERENCES dsync.directories (id),
    external_id text COLLATE "C" NOT NULL,
    group_id uuid,
    listed_hash text NOT NULL,
    applied_hash text,
    resource jsonb,
    names text[] NOT NULL,
    chosen boolean NOT NULL,
    members_listed integer,
    members_added integer,
    members_removed integer,
    seen_run uuid NOT NULL,
    failure text,
    PRIMARY KEY (directory_id, external_id)
  ) ${UPDATED_OFTEN}`,

  `CREATE TABLE dsync.workspace_members (
    directory_id uuid NOT NULL REFERENCES dsync.directories (id),
    group_external_id text COLLATE "C" NOT NULL,
    member_external_id text COLLATE "C" NOT NULL,
    is_group boolean NOT NULL,
    seen_run uuid NOT NULL,
    PRIMARY KEY (directory_id, group_external_id, member_external_id)
  ) ${UPDATED_OFTEN}`,
  // Follows nested groups without reading the users among their members.
  `CREATE INDEX workspace_members_nested
    ON dsync.workspace_members (directory_id, group_external_id, member_external_id)
    WHERE is_group`,

  // run_due_at: something has changed, so a run is due. check_at: when the channels are opened or
  // renewed next.
  `CREATE TABLE dsync.workspace_push (
    directory_id uuid PRIMARY KEY REFERENCES dsync.directories ON DELETE CASCADE,
    run_due_at timestamptz,
    pushed_at timestamptz,
    check_at timestamptz NOT NULL DEFAULT now(),
    leased_by uuid,
    leased_until timestamptz,
    setbacks integer NOT NULL DEFAULT 0,
    error text,
    active_until timestamptz
  )`,
  `CREATE INDEX workspace_push_due ON dsync.workspace_push (run_due_at)
    WHERE run_due_at IS NOT NULL`,
  // A channel without expires_at is being opened.
  `CREATE TABLE dsync.workspace_channels (
    id uuid NOT NULL,
    directory_id uuid NOT NULL REFERENCES dsync.directories ON DELETE CASCADE,
    topic text NOT NULL,
    watched text NOT NULL,
    token_sha256 bytea NOT NULL,
    provider_id text,
    expires_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (id, directory_id)
  )`,
  `CREATE INDEX workspace_channels_of_directory ON dsync.workspace_channels (directory_id)`,
];

/**
 * The guard of SCIM directories (ADR 0027): what has been removed since a window began, and the removals
 * that wait for a decision. The run that holds them has the trigger `scim`. `member_ids`: the members of
 * a group whose removal would take a protected role from all users.
 */
const GUARD = [
  `CREATE TABLE dsync.guard_windows (
    directory_id uuid PRIMARY KEY REFERENCES dsync.directories (id),
    started_at timestamptz,
    users_before integer NOT NULL DEFAULT 0,
    groups_before integer NOT NULL DEFAULT 0,
    users integer NOT NULL DEFAULT 0,
    groups integer NOT NULL DEFAULT 0,
    open_until timestamptz
  )`,
  `CREATE TABLE dsync.held_removals (
    directory_id uuid NOT NULL REFERENCES dsync.directories (id),
    kind text NOT NULL CHECK (kind IN ('user', 'group')),
    resource_id uuid NOT NULL,
    operation text NOT NULL CHECK (operation IN ('delete', 'deactivate', 'empty', 'members')),
    member_ids uuid[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (directory_id, kind, resource_id)
  )`,
];

/**
 * Setup links (ADR 0035): an address that opens once, for the administrator of an identity provider, and
 * the session that it becomes. Only hashes of both secrets are stored. `attributes` and `roles` are those
 * that the pages offer to map; `reopen_until`: until when a link whose session was not entered can be
 * opened again.
 */
const SETUP_LINKS = [
  `CREATE TABLE dsync.setup_links (
    id uuid NOT NULL,
    directory_id uuid NOT NULL REFERENCES dsync.directories ON DELETE CASCADE,
    -- A link is found by its secrets, in whichever directory: they are unique within a cell.
    secret_sha256 bytea NOT NULL UNIQUE,
    allow text[] NOT NULL,
    attributes text[] NOT NULL DEFAULT '{}',
    roles text[] NOT NULL DEFAULT '{}',
    return_url text,
    locale text,
    provider text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    expires_at timestamptz(3) NOT NULL,
    revoked_at timestamptz(3),
    session_sha256 bytea UNIQUE,
    session_seconds integer NOT NULL,
    csrf_key bytea NOT NULL,
    opened_at timestamptz(3),
    reopen_until timestamptz(3),
    session_expires_at timestamptz(3),
    session_ended_at timestamptz(3),
    token_created_at timestamptz(3),
    consented_at timestamptz(3),
    connected_at timestamptz(3),
    completed_at timestamptz(3),
    PRIMARY KEY (id, directory_id)
  )`,
  `CREATE INDEX setup_links_of_directory ON dsync.setup_links (directory_id, id)`,
  // Links that wait for the first request of the provider.
  `CREATE INDEX setup_links_waiting ON dsync.setup_links (opened_at)
    WHERE opened_at IS NOT NULL AND connected_at IS NULL`,
  `CREATE INDEX setup_links_by_expiry ON dsync.setup_links (expires_at)`,
];

/**
 * The resources that an import has written, until it is completed: a later one compares with them to find
 * out what has changed at the source and what has changed here.
 */
const IMPORTS = [
  `CREATE TABLE dsync.imports (
    directory_id uuid PRIMARY KEY REFERENCES dsync.directories (id),
    hash bytea NOT NULL,
    revision integer NOT NULL,
    imported_at timestamptz NOT NULL DEFAULT now(),
    activated_at timestamptz
  )`,
  `CREATE TABLE dsync.imported_resources (
    directory_id uuid NOT NULL REFERENCES dsync.directories (id),
    kind text NOT NULL CHECK (kind IN ('user', 'group')),
    id uuid NOT NULL,
    hash bytea NOT NULL,
    version integer NOT NULL,
    members uuid[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (directory_id, kind, id)
  )`,
];

const UP = [
  'CREATE SCHEMA IF NOT EXISTS dsync',
  ...DIRECTORIES,
  ...RESOURCES,
  ...SCIM_TOKENS,
  ...SCIM_REQUESTS,
  ...ROLES,
  ...WORKSPACES,
  ...GUARD,
  ...SETUP_LINKS,
  ...IMPORTS,
  // Who administrated what.
  ...createAuditTable('dsync', 'directory_id'),
  // The log of events and the webhook endpoints that receive them.
  ...createDeliveryTables('dsync'),
];

const DOWN = [
  ...dropDeliveryTables('dsync'),
  `DROP TABLE dsync.audit_events, dsync.imported_resources, dsync.imports, dsync.setup_links,
    dsync.held_removals, dsync.guard_windows, dsync.workspace_channels, dsync.workspace_push,
    dsync.workspace_members, dsync.workspace_groups, dsync.workspace_users, dsync.workspace_runs,
    dsync.workspace_authorizations, dsync.workspace_connections, dsync.workspace_settings,
    dsync.user_roles, dsync.role_groups, dsync.role_rules, dsync.role_mappings, dsync.scim_clients,
    dsync.scim_request_hours, dsync.scim_requests, dsync.scim_tokens, dsync.group_members,
    dsync.groups, dsync.users, dsync.directories`,
  'DROP FUNCTION dsync.protect_audit_events, dsync.create_request_partitions, dsync.roles_of',
];

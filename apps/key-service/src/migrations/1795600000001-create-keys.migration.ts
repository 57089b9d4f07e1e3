import {
  createDeliveryTables,
  dropDeliveryTables,
  grantDelivery,
  revokeDelivery,
} from '@gatehouse/delivery';
import { protectAuditTable } from '@gatehouse/kit/audit';
import { PARTITIONS_AHEAD_DAYS } from '@gatehouse/kit/sql';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The schema of the key service as of its first release. Later changes are migrations of their own.
 *
 * Rows of a key have the key's id in their primary key (ADR 0046). Request ids, the hashes of imported
 * keys and the secrets of portal sessions are looked up without a key: they are unique within a cell.
 */
export class CreateKeys1795600000001 implements MigrationInterface {
  readonly name = 'CreateKeys1795600000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

/**
 * Issued and imported keys. What a verification needs of a key is in its row, so that it reads one row.
 * A key is never deleted, except an imported one.
 */
const KEYS = [
  // credit_account: the key whose id names the balance, which may be another key. exposed_places: hashes of the places where it was found.
  // next_expiring_time: when the key next comes within one of its own expiring_thresholds.
  `CREATE TABLE keys.api_keys (
    key_id text COLLATE "C" PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('issued', 'imported')),
    name text NOT NULL,
    actor_id text NOT NULL,
    scopes text[] NOT NULL,
    tags text[] NOT NULL DEFAULT '{}',
    metadata jsonb NOT NULL,
    visibility smallint NOT NULL,
    allowed_cidrs text[] NOT NULL,

    secret_hash bytea NOT NULL CHECK (length(secret_hash) = 32),
    hash_key_id text,
    key_preview text NOT NULL,
    -- Unique within a cell, as the hash of an imported key.
    request_id text UNIQUE,

    rate_quota bigint CHECK (rate_quota > 0),
    rate_unit text,
    rate_window_seconds bigint CHECK (rate_window_seconds > 0),
    rate_limits jsonb,
    rate_limit_notice_time timestamptz,
    credit_account text COLLATE "C",

    create_time timestamptz NOT NULL,
    update_time timestamptz NOT NULL,
    expire_time timestamptz,
    expiring_thresholds integer[],
    next_expiring_time timestamptz,
    last_used_time timestamptz,
    pause_time timestamptz,
    resume_time timestamptz,
    revoke_time timestamptz,
    revocation_reason smallint NOT NULL DEFAULT 0,
    revocation_description text NOT NULL DEFAULT '',
    undelete_until timestamptz,
    replaced_by text,
    rotated_from text COLLATE "C",
    exposed_places text[],

    CHECK ((rate_quota IS NULL) = (rate_window_seconds IS NULL)),
    CHECK ((kind = 'imported') = (hash_key_id IS NOT NULL))
  )`,
  // Lists, newest first, by each filter.
  `CREATE INDEX api_keys_newest ON keys.api_keys (kind, create_time DESC, key_id DESC)`,
  `CREATE INDEX api_keys_actor ON keys.api_keys (kind, actor_id, create_time DESC, key_id DESC)`,
  `CREATE INDEX api_keys_name ON keys.api_keys (kind, name, create_time DESC, key_id DESC)`,
  `CREATE INDEX api_keys_visibility
    ON keys.api_keys (kind, visibility, create_time DESC, key_id DESC)`,
  `CREATE INDEX api_keys_expire_time ON keys.api_keys (kind, expire_time DESC, key_id DESC)`,
  `CREATE INDEX api_keys_revoked ON keys.api_keys (kind, create_time DESC, key_id DESC)
    WHERE revoke_time IS NOT NULL`,
  `CREATE INDEX api_keys_paused ON keys.api_keys (kind, create_time DESC, key_id DESC)
    WHERE pause_time IS NOT NULL`,
  `CREATE INDEX api_keys_tags ON keys.api_keys USING gin (tags) WHERE tags <> '{}'`,
  // Imported keys are the rows with a hash_key_id. A condition on kind would let the planner prefer an
  // index that begins with kind, and read all imported keys, while it expects few.
  `CREATE UNIQUE INDEX api_keys_imported ON keys.api_keys (secret_hash)
    WHERE hash_key_id IS NOT NULL`,
  `CREATE INDEX api_keys_next_expiring ON keys.api_keys (next_expiring_time)
    WHERE next_expiring_time IS NOT NULL AND revoke_time IS NULL`,

  // Keys whose personal data is being erased. day: the next day whose events are to be erased. The
  // second pass over the days finds what deliveries in flight have logged meanwhile.
  `CREATE TABLE keys.erasures (
    key_id text COLLATE "C" NOT NULL,
    pass smallint NOT NULL,
    due_time timestamptz NOT NULL,
    day date NOT NULL,
    last_day date NOT NULL,
    actor_id text COLLATE "C",
    PRIMARY KEY (key_id, pass)
  )`,
  `CREATE INDEX erasures_day ON keys.erasures (day, key_id)`,
];

/**
 * Balances. Keys that replace one another share a balance, whose id is that of their first key.
 * Verifications change the rows often, and no column that changes is in an index.
 */
const CREDITS = [
  // exhausted_period: the period in which key.credits_exhausted was sent; null after credits were added.
  `CREATE TABLE keys.credits (
    account_id text COLLATE "C" PRIMARY KEY,
    remaining bigint NOT NULL CHECK (remaining >= 0),
    refill_amount bigint CHECK (refill_amount > 0),
    refill_seconds bigint CHECK (refill_seconds >= 60),
    refill_time timestamptz,
    period bigint NOT NULL DEFAULT 0,
    exhausted_period bigint,
    granted bigint NOT NULL DEFAULT 0,
    is_strict boolean NOT NULL,
    request_ids text[] NOT NULL DEFAULT '{}',
    CHECK ((refill_amount IS NULL) = (refill_seconds IS NULL)),
    CHECK ((refill_amount IS NULL) = (refill_time IS NULL))
  ) WITH (fillfactor = 50)`,
];

/**
 * Hashes of imported keys that another system has made, until their keys are used for the first time
 * (ADR 0039). A group has what a check needs to know in advance: which algorithm, which key of an HMAC,
 * how long a prefix.
 */
const IMPORTED_HASHES = [
  `CREATE TABLE keys.imported_hash_groups (
    group_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    algorithm text NOT NULL,
    fingerprint text NOT NULL UNIQUE,
    prefix_length integer,
    sealed_key text,
    drop_time timestamptz
  )`,
  // No foreign key to api_keys: it would lock the key's row in each import. DELETE_IMPORTED deletes
  // from both.
  `CREATE TABLE keys.imported_hashes (
    key_id text COLLATE "C" PRIMARY KEY,
    group_id integer NOT NULL REFERENCES keys.imported_hash_groups,
    identity bytea NOT NULL UNIQUE CHECK (length(identity) = 32),
    prefix text COLLATE "C",
    sealed_hash text,
    rekey_time timestamptz,
    hash_drop_time timestamptz,
    CHECK ((prefix IS NULL) = (sealed_hash IS NULL))
  )`,
  `CREATE INDEX imported_hashes_prefix ON keys.imported_hashes (prefix) WHERE prefix IS NOT NULL`,
  `CREATE INDEX imported_hashes_pending ON keys.imported_hashes (group_id)
    WHERE rekey_time IS NULL AND hash_drop_time IS NULL`,
];

/** Events of keys that expire and of keys that nothing uses: exactly one for each key and threshold. */
const NOTICES = [
  // A threshold of 0 is the expiry itself.
  `CREATE TABLE keys.expiry_notices (
    key_id text COLLATE "C" NOT NULL,
    threshold_seconds bigint NOT NULL,
    expire_time timestamptz NOT NULL,
    PRIMARY KEY (key_id, threshold_seconds)
  )`,
  `CREATE INDEX expiry_notices_old ON keys.expiry_notices (expire_time)`,
  // How far the scan of each threshold has come, as an expire time.
  `CREATE TABLE keys.expiry_scans (
    threshold_seconds bigint PRIMARY KEY,
    position timestamptz NOT NULL
  )`,

  // A check is due KEY_UNUSED_AFTER after check_from; younger keys have no row. announced_use: the last
  // use before the newest notice.
  `CREATE TABLE keys.unused_checks (
    key_id text COLLATE "C" PRIMARY KEY,
    check_from timestamptz NOT NULL,
    announced_use timestamptz
  )`,
  `CREATE INDEX unused_checks_due ON keys.unused_checks (check_from)`,
  // Up to which creation time the keys of a kind have rows.
  `CREATE TABLE keys.unused_scans (kind text PRIMARY KEY, position timestamptz NOT NULL)`,
];

/**
 * Counts of verifications by minute (level 1), hour (2) and day (3), and the batches of counts that have
 * been added and rolled up (ADR 0038). Sums that queries need are stored as series of their own. The
 * partitions have one level: each has a period of one level of counts.
 */
const USAGE = [
  `CREATE TABLE keys.usage (
    level smallint NOT NULL,
    series smallint NOT NULL,
    at timestamptz NOT NULL,
    subject text COLLATE "C" NOT NULL,
    tag text COLLATE "C" NOT NULL,
    outcome smallint NOT NULL,
    limit_name text COLLATE "C" NOT NULL,
    actor_id text COLLATE "C" NOT NULL,
    count bigint NOT NULL,
    cost bigint NOT NULL,
    PRIMARY KEY (level, series, at, subject, tag, outcome, limit_name)
  ) PARTITION BY RANGE (level, at)`,
  `CREATE INDEX usage_subject ON keys.usage (subject, series, at)`,
  `CREATE INDEX usage_actor ON keys.usage (actor_id, series, at) WHERE actor_id <> ''`,
  `CREATE INDEX usage_tag ON keys.usage (tag, series, at) WHERE tag <> ''`,
  `CREATE INDEX usage_refused ON keys.usage (series, outcome, at, subject) WHERE outcome <> 0`,

  // The counts of level "level" that the hour or the day "at" sums up.
  `CREATE TABLE keys.usage_batches (
    level smallint NOT NULL,
    at timestamptz NOT NULL,
    writer uuid NOT NULL,
    batch bigint NOT NULL,
    row_count bigint NOT NULL,
    rolled bigint NOT NULL DEFAULT 0,
    rolled_at timestamptz NOT NULL DEFAULT now(),
    claimed_until timestamptz NOT NULL DEFAULT '-infinity',
    PRIMARY KEY (level, at, writer)
  ) WITH (fillfactor = 50)`,

  // Minutes and hours have a partition for each day (UTC), days one for each month. ATTACH takes a lock
  // that neither readers nor writers notice.
  `CREATE FUNCTION keys.create_usage_partitions(first date, last date) RETURNS integer
    LANGUAGE plpgsql VOLATILE AS $$
    DECLARE
      level smallint;
      name text;
      period interval;
      start date;
      part text;
      created integer := 0;
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtextextended('keys.create_usage_partitions', 0));
      FOR level, name, period, start IN VALUES
        (1, 'usage_minutes', interval '1 day', first),
        (2, 'usage_hours', interval '1 day', first),
        (3, 'usage_days', interval '1 month', date_trunc('month', first)::date)
      LOOP
        WHILE start <= last LOOP
          part := name || to_char(start, '_YYYYMMDD');
          IF to_regclass('keys.' || part) IS NULL THEN
            EXECUTE format('CREATE TABLE keys.%I (LIKE keys.usage INCLUDING ALL)
              WITH (fillfactor = 80)', part);
            EXECUTE format('ALTER TABLE keys.usage ATTACH PARTITION keys.%I
              FOR VALUES FROM (%s, %L) TO (%s, %L)', part,
              level, start || ' 00:00Z', level, (start + period)::date || ' 00:00Z');
            created := created + 1;
          END IF;
          start := (start + period)::date;
        END LOOP;
      END LOOP;
      RETURN created;
    END $$`,
  `SELECT keys.create_usage_partitions((now() AT TIME ZONE 'UTC')::date - 1,
    (now() AT TIME ZONE 'UTC')::date + ${PARTITIONS_AHEAD_DAYS})`,
];

/**
 * Portal sessions: an address that opens once, with which the user of an application manages the keys of
 * one actor. Only hashes of the address and of the cookie are stored. reopen_expire_time: until when an
 * address that was opened, but not entered, can be opened again.
 */
const PORTAL_SESSIONS = [
  `CREATE TABLE keys.portal_sessions (
    session_id uuid PRIMARY KEY,
    actor_id text COLLATE "C" NOT NULL,
    allow text[] NOT NULL,
    scopes text[] NOT NULL,
    tags text[] NOT NULL,
    prefix text,
    max_keys integer NOT NULL,
    key_ttl bigint,
    rate_limits jsonb,
    return_url text,
    language text,
    secret_sha256 bytea NOT NULL UNIQUE,
    cookie_sha256 bytea UNIQUE,
    csrf_key bytea NOT NULL,
    create_time timestamptz(3) NOT NULL DEFAULT now(),
    expire_time timestamptz(3) NOT NULL,
    open_time timestamptz(3),
    reopen_expire_time timestamptz(3),
    revoke_time timestamptz(3)
  )`,
  `CREATE INDEX portal_sessions_of_actor ON keys.portal_sessions (actor_id, session_id)`,
  `CREATE INDEX portal_sessions_by_expiry ON keys.portal_sessions (expire_time)`,
];

const SIGNING_KEYS = [
  `CREATE TABLE keys.signing_keys (
    kid text COLLATE "C" PRIMARY KEY,
    algorithm text NOT NULL CHECK (algorithm IN ('EdDSA', 'ES256', 'RS256')),
    public_jwk jsonb NOT NULL,
    sealed_private_jwk text NOT NULL,
    create_time timestamptz NOT NULL,
    sign_from timestamptz NOT NULL,
    verify_until timestamptz
  )`,
];

/**
 * Audit events are added, never changed, and only deleted when they are old. Their ids are UUIDs of
 * version 7: the order of ids is the order of time. `key_id` is '' for events of no key.
 */
const AUDIT_EVENTS = [
  `CREATE TABLE keys.audit_events (
    event_id uuid NOT NULL,
    type text NOT NULL,
    key_id text NOT NULL,
    old_key_id text NOT NULL DEFAULT '',
    actor_id text NOT NULL,
    caller text NOT NULL,
    ip text NOT NULL DEFAULT '',
    request_id text NOT NULL,
    create_time timestamptz NOT NULL,
    details jsonb NOT NULL,
    PRIMARY KEY (event_id, key_id)
  )`,
  `CREATE INDEX audit_events_key ON keys.audit_events (key_id, event_id DESC)`,
  `CREATE INDEX audit_events_actor ON keys.audit_events (actor_id, event_id DESC)`,
  `CREATE INDEX audit_events_type ON keys.audit_events (type, event_id DESC)`,
  `CREATE INDEX audit_events_caller ON keys.audit_events (caller, event_id DESC)`,
  ...protectAuditTable('keys'),
];

/** The log of key events and the webhook endpoints that receive them. */
const EVENTS = [
  ...createDeliveryTables('keys'),
  // For pages of one type.
  `CREATE INDEX events_type ON keys.events (type, sequence)`,
  grantDelivery('keys'),
];

const UP = [
  'CREATE SCHEMA IF NOT EXISTS keys',
  ...KEYS,
  ...CREDITS,
  ...IMPORTED_HASHES,
  ...NOTICES,
  ...USAGE,
  ...PORTAL_SESSIONS,
  ...SIGNING_KEYS,
  ...AUDIT_EVENTS,
  ...EVENTS,
];

const DOWN = [
  revokeDelivery('keys'),
  ...dropDeliveryTables('keys'),
  `DROP TABLE keys.audit_events, keys.signing_keys, keys.portal_sessions, keys.usage,
    keys.usage_batches, keys.unused_scans, keys.unused_checks, keys.expiry_scans,
    keys.expiry_notices, keys.imported_hashes, keys.imported_hash_groups, keys.credits,
    keys.erasures, keys.api_keys`,
  'DROP FUNCTION keys.protect_audit_events, keys.create_usage_partitions',
];

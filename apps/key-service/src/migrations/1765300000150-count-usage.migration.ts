import { PARTITIONS_AHEAD_DAYS } from '@gatehouse/kit/sql';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * What verifications counted, by minute (level 1), hour (2) and day (3); and which batches of counts have
 * been added, and rolled up. Sums that queries need are stored as series of their own.
 */
export class CountUsage1765300000150 implements MigrationInterface {
  readonly name = 'CountUsage1765300000150';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE keys.usage, keys.usage_batches');
    await runner.query('DROP FUNCTION keys.create_usage_partitions');
  }
}

const STATEMENTS = [
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
  ) PARTITION BY LIST (level)`,
  'CREATE INDEX usage_subject ON keys.usage (subject, series, at)',
  `CREATE INDEX usage_actor ON keys.usage (actor_id, series, at) WHERE actor_id <> ''`,
  `CREATE INDEX usage_tag ON keys.usage (tag, series, at) WHERE tag <> ''`,
  'CREATE INDEX usage_refused ON keys.usage (series, outcome, at, subject) WHERE outcome <> 0',

  `CREATE TABLE keys.usage_minutes PARTITION OF keys.usage FOR VALUES IN (1)
    PARTITION BY RANGE (at)`,
  `CREATE TABLE keys.usage_hours PARTITION OF keys.usage FOR VALUES IN (2)
    PARTITION BY RANGE (at)`,
  `CREATE TABLE keys.usage_days PARTITION OF keys.usage FOR VALUES IN (3)
    PARTITION BY RANGE (at)`,

  // The counts of level `level` that the hour or the day `at` sums up.
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
      parent text;
      period interval;
      start date;
      part text;
      created integer := 0;
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtextextended('keys.create_usage_partitions', 0));
      FOR parent, period, start IN VALUES
        ('usage_minutes', interval '1 day', first),
        ('usage_hours', interval '1 day', first),
        ('usage_days', interval '1 month', date_trunc('month', first)::date)
      LOOP
        WHILE start <= last LOOP
          part := parent || to_char(start, '_YYYYMMDD');
          IF to_regclass('keys.' || part) IS NULL THEN
            EXECUTE format('CREATE TABLE keys.%I (LIKE keys.%I INCLUDING ALL)
              WITH (fillfactor = 80)', part, parent);
            EXECUTE format('ALTER TABLE keys.%I ATTACH PARTITION keys.%I
              FOR VALUES FROM (%L) TO (%L)', parent, part,
              start || ' 00:00Z', (start + period)::date || ' 00:00Z');
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

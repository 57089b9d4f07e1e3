import { createDeliveryTables, dropDeliveryTables, IDENTITY_EVENTS } from '@gatehouse/delivery';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

const SOURCE = `'${IDENTITY_EVENTS.sourceId}'::uuid`;

/** The members of a payload that are columns of the log now. */
const DATA = `(payload - 'event_id' - 'type' - 'occurred_at')`;

/**
 * The log of identity events, and the webhook endpoints that receive them, in place of a table that
 * nothing could read in order.
 *
 * Replicas of the version before write to the table while they are replaced: the trigger turns what
 * they insert into events of the log. The columns and the trigger can go with a later version.
 */
export class CreateIdentityEvents1764000000000 implements MigrationInterface {
  readonly name = 'CreateIdentityEvents1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE forms.events RENAME TO former_events');
    await runner.query('ALTER INDEX forms.events_pkey RENAME TO former_events_pkey');
    for (const statement of createDeliveryTables('forms')) await runner.query(statement);
    // For pages of one type. Partitions that are created later get it too.
    await runner.query('CREATE INDEX events_type ON forms.events (type, sequence)');

    await runner.query(`SELECT forms.create_partitions(
        (min(created_at) AT TIME ZONE 'UTC')::date, (max(created_at) AT TIME ZONE 'UTC')::date)
      FROM forms.former_events HAVING count(*) > 0`);
    await runner.query(`
      INSERT INTO forms.events (source_id, id, type, data, created_at)
      SELECT ${SOURCE}, id, type, ${DATA}::json, created_at FROM forms.former_events ORDER BY id`);
    await runner.query('DROP TABLE forms.former_events');

    await runner.query(
      'ALTER TABLE forms.events ADD COLUMN identity_id uuid, ADD COLUMN payload jsonb',
    );
    await runner.query(`
      CREATE FUNCTION forms.accept_former_event() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock_shared(forms.announcement_class(${SOURCE}),
          coalesce(pg_sequence_last_value('forms.event_sequence'), 0)::bit(32)::integer);
        NEW.sequence := nextval('forms.event_sequence');
        NEW.source_id := ${SOURCE};
        NEW.data := (NEW.payload - 'event_id' - 'type' - 'occurred_at')::json;
        NEW.identity_id := NULL;
        NEW.payload := NULL;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER accept_former_event BEFORE INSERT ON forms.events
      FOR EACH ROW WHEN (NEW.payload IS NOT NULL) EXECUTE FUNCTION forms.accept_former_event()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE forms.former_events AS
      SELECT id, type, (data ->> 'identity_id')::uuid AS identity_id,
        data::jsonb || jsonb_build_object('event_id', id, 'type', type, 'occurred_at', created_at)
          AS payload, created_at
      FROM forms.events`);
    for (const statement of dropDeliveryTables('forms')) await runner.query(statement);
    await runner.query('DROP FUNCTION forms.accept_former_event');
    await runner.query(`
      ALTER TABLE forms.former_events ADD PRIMARY KEY (id),
        ALTER type SET NOT NULL, ALTER identity_id SET NOT NULL, ALTER payload SET NOT NULL,
        ALTER created_at SET NOT NULL, ALTER created_at SET DEFAULT now()`);
    await runner.query('ALTER TABLE forms.former_events RENAME TO events');
    await runner.query('ALTER INDEX forms.former_events_pkey RENAME TO events_pkey');
    await runner.query('CREATE INDEX events_by_time ON forms.events (created_at)');
    await runner.query('CREATE INDEX events_by_identity ON forms.events (identity_id, id)');
  }
}

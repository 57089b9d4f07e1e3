import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Who administrated what. Events are added, never changed, and only deleted when they are old. */
export class CreateAuditEvents1763900000000 implements MigrationInterface {
  readonly name = 'CreateAuditEvents1763900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE forms.audit_events (
        event_id uuid PRIMARY KEY,
        type text NOT NULL,
        target_id text NOT NULL,
        caller text NOT NULL,
        ip text NOT NULL,
        request_id text NOT NULL,
        create_time timestamptz NOT NULL,
        details jsonb NOT NULL
      )`);
    // Event ids are UUIDs of version 7: their order is the order of time.
    for (const column of ['type', 'target_id', 'caller']) {
      await runner.query(
        `CREATE INDEX audit_events_${column} ON forms.audit_events (${column}, event_id DESC)`,
      );
    }
    await runner.query(`
      CREATE FUNCTION forms.protect_audit_events() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'DELETE' THEN
          IF OLD.create_time < now() - interval '7 days' THEN
            RETURN OLD;
          END IF;
        END IF;
        RAISE EXCEPTION 'audit events are only added, and deleted after seven days'
          USING ERRCODE = 'insufficient_privilege';
      END $$`);
    await runner.query(`
      CREATE TRIGGER audit_events_rows BEFORE UPDATE OR DELETE ON forms.audit_events
      FOR EACH ROW EXECUTE FUNCTION forms.protect_audit_events()`);
    await runner.query(`
      CREATE TRIGGER audit_events_all BEFORE TRUNCATE ON forms.audit_events
      FOR EACH STATEMENT EXECUTE FUNCTION forms.protect_audit_events()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE forms.audit_events');
    await runner.query('DROP FUNCTION forms.protect_audit_events()');
  }
}

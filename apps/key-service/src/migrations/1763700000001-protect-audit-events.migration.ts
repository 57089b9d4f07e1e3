import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Audit events can no longer be changed, and only be deleted when they are old. */
export class ProtectAuditEvents1763700000001 implements MigrationInterface {
  readonly name = 'ProtectAuditEvents1763700000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX audit_events_caller ON keys.audit_events (caller, event_id DESC)`,
    );
    await runner.query(`
      CREATE FUNCTION keys.protect_audit_events() RETURNS trigger LANGUAGE plpgsql AS $$
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
      CREATE TRIGGER audit_events_rows BEFORE UPDATE OR DELETE ON keys.audit_events
      FOR EACH ROW EXECUTE FUNCTION keys.protect_audit_events()`);
    await runner.query(`
      CREATE TRIGGER audit_events_all BEFORE TRUNCATE ON keys.audit_events
      FOR EACH STATEMENT EXECUTE FUNCTION keys.protect_audit_events()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER audit_events_all ON keys.audit_events');
    await runner.query('DROP TRIGGER audit_events_rows ON keys.audit_events');
    await runner.query('DROP FUNCTION keys.protect_audit_events()');
    await runner.query('DROP INDEX keys.audit_events_caller');
  }
}

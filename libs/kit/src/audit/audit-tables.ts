/** The statements of migrations for audit tables. */

/**
 * An audit table of administration. Its ids are UUIDs of version 7: the order of ids is the order of time.
 *
 * @param owner the column of what an event belongs to, such as `directory_id`; '' for events of none
 */
export function createAuditTable(schema: string, owner: string): string[] {
  return [
    `CREATE TABLE ${schema}.audit_events (
      event_id uuid NOT NULL,
      ${owner} text NOT NULL,
      type text NOT NULL,
      target_id text NOT NULL,
      caller text NOT NULL,
      ip text NOT NULL,
      request_id text NOT NULL,
      create_time timestamptz NOT NULL,
      details jsonb NOT NULL,
      PRIMARY KEY (event_id, ${owner})
    )`,
    `CREATE INDEX audit_events_type ON ${schema}.audit_events (type, event_id DESC)`,
    `CREATE INDEX audit_events_target_id ON ${schema}.audit_events (target_id, event_id DESC)`,
    `CREATE INDEX audit_events_caller ON ${schema}.audit_events (caller, event_id DESC)`,
    ...protectAuditTable(schema),
  ];
}

/** Events are added, never changed, and only deleted when they are old. */
export function protectAuditTable(schema: string): string[] {
  return [
    `CREATE FUNCTION ${schema}.protect_audit_events() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'DELETE' THEN
        IF OLD.create_time < now() - interval '7 days' THEN
          RETURN OLD;
        END IF;
      END IF;
      RAISE EXCEPTION 'audit events are only added, and deleted after seven days'
        USING ERRCODE = 'insufficient_privilege';
    END $$`,
    `CREATE TRIGGER audit_events_rows BEFORE UPDATE OR DELETE ON ${schema}.audit_events
      FOR EACH ROW EXECUTE FUNCTION ${schema}.protect_audit_events()`,
    `CREATE TRIGGER audit_events_all BEFORE TRUNCATE ON ${schema}.audit_events
      FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.protect_audit_events()`,
  ];
}

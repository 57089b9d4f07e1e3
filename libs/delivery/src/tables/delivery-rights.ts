/**
 * Privileges of a worker in the schema of a service whose webhooks it delivers: read the log, lead the
 * endpoints, record attempts, log notices. It sees no other table of the service. The first migration of
 * a service calls these functions, so their statements never change; later changes are migrations.
 */
const ROLE = 'delivery_worker';

/** A statement that grants these rights; it has no effect where the role does not exist. */
export function grantDelivery(schema: string): string {
  return ifRoleExists([
    `GRANT USAGE ON SCHEMA ${schema} TO ${ROLE}`,
    `GRANT SELECT, INSERT ON ${schema}.events TO ${ROLE}`,
    `GRANT SELECT, INSERT, UPDATE ON ${schema}.endpoints TO ${ROLE}`,
    `GRANT INSERT ON ${schema}.delivery_attempts TO ${ROLE}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.parked_events, ${schema}.replays TO ${ROLE}`,
    `GRANT SELECT, UPDATE ON ${schema}.dispatch TO ${ROLE}`,
    `GRANT SELECT, USAGE ON SEQUENCE ${schema}.event_sequence, ${schema}.attempt_sequence TO ${ROLE}`,
  ]);
}

/** A statement that lets a worker read another table; the right goes with the table. */
export function grantDeliveryRead(table: string): string {
  return ifRoleExists([`GRANT SELECT ON ${table} TO ${ROLE}`]);
}

export function revokeDelivery(schema: string): string {
  return ifRoleExists([
    `REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${ROLE}`,
    `REVOKE ALL ON ALL SEQUENCES IN SCHEMA ${schema} FROM ${ROLE}`,
    `REVOKE ALL ON SCHEMA ${schema} FROM ${ROLE}`,
  ]);
}

const ifRoleExists = (statements: readonly string[]) => `
  DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = '${ROLE}') THEN
      ${statements.join(';\n      ')};
    END IF;
  END $$`;

/**
 * The trace in which an event was logged. Migrations call these functions, so what they do never
 * changes. The writer of an event does not name the column: `Sql` of the kit sets the setting for
 * each transaction that is traced (ADR 0008). What is no `traceparent` is not kept.
 */
const SETTING = `substring(current_setting('gatehouse.traceparent', true)
  FROM '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$')`;

/** @returns the statements that add the column, in order */
export function keepTracesOfEvents(schema: string): string[] {
  return [
    `ALTER TABLE ${schema}.events ADD COLUMN traceparent text`,
    `ALTER TABLE ${schema}.events ALTER COLUMN traceparent SET DEFAULT ${SETTING}`,
  ];
}

/** @returns the statements that undo `keepTracesOfEvents` */
export function forgetTracesOfEvents(schema: string): string[] {
  return [`ALTER TABLE ${schema}.events DROP COLUMN traceparent`];
}

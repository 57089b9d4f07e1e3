import { type SqlExecutor } from '@gatehouse/kit/sql';
import { eventLogStatements } from './event-log.sql.js';

export interface NewEvent<Type extends string = string> {
  readonly type: Type;
  readonly data: object;
}

/** Writes events from a program, for owners whose statements do not insert their events themselves. */
export class EventWriter<Type extends string = string> {
  private readonly insertMany: ReturnType<typeof eventLogStatements>['insertMany'];

  constructor(schema: string) {
    this.insertMany = eventLogStatements(schema).insertMany;
  }

  /**
   * Logs events in the order given. Call it last in the transaction of the changes, when their rows
   * are locked: a later change of a row then has a higher number (ADR 0020).
   *
   * @returns the ids of the events, in the same order
   */
  async write(
    sql: SqlExecutor,
    sourceId: string,
    events: readonly NewEvent<Type>[],
  ): Promise<string[]> {
    if (events.length === 0) return [];
    const types = events.map(({ type }) => type);
    const rows = await sql.rows<{ id: string }>(this.insertMany, [
      sourceId,
      types,
      events.map(({ data }) => JSON.stringify(data)),
    ]);
    return rows.map(({ id }) => id);
  }
}

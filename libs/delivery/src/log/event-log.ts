import { type SqlExecutor } from '@gatehouse/kit/sql';
import { type SourcedEvent, type StoredEvent } from './event-log.types.js';
import { eventLogStatements, LOOKED_MAX } from './event-log.sql.js';

/** Where a reader continues: behind this event. */
export type LogPosition = Pick<StoredEvent, 'sequence' | 'createdAt'>;

/** An event that a page has looked at. */
export type LookedEvent<Type extends string> = SourcedEvent<Type> & {
  /** Whether the page ends here, although the log may go on. */
  isLastLooked: boolean;
};

/** Of a type, a page looks at so many times more events than in the step before. */
const LOOKED_GROWTH = 4;

/** Reads the log of one delivery system. */
export class EventLog<Type extends string = string> {
  private readonly statements: ReturnType<typeof eventLogStatements>;

  /** @param schema of the tables, see `createDeliveryTables` */
  constructor(
    private readonly sql: SqlExecutor,
    schema: string,
  ) {
    this.statements = eventLogStatements(schema);
  }

  /**
   * Events of a source after a sequence number, oldest first. Stops at the horizon, before which no
   * event can still be committed: a reader that continues from the last event misses none.
   */
  async list(sourceId: string, after: string, limit: number): Promise<SourcedEvent<Type>[]> {
    const horizon = await this.horizon(sourceId);
    return this.sql.rows(this.statements.list, [sourceId, after, horizon, limit]);
  }

  /** As `list`, for several sources, or for all of the system. */
  async listAll(
    sourceIds: readonly string[] | null,
    after: string,
    limit: number,
  ): Promise<SourcedEvent<Type>[]> {
    const horizon = await this.horizon(null);
    return this.sql.rows(this.statements.listAll, [sourceIds, after, horizon, limit]);
  }

  /**
   * As `list`, from a position or the beginning, and of one type if one is given. A type is looked for among
   * `LOOKED_MAX` events; if they are too few, the last of them comes too, whatever its type.
   */
  async page(
    sourceId: string,
    after: LogPosition | undefined,
    limit: number,
    type: Type | undefined,
  ): Promise<LookedEvent<Type>[]> {
    const horizon = await this.horizon(sourceId);
    const found: LookedEvent<Type>[] = [];
    let position = after;
    for (let looked = 0, step = limit; ; step *= LOOKED_GROWTH) {
      const { sequence = '0', createdAt = null } = position ?? {};
      const most = Math.min(step, LOOKED_MAX - looked);
      const values = [sourceId, sequence, horizon, most, type ?? null, createdAt];
      const events = await this.sql.rows<LookedEvent<Type>>(this.statements.page, values);
      looked += most;
      const last = events.at(-1);
      if (looked === LOOKED_MAX || !last?.isLastLooked) {
        return [...found, ...events].slice(0, limit);
      }
      const ofType = events.filter((event) => type === undefined || event.type === type);
      found.push(...ofType.map((event) => ({ ...event, isLastLooked: false })));
      if (found.length >= limit) return found.slice(0, limit);
      position = last;
    }
  }

  async find(id: string): Promise<SourcedEvent<Type> | undefined> {
    const [event] = await this.sql.rows<SourcedEvent<Type>>(this.statements.find, [id]);
    return event;
  }

  /** The newest number at or below which no event can still be committed; null: of all sources. */
  async horizon(sourceId: string | null): Promise<string> {
    const [row] = await this.sql.rows<{ horizon: string }>(this.statements.horizon, [sourceId]);
    return row?.horizon ?? '0';
  }

  /** The position from which a reader of a source, or of all, sees all events at or after a time. */
  async positionAt(time: Date, sourceId: string | null): Promise<LogPosition> {
    return { sequence: await this.sequenceBefore(time, sourceId), createdAt: time };
  }

  /** A cursor from which a reader of a source, or of all, sees all events at or after a time. */
  async sequenceBefore(time: Date, sourceId: string | null): Promise<string> {
    const values = [time, sourceId];
    const [row] = await this.sql.rows<{ sequence: string }>(this.statements.sequenceBefore, values);
    return row?.sequence ?? '0';
  }
}

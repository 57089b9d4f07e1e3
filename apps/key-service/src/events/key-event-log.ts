import {
  EventAdmin,
  EventLog,
  EventWriter,
  KEY_EVENTS,
  LaneQueue,
  type LogPosition,
} from '@gatehouse/delivery';
import { type LoggedKeyEventType } from '@gatehouse/schemas';
import { Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { Inject, Injectable } from '@nestjs/common';
import { keyEventOf, type LoggedChange } from './logged-change.js';

const { schema, sourceId } = KEY_EVENTS;

/** The log of what happened to keys, which webhooks deliver. */
@Injectable()
export class KeyEventLog {
  private readonly writer = new EventWriter<LoggedKeyEventType>(schema);
  private readonly log: EventLog<LoggedKeyEventType>;
  /** What administrators do with events. */
  readonly admin: EventAdmin<LoggedKeyEventType>;

  constructor(
    sql: Sql,
    @Inject(LaneQueue) private readonly lanes: Pick<LaneQueue, 'wake'>,
  ) {
    this.log = new EventLog(sql, schema);
    this.admin = new EventAdmin({ ...KEY_EVENTS, sql, wake: () => this.wake() });
  }

  /** Logs changes, in the transaction that has locked their keys. */
  async write(sql: SqlExecutor, changes: readonly LoggedChange[]): Promise<void> {
    await this.writer.write(sql, sourceId, changes.map(keyEventOf));
  }

  /** After the commit: delivers what was written. A lost wake-up costs time, never an event. */
  wake(): void {
    this.lanes.wake(sourceId);
  }

  /** Oldest first; a reader that continues from the last event misses none. */
  page(after: LogPosition | undefined, limit: number, type: LoggedKeyEventType | undefined) {
    return this.log.page(sourceId, after, limit, type);
  }
}

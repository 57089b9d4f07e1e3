import { EventWriter, KEY_EVENTS, LaneQueue } from '@gatehouse/delivery';
import { type LoggedKeyEventType } from '@gatehouse/schemas';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { Inject, Injectable } from '@nestjs/common';
import { keyEventOf, type LoggedChange } from './logged-change.js';

const { schema, sourceId } = KEY_EVENTS;

/** The log of what happened to keys, which webhooks deliver. */
@Injectable()
export class KeyEventLog {
  private readonly writer = new EventWriter<LoggedKeyEventType>(schema);

  constructor(@Inject(LaneQueue) private readonly lanes: Pick<LaneQueue, 'wake'>) {}

  /** Logs changes, in the transaction that has locked their keys. */
  async write(sql: SqlExecutor, changes: readonly LoggedChange[]): Promise<void> {
    await this.writer.write(sql, sourceId, changes.map(keyEventOf));
  }

  /** After the commit: delivers what was written. A lost wake-up costs time, never an event. */
  wake(): void {
    this.lanes.wake(sourceId);
  }
}

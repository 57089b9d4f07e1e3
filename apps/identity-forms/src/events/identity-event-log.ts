import {
  EventAdmin,
  EventLog,
  EventWriter,
  IDENTITY_EVENTS,
  LaneQueue,
  type LogPosition,
} from '@gatehouse/delivery';
import {
  type IdentityEventPayload,
  type IdentityEventType,
  type LoggedIdentityData,
} from '@gatehouse/schemas';
import { Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { EventPublisher } from '@gatehouse/nest-kit/messaging';
import { Inject, Injectable } from '@nestjs/common';

const { schema, sourceId } = IDENTITY_EVENTS;

/** The log of what happened to identities, which webhooks deliver. */
@Injectable()
export class IdentityEventLog {
  private readonly writer = new EventWriter<IdentityEventType>(schema);
  private readonly log: EventLog<IdentityEventType>;
  /** What administrators do with events. */
  readonly admin: EventAdmin<IdentityEventType>;

  constructor(
    sql: Sql,
    @Inject(LaneQueue) private readonly lanes: Pick<LaneQueue, 'wake'>,
    @Inject(EventPublisher) private readonly publisher: Pick<EventPublisher, 'publish'>,
  ) {
    this.log = new EventLog(sql, schema);
    this.admin = new EventAdmin({ ...IDENTITY_EVENTS, sql, wake: () => this.wake() });
  }

  /**
   * Logs an event, in the transaction that has locked the identity.
   *
   * @param time of the change
   * @returns what `announce` publishes after the commit
   */
  async write(
    sql: SqlExecutor,
    type: IdentityEventType,
    data: LoggedIdentityData,
    time: Date,
  ): Promise<IdentityEventPayload> {
    const [id] = await this.writer.write(sql, sourceId, [{ type, data }]);
    if (id === undefined) throw new Error('an event was not written');
    const hint = { ...data, fields: undefined };
    return { event_id: id, type, ...hint, occurred_at: time.toISOString() };
  }

  /** After the commit: wakes the delivery, and publishes a hint for other services. */
  announce(event: IdentityEventPayload): void {
    this.lanes.wake(sourceId);
    this.publisher.publish(event.type, event);
  }

  /** Wakes the delivery. A lost wake-up costs time, never an event. */
  wake(): void {
    this.lanes.wake(sourceId);
  }

  /** Oldest first; a reader that continues from the last event misses none. */
  page(after: LogPosition | undefined, limit: number, type: IdentityEventType | undefined) {
    return this.log.page(sourceId, after, limit, type);
  }
}

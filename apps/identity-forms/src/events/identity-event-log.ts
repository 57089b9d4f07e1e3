import { EventWriter, IDENTITY_EVENTS, LaneQueue } from '@gatehouse/delivery';
import {
  type IdentityEventPayload,
  type IdentityEventType,
  type LoggedIdentityData,
} from '@gatehouse/schemas';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { EventPublisher } from '@gatehouse/nest-kit/exchange';
import { Inject, Injectable } from '@nestjs/common';

const { schema, sourceId } = IDENTITY_EVENTS;

/** The log of what happened to identities, which webhooks deliver. */
@Injectable()
export class IdentityEventLog {
  private readonly writer = new EventWriter<IdentityEventType>(schema);

  constructor(
    @Inject(LaneQueue) private readonly lanes: Pick<LaneQueue, 'wake'>,
    @Inject(EventPublisher) private readonly publisher: Pick<EventPublisher, 'publish'>,
  ) {}

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
}

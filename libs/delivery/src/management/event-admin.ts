import { DomainError } from '@gatehouse/kit/errors';
import { isUuid } from '@gatehouse/kit/ids';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { DeliveryErrors } from '../delivery.errors.js';
import { EventLog } from '../log/event-log.js';
import { type SourcedEvent } from '../log/event-log.types.js';
import { DeliveryStatus, type EventState, type LoggedAttempt } from '../status/delivery-status.js';
import { type ReplayRequest } from './replay.input.js';
import { Replays, type ReplaysOptions } from './replays.js';

/** An event, and what became of its delivery. */
export interface EventRecord<Type extends string = string> {
  event: SourcedEvent<Type>;
  state: EventState;
  /** Oldest first. */
  attempts: LoggedAttempt[];
}

/** What administrators do with the events of one source. */
export class EventAdmin<Type extends string = string> {
  private readonly log: EventLog<Type>;
  private readonly delivered: DeliveryStatus;
  private readonly replays: Replays;

  constructor(private readonly options: ReplaysOptions & { sourceId: string }) {
    const { sql, schema } = options;
    this.log = new EventLog(sql, schema);
    this.delivered = new DeliveryStatus(sql, schema);
    this.replays = new Replays(options);
  }

  /** Undefined if the log does not have the event, or no longer. */
  async find(id: string): Promise<SourcedEvent<Type> | undefined> {
    const event = isUuid(id) ? await this.log.find(id) : undefined;
    return event?.sourceId === this.options.sourceId ? event : undefined;
  }

  /** @throws DomainError `not_found` */
  async get(id: string): Promise<EventRecord<Type>> {
    return this.recordOf(await this.require(id));
  }

  /**
   * Sends a part of the log again.
   *
   * @param after the number of the event that the request begins after
   * @returns the number of endpoints that receive it
   * @throws DomainError `not_found` for an unknown endpoint
   */
  replay(
    request: ReplayRequest,
    after: string,
    audit: (sql: SqlExecutor) => Promise<void>,
  ): Promise<number> {
    return this.replays.start(this.options.sourceId, request, after, audit);
  }

  /**
   * Sends an event again, to one endpoint or to all.
   *
   * @throws DomainError `not_found`; `failed_precondition` if no endpoint takes it
   */
  async resend(
    id: string,
    endpointId: string | undefined,
    audit: (sql: SqlExecutor) => Promise<void>,
  ): Promise<EventRecord<Type>> {
    const event = await this.require(id);
    if ((await this.replays.resend(event, endpointId, audit)) === 0) {
      throw new DomainError(DeliveryErrors.NO_WEBHOOK_ENDPOINT);
    }
    return this.recordOf(event);
  }

  private async require(id: string): Promise<SourcedEvent<Type>> {
    const event = await this.find(id);
    if (event) return event;
    throw new DomainError(DeliveryErrors.EVENT_NOT_FOUND);
  }

  private async recordOf(event: SourcedEvent<Type>): Promise<EventRecord<Type>> {
    const [states, attempts] = await Promise.all([
      this.delivered.statesOf([event.id]),
      this.delivered.attemptsOf([event.id]),
    ]);
    return { event, state: states.get(event.id) ?? 'not_sent', attempts };
  }
}

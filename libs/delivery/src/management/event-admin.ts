/** Event administration of a system. */
import { type CallContext, LIBRARY_CALL } from '@gatehouse/kit/clients';
import { DomainError } from '@gatehouse/kit/errors';
import { isUuid } from '@gatehouse/kit/ids';
import { InputReader, type JsonObject } from '@gatehouse/kit/input';
import { readPageRequest } from '@gatehouse/kit/paging';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { DeliveryErrors } from '../delivery.errors.js';
import { EventLog, type LogPosition } from '../log/event-log.js';
import { type SourcedEvent } from '../log/event-log.types.js';
import { DeliveryStatus } from '../status/delivery-status.js';
import { plainEventBody } from '../systems/plain-system.js';
import { type AdminOptions, auditChange } from './admin-options.js';
import { type PageQuery } from './endpoint-admin.js';
import {
  type EventAttemptView,
  eventAttemptView,
  type EventStateView,
  eventStateView,
} from './endpoint.view.js';
import { type EventReplay, readReplay, readTime, replayDetails } from './replay.input.js';
import { Replays } from './replays.js';

export interface EventAdminOptions<
  Event extends SourcedEvent,
  Body extends object,
> extends AdminOptions {
  /** An event that administrators may see. */
  find(id: string): Promise<Event | undefined>;
  /** The body with which an event is delivered. */
  body(event: Event): Body;
}

/** The body of an event, with the state of its delivery. */
export type EventRecord<Body extends object = object> = Body & {
  state: EventStateView;
  /** Oldest first. */
  attempts: EventAttemptView[];
};

/** A query of the log of a source. */
export interface EventQuery extends PageQuery {
  /** The id of the last event that was read. */
  after?: string;
  /** The time at which the list begins (RFC 3339), instead of `after`. */
  from_time?: string;
  type?: string;
}

export interface EventList {
  events: object[];
  next_page_token: string;
}

export class EventAdmin<Event extends SourcedEvent = SourcedEvent, Body extends object = object> {
  private readonly log: EventLog;
  private readonly delivered: DeliveryStatus;
  private readonly replays: Replays;

  constructor(protected readonly options: EventAdminOptions<Event, Body>) {
    const { sql, schema } = options;
    this.log = new EventLog(sql, schema);
    this.delivered = new DeliveryStatus(sql, schema);
    this.replays = new Replays(options);
  }

  /**
   * The events of a source, oldest first: a reader that continues with `after` misses none. With a type, a
   * page may have fewer events than its size, or none, and a token of the next page.
   *
   * @throws DomainError `invalid_argument`
   */
  async list(sourceId: string, query: EventQuery): Promise<EventList> {
    const input = InputReader.ofQuery(query ?? {}, this.options.input);
    const request = readPageRequest(input);
    const after = input.text('after');
    const from = readTime(input, 'from_time');
    if (from && after !== '') input.addViolation('after', 'must not be set with from_time', '');
    const name = input.text('type');
    const type = this.options.types.find((each) => each === name);
    if (name !== '' && type === undefined) {
      input.addViolation('type', `must be one of ${this.options.types.join(', ')}`, undefined);
    }
    input.throwIfInvalid();
    let start = from && (await this.log.positionAt(from, sourceId));
    if (after !== '') start = await this.positionOf(input, sourceId, after);
    const scope = `events:${JSON.stringify([sourceId, after, type, from])}`;
    const { rows, nextPageToken } = await this.options.pages.page(scope, request, {
      fetch: (last, limit) =>
        this.log.page(sourceId, last ? logPositionOf(last) : start, limit, type),
      positionOf: ({ sequence, createdAt }) => [sequence, createdAt.toISOString()],
      isCutAt: ({ isLastLooked }) => isLastLooked,
    });
    const events = rows.filter((event) => type === undefined || event.type === type);
    return { events: events.map(plainEventBody), next_page_token: nextPageToken };
  }

  /** One event with its delivery attempts. @throws DomainError `not_found` */
  async get(id: string): Promise<EventRecord<Body>> {
    return this.record(await this.require(id));
  }

  /**
   * Delivers an event again, to one endpoint of its source or to all.
   *
   * @throws DomainError `not_found`; `failed_precondition` if no endpoint takes it
   */
  async resend(
    id: string,
    json: { endpoint_id?: string } = {},
    call: CallContext = LIBRARY_CALL,
  ): Promise<EventRecord<Body>> {
    const body = InputReader.of(json, this.options.input);
    const endpointId = body.optionalText('endpoint_id');
    body.throwIfInvalid();
    const event = await this.require(id);
    const { sourceId } = event;
    const details = { event_id: id, ...(endpointId && { endpoint_id: endpointId }) };
    const audit = (sql: SqlExecutor) =>
      auditChange(
        this.options,
        sql,
        { type: 'event.resent', sourceId, targetId: id, details },
        call,
      );
    if ((await this.replays.resend(event, endpointId, audit)) === 0) {
      throw new DomainError(DeliveryErrors.NO_WEBHOOK_ENDPOINT);
    }
    return this.record(event);
  }

  /**
   * Sends a part of the log again, in order and beside new events.
   *
   * @param sourceId null: of all sources
   * @returns the number of endpoints that receive it
   * @throws DomainError `invalid_argument`; `not_found` for an unknown source or endpoint
   */
  async replay(
    sourceId: string | null,
    json: EventReplay,
    call: CallContext = LIBRARY_CALL,
  ): Promise<{ endpoints: number }> {
    const { sources, input, types } = this.options;
    if (sourceId !== null) await sources?.require(sourceId);
    const body = InputReader.of(json, input);
    const request = readReplay(body, types);
    body.throwIfInvalid();
    const { after } = request;
    const start = after === undefined ? undefined : await this.positionOf(body, sourceId, after);
    const details: JsonObject = replayDetails(request);
    const audit = (sql: SqlExecutor) =>
      auditChange(
        this.options,
        sql,
        { type: 'events.replayed', sourceId, targetId: sourceId ?? '', details },
        call,
      );
    const endpoints = await this.replays.start(sourceId, request, start?.sequence ?? '0', audit);
    return { endpoints };
  }

  /** @throws DomainError `not_found` */
  protected async require(id: string): Promise<Event> {
    const event = isUuid(id) ? await this.options.find(id) : undefined;
    if (event) return event;
    throw new DomainError(DeliveryErrors.EVENT_NOT_FOUND);
  }

  protected async records(events: readonly Event[]): Promise<EventRecord<Body>[]> {
    const ids = events.map(({ id }) => id);
    const [states, attempts] = await Promise.all([
      this.delivered.statesOf(ids),
      this.delivered.attemptsOf(ids),
    ]);
    return events.map((event) => ({
      ...this.options.body(event),
      state: eventStateView(states.get(event.id) ?? 'not_sent'),
      attempts: attempts.filter(({ eventId }) => eventId === event.id).map(eventAttemptView),
    }));
  }

  private async record(event: Event): Promise<EventRecord<Body>> {
    const [record] = await this.records([event]);
    return record as EventRecord<Body>;
  }

  private async positionOf(
    input: InputReader,
    sourceId: string | null,
    id: string,
  ): Promise<LogPosition | undefined> {
    const event = isUuid(id) ? await this.options.find(id) : undefined;
    if (event && (sourceId === null || event.sourceId === sourceId)) return event;
    input.addViolation('after', 'must be the id of an event in the log', undefined);
    input.throwIfInvalid();
    return undefined;
  }
}

function logPositionOf([sequence = '0', time = '']: readonly string[]): LogPosition {
  return { sequence, createdAt: new Date(time) };
}

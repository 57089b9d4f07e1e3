/**
 * The guarantees of delivery, checked on what happens in a simulation. Each fault begins with the guarantee
 * that it breaks.
 */
import { type Arrival, type Receivers } from './receivers.js';
import { type Session } from './session.js';
import { type EndpointRow, type EventRow, type Store } from './store.js';
import { type World } from '@gatehouse/testing/simulation';

export class Guarantees {
  private readonly accepted = new Map<string, number>();
  private readonly attempted = new Set<string>();
  private readonly newest = new Map<string, number>();

  constructor(
    private readonly world: World,
    private readonly store: Store,
    private readonly receivers: Receivers,
    private readonly eventAttempts: number,
  ) {
    store.watch = this.checkChange.bind(this);
    receivers.onArrival = this.checkArrival.bind(this);
  }

  /** Whether every event has arrived or is parked, and every replay has ended. */
  get isSettled(): boolean {
    return this.store.replays.length === 0 && this.missing().length === 0;
  }

  /** @param isRepeatable whether an event may arrive more often than once, and once more for each replay */
  checkEnd(isRepeatable: boolean): void {
    for (const { endpoint, event } of this.missing()) {
      this.world.fault(`at least once: event ${event.sequence} did not arrive at ${endpoint.id}`);
    }
    if (this.store.replays.length > 0) this.world.fault('at least once: a replay does not end');
    this.checkParked();
    for (const [endpoint, event] of this.wanted()) {
      const key = keyOf(endpoint.id, event.id);
      const arrived = this.accepted.get(key) ?? 0;
      const replays = this.store.started.filter(
        ({ endpointId, after, until, types }) =>
          endpointId === endpoint.id &&
          event.sequence > after &&
          event.sequence <= until &&
          (types?.includes(event.type) ?? true),
      ).length;
      if (this.isParked(endpoint.id, event)) continue;
      if (!this.isRecorded(endpoint.id, event)) {
        this.world.fault(`recorded: no attempt of event ${event.sequence} says that it arrived`);
      }
      if (!isRepeatable && arrived > 1 + replays) {
        this.world.fault(`no repeats: event ${event.sequence} arrived ${arrived} times`);
      }
      if (arrived < 1 + (this.receivers.poison.has(event.id) ? 0 : replays)) {
        this.world.fault(`replays: event ${event.sequence} arrived ${arrived} times only`);
      }
    }
  }

  private checkParked(): void {
    const { arrivals, poison, pings } = this.receivers;
    for (const { endpointId, eventId, sequence } of this.store.parked) {
      const refused = arrivals.filter(
        (one) => one.endpointId === endpointId && one.eventId === eventId && one.status === 422,
      );
      if (poison.get(eventId) === 'aborted' && refused.length > 0) continue;
      if (refused.length < this.eventAttempts || !pings.includes(endpointId)) {
        this.world.fault(`parking: event ${sequence} was parked after ${refused.length} refusals`);
      }
    }
  }

  private checkChange(before: EndpointRow, after: EndpointRow, run: string | undefined): void {
    if (run !== undefined && before.leasedBy !== run) {
      this.world.fault(`one owner: a run that has no lease changed ${after.id}`);
    }
    for (const event of this.store.events) {
      if (event.sequence <= before.cursor || event.sequence > after.cursor) continue;
      if (!isWanted(after, event)) continue;
      if (!this.attempted.has(keyOf(after.id, event.id))) {
        this.world.fault(`attempts: the cursor passed event ${event.sequence} without one`);
      }
    }
    const late = [...this.store.uncommitted].find(
      (event) => isWanted(after, event) && event.sequence <= after.cursor,
    );
    if (late && after.cursor > before.cursor) {
      this.world.fault(`no gaps: the cursor passed event ${late.sequence}, which is being written`);
    }
  }

  /** Called before an event is sent. */
  checkRequest(endpointId: string, session: Session): void {
    const run = session.runs.get(endpointId);
    if (run !== undefined && session.lost.has(run)) {
      this.world.fault(`one owner: a run sends after it was told that its lease is lost`);
    }
  }

  private checkArrival({ endpointId, eventId, sequence, status }: Arrival): void {
    const key = keyOf(endpointId, eventId);
    this.attempted.add(key);
    if (status >= 300) return;
    const times = this.accepted.get(key) ?? 0;
    this.accepted.set(key, times + 1);
    const newest = this.newest.get(endpointId) ?? 0;
    const isParked = this.store.parked.some(
      (one) => one.endpointId === endpointId && one.eventId === eventId,
    );
    if (times === 0 && sequence < newest && !isParked) {
      this.world.fault(`in order: event ${sequence} arrived after ${newest}`);
    }
    this.newest.set(endpointId, Math.max(newest, sequence));
  }

  private wanted(): (readonly [EndpointRow, EventRow])[] {
    const { endpoints, events } = this.store;
    return endpoints.flatMap(({ value }) =>
      events.filter((event) => isWanted(value, event)).map((event) => [value, event] as const),
    );
  }

  private missing(): { endpoint: EndpointRow; event: EventRow }[] {
    return this.wanted()
      .filter(([endpoint, event]) => !this.isParked(endpoint.id, event))
      .filter(
        ([endpoint, event]) =>
          !this.isRecorded(endpoint.id, event) || !this.accepted.has(keyOf(endpoint.id, event.id)),
      )
      .map(([endpoint, event]) => ({ endpoint, event }));
  }

  private isParked(endpointId: string, { id }: EventRow): boolean {
    return this.store.parked.some((one) => one.endpointId === endpointId && one.eventId === id);
  }

  private isRecorded(endpointId: string, { id }: EventRow): boolean {
    return this.store.attempts.some(
      (one) => one.endpointId === endpointId && one.eventId === id && one.statusCode === 200,
    );
  }
}

const keyOf = (endpointId: string, eventId: string) => `${endpointId} ${eventId}`;

const isWanted = ({ sourceId, types }: EndpointRow, event: EventRow) =>
  event.sourceId === sourceId && (types?.includes(event.type) ?? true);

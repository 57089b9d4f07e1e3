/**
 * PostgreSQL as far as lanes need it: rows with versions and locks, READ COMMITTED transactions, the sequence,
 * and the announcements of writers. Between any two steps, those of other transactions may come.
 */
import { type World } from '@gatehouse/testing/simulation';

export interface EndpointRow {
  id: string;
  sourceId: string;
  types: string[] | null;
  onPoison: string;
  state: string;
  reason: string | null;
  revision: number;
  failures: number;
  failingSince: number | null;
  lastSuccessAt: number | null;
  nextAttemptAt: number;
  refusals: number;
  cursor: number;
  cursorAt: number;
  wanted: number;
  openReplays: number;
  leasedBy: string | null;
  leasedUntil: number | null;
}

export interface ReplayRow {
  id: string;
  sourceId: string;
  endpointId: string;
  after: number;
  cursor: number;
  cursorAt: number;
  until: number;
  types: string[] | null;
  refusals: number;
}

export interface EventRow {
  id: string;
  sourceId: string;
  sequence: number;
  type: string;
  data: string;
  createdAt: number;
}

export interface AttemptRow {
  endpointId: string;
  eventId: string;
  statusCode: number | null;
}

export interface ParkedRow {
  endpointId: string;
  sequence: number;
  eventId: string;
  attempts: number;
}

/** A row: its committed version, and the transaction that has locked it. */
export class Row<Value extends object> {
  locker: Transaction | undefined;
  readonly waiting: (() => void)[] = [];

  constructor(public value: Value) {}
}

interface Announcement {
  sourceId: string;
  number: number;
}

/** Sees a change of an endpoint before it is visible. */
export type Watcher = (before: EndpointRow, after: EndpointRow, run: string | undefined) => void;

export class Store {
  sequence = 0;
  readonly endpoints: Row<EndpointRow>[] = [];
  replays: Row<ReplayRow>[] = [];
  /** All replays that were ever started. */
  readonly started: ReplayRow[] = [];
  readonly events: EventRow[] = [];
  readonly attempts: AttemptRow[] = [];
  parked: ParkedRow[] = [];
  readonly dispatch = new Row({ position: 0 });
  readonly announced = new Set<Announcement>();
  /** Events of transactions under way. */
  readonly uncommitted = new Set<EventRow>();
  watch: Watcher = () => undefined;
  private lastId = 0;

  constructor(readonly world: Pick<World, 'step' | 'now'>) {}

  begin(): Transaction {
    return new Transaction(this);
  }

  newId(): string {
    return `00000000-0000-7000-8000-${String((this.lastId += 1)).padStart(12, '0')}`;
  }

  /** As `event_horizon`; null: of all sources. */
  async horizon(sourceId: string | null): Promise<number> {
    const newest = this.sequence;
    await this.world.step('horizon');
    const numbers = [...this.announced]
      .filter((one) => sourceId === null || one.sourceId === sourceId)
      .map(({ number }) => number);
    return Math.min(newest, ...numbers);
  }
}

export class Transaction {
  readonly now: number;
  /** The runs whose leases of rows the transaction relies on. */
  readonly runs = new Map<Row<EndpointRow>, string>();
  /** What it does to the tables when it is committed. */
  readonly effects: (() => void)[] = [];
  private readonly changes = new Map<Row<object>, object>();
  private readonly locks = new Set<Row<object>>();
  private readonly announcements: Announcement[] = [];
  private readonly events: EventRow[] = [];

  constructor(private readonly store: Store) {
    this.now = store.world.now;
  }

  /** The version that this transaction sees. */
  see<Value extends object>(row: Row<Value>): Value {
    return (this.changes.get(row) as Value | undefined) ?? row.value;
  }

  change<Value extends object>(row: Row<Value>, values: Partial<Value>): void {
    this.changes.set(row, { ...this.see(row), ...values });
  }

  /** Waits for the lock of a row. */
  async lock(row: Row<object>): Promise<void> {
    while (!this.tryLock(row)) await new Promise<void>((resolve) => row.waiting.push(resolve));
  }

  /** Takes the lock of a row, as SKIP LOCKED does, if no other transaction has it. */
  tryLock(row: Row<object>): boolean {
    if (row.locker !== undefined && row.locker !== this) return false;
    row.locker = this;
    this.locks.add(row);
    return true;
  }

  /** Logs an event as `insertEvents` does behind `announcedCte` (ADR 0020). */
  async log(event: Omit<EventRow, 'id' | 'sequence' | 'createdAt'>): Promise<EventRow> {
    const { store } = this;
    const number = store.sequence;
    await store.world.step('announce');
    const announcement = { sourceId: event.sourceId, number };
    store.announced.add(announcement);
    this.announcements.push(announcement);
    await store.world.step('draw');
    const sequence = (store.sequence += 1);
    const row = { ...event, sequence, id: store.newId(), createdAt: this.now };
    this.events.push(row);
    store.uncommitted.add(row);
    return row;
  }

  /** Makes the changes visible, and then ends the locks. */
  async commit(): Promise<void> {
    const { store } = this;
    for (const [row, after] of this.changes) {
      if ('leasedBy' in after) {
        const run = this.runs.get(row as Row<EndpointRow>);
        store.watch(row.value as EndpointRow, after as EndpointRow, run);
      }
      row.value = after;
    }
    this.effects.forEach((effect) => effect());
    store.events.push(...this.events);
    store.events.sort((a, b) => a.sequence - b.sequence);
    this.events.forEach((event) => store.uncommitted.delete(event));
    await store.world.step('visible');
    this.end();
  }

  /** Undoes everything, and ends the locks. */
  end(): void {
    this.events.forEach((event) => this.store.uncommitted.delete(event));
    this.announcements.forEach((one) => this.store.announced.delete(one));
    for (const row of this.locks) {
      row.locker = undefined;
      row.waiting.splice(0).forEach((wake) => wake());
    }
    this.locks.clear();
  }
}

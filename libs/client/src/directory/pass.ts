import { GatehouseError } from '../connection/index.js';
import { type DirectoryApi } from './directory-api.js';
import { type DirectoryEvent } from './directory-event.js';
import { type Handlers } from './handlers.js';
import { snapshotOf } from './snapshot.js';
import { type Store } from './store.js';

export interface PassOptions<Context> {
  readonly api: DirectoryApi;
  readonly handlers: Handlers<Context>;
  readonly store: Store<Context>;
  /** Of the position in the store. */
  readonly name: string;
  /** As in `DirectoryOptions`. */
  readonly from: string;
}

/** A step ends after this time, so that slow handlers keep what they have done. */
const STEP_MS_MAX = 1_000;

/**
 * One pass through the log, to its end. A position is the number and the id of an event, such as
 * `4711:01983f71-…`. The log continues behind the id; the number says what was handled, should the id have
 * left the log.
 */
export class Pass<Context> {
  constructor(
    private readonly options: PassOptions<Context>,
    private readonly signal: AbortSignal,
  ) {}

  /** @returns whether this process got any further */
  async run(): Promise<boolean> {
    const before = await this.options.store.position(this.options.name);
    let reached = before;
    let position = before ?? (await this.begin());
    while (position !== undefined && !this.signal.aborted) {
      reached = position;
      const next = await this.advance(position);
      if (next === position) break;
      position = next;
    }
    return reached !== before;
  }

  /** @returns the next position, the same at the end of the log, or undefined if another process moves it */
  private async advance(position: string): Promise<string | undefined> {
    const { sequence, id } = parsed(position);
    const page = await this.eventsBehind(id);
    if (page === undefined) {
      // A snapshot shows what lost events would have shown. Other followers go on with what is left.
      const { from } = this.options;
      return from === 'snapshot' ? this.begin(position) : this.moveTo(`${sequence}:`, position);
    }
    const last = page.at(-1);
    if (last === undefined) return position;
    const events = page.filter((event) => event.sequence > sequence);
    if (events.length === 0) return this.moveTo(`${sequence}:${last.id}`, position);
    return this.handle(events, position);
  }

  /** Undefined if the event with this id is no longer in the log. */
  private async eventsBehind(id: string): Promise<DirectoryEvent[] | undefined> {
    try {
      return await this.options.api.events(id);
    } catch (error) {
      if (id !== '' && error instanceof GatehouseError && error.status === 404) return undefined;
      throw error;
    }
  }

  private async handle(events: DirectoryEvent[], before: string): Promise<string | undefined> {
    let position: string | undefined = before;
    for (let start = 0; start < events.length && !this.signal.aborted;) {
      const next = events.slice(start, start + this.options.store.eventsMax);
      position = await this.step(next, position);
      if (position === undefined) return undefined;
      const { id } = parsed(position);
      start = events.findIndex((event) => event.id === id) + 1;
    }
    return position;
  }

  /** Handles events in one step of the store, from the first one on; as many as there is time for. */
  private async step(events: DirectoryEvent[], position: string): Promise<string | undefined> {
    const { store, name, handlers } = this.options;
    const startedAtMs = performance.now();
    let handled = 0;
    try {
      return await store.move(name, position, async (context) => {
        let reached = position;
        for (const event of events) {
          await handlers.handle(event, context);
          handled += 1;
          reached = `${event.sequence}:${event.id}`;
          if (this.signal.aborted || performance.now() - startedAtMs > STEP_MS_MAX) break;
        }
        return reached;
      });
    } catch (error) {
      // Without the event that fails, to keep those before it.
      const fewer = handled < events.length ? handled : Math.floor(handled / 2);
      if (fewer === 0) throw error;
      return this.step(events.slice(0, fewer), position);
    }
  }

  /** Takes the first step, or begins anew at a position that is lost. */
  private begin(lost?: string): Promise<string | undefined> {
    const { store, name, api, from } = this.options;
    return store.move(name, lost, async (context) => {
      if (from === 'log') return '0:';
      // Before the snapshot, so that the log shows what changes meanwhile.
      const latest = from === 'snapshot' || from === 'now' ? await api.latestEvent() : from;
      const sequence = latest === '' ? 0 : (await api.event(latest)).sequence;
      if (from === 'snapshot') await this.handleSnapshot(context);
      return `${sequence}:${latest}`;
    });
  }

  private async handleSnapshot(context: Context): Promise<void> {
    const { api, handlers } = this.options;
    for (const handler of handlers.ofSnapshots) await handler(context);
    for await (const event of snapshotOf(api)) {
      this.signal.throwIfAborted();
      await handlers.handle(event, context);
    }
  }

  private moveTo(position: string, from: string): Promise<string | undefined> {
    const { store, name } = this.options;
    return store.move(name, from, () => Promise.resolve(position));
  }
}

function parsed(position: string): { sequence: number; id: string } {
  const [sequence, id = ''] = position.split(':');
  return { sequence: Number(sequence), id };
}

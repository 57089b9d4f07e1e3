/** Follows an event log until it is told to stop. */
import { setTimeout as delay } from 'node:timers/promises';
import { isNotFound, isUnreachable } from '../failure.js';
import { type EventLog, type LogEvent, type Newest } from './event-log.js';

export interface FollowOptions {
  /** The id of the event to begin after; `beginning` for the whole log; by default only new events come. */
  readonly since?: string;
  /** Only events of these types. */
  readonly types?: readonly string[];
  readonly signal: AbortSignal;
  /** Called when Gatehouse is away, and again when it is back. */
  readonly onReachable: (isReachable: boolean) => void;
}

const PAUSE_MS = 1_000;

/**
 * The events of a log in their order, each once, until the signal aborts. If Gatehouse goes away, it is asked
 * again until it is back.
 *
 * @throws GatehouseError if the log cannot be read, also if Gatehouse is away from the start
 */
export async function* follow(
  log: EventLog,
  { since, types, signal, onReachable }: FollowOptions,
): AsyncGenerator<LogEvent> {
  let { id: last, sequence = 0 } = await startOf(log, since);
  let isReachable = true;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      for await (const event of log.after(last, signal)) {
        last = event.id;
        if (event.sequence <= sequence) continue;
        sequence = event.sequence;
        if (types === undefined || types.includes(event.event)) yield event;
      }
      if (!isReachable) onReachable((isReachable = true));
    } catch (error) {
      if (signal.aborted) return;
      // The last event is gone, with its directory or after its time. Those before it are passed over.
      if (isNotFound(error) && last !== undefined && sequence > 0) {
        last = undefined;
        continue;
      }
      if (isFirst || !isUnreachable(error)) throw error;
      if (isReachable) onReachable((isReachable = false));
    }
    await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** The event to begin after; its number is unknown if the caller names it. */
async function startOf(log: EventLog, since: string | undefined): Promise<Partial<Newest>> {
  if (since === undefined) return (await log.latest()) ?? {};
  return since === 'beginning' ? {} : { id: since };
}

/** Aborts at Ctrl-C and at SIGTERM, so that a command can end in order. */
export function untilInterrupted(): AbortSignal {
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => interrupted.abort());
  }
  return interrupted.signal;
}

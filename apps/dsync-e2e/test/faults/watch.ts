/** Clients that send the same kinds of requests again and again, and remember how each was answered. */
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@gatehouse/testing';

/** Longer than any answer may take. */
const REQUEST_LIMIT_MS = 30_000;
const CLIENTS_PER_KIND = 2;
/** Between the requests of a client. */
const PAUSE_MS = 10;

/** The result of a request: `SERVED`, or the unexpected answer. */
type Outcome = string;
export const SERVED: Outcome = 'served';

/** Sends one request. */
export type Kind = (signal: AbortSignal) => Promise<Outcome>;

interface Sample {
  startedAtMs: number;
  endedAtMs: number;
  outcome: Outcome;
}

export interface KindReport {
  /** How often each outcome was seen. */
  outcomes: Record<Outcome, number>;
  /** Duration of the slowest request. */
  slowestMs: number;
}

export interface Watch {
  /** Reports on the requests that were under way between now and the end of `work`. */
  during(work: () => Promise<void>): Promise<Record<string, KindReport>>;
  /** Waits until a request of each kind has been sent and served from now on. */
  untilServed(limitMs: number): Promise<void>;
  end(): Promise<void>;
}

export function startWatch(kinds: Readonly<Record<string, Kind>>): Watch {
  const samples = new Map<string, Sample[]>(Object.keys(kinds).map((name) => [name, []]));
  let isOver = false;

  const client = async (name: string, kind: Kind) => {
    while (!isOver) {
      const startedAtMs = performance.now();
      const outcome = await kind(AbortSignal.timeout(REQUEST_LIMIT_MS)).catch(
        (error: unknown) => `no answer: ${(error as Error).name}`,
      );
      samples.get(name)?.push({ startedAtMs, endedAtMs: performance.now(), outcome });
      await sleep(PAUSE_MS);
    }
  };
  const clients = Object.entries(kinds).flatMap(([name, kind]) =>
    Array.from({ length: CLIENTS_PER_KIND }, () => client(name, kind)),
  );

  const untilServed: Watch['untilServed'] = (limitMs) => {
    const sinceMs = performance.now();
    const unserved = () =>
      [...samples].flatMap(([name, all]) => {
        const last = all.at(-1);
        return last && last.startedAtMs >= sinceMs && last.outcome === SERVED
          ? []
          : [`${name}: ${last?.outcome}`];
      });
    return eventually(() => expect(unserved()).toEqual([]), { timeoutMs: limitMs });
  };

  return {
    untilServed,
    during: async (work) => {
      const fromMs = performance.now();
      await work();
      const toMs = performance.now();
      // Requests that are still under way are answered first.
      await eventually(
        () => {
          for (const all of samples.values()) {
            expect(all.filter(({ startedAtMs }) => startedAtMs > toMs).length).toBeGreaterThan(
              CLIENTS_PER_KIND,
            );
          }
        },
        { timeoutMs: 2 * REQUEST_LIMIT_MS },
      );
      return Object.fromEntries(
        [...samples].map(([name, all]) => [
          name,
          reportOf(all.filter((each) => each.endedAtMs > fromMs && each.startedAtMs < toMs)),
        ]),
      );
    },
    end: async () => {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

function reportOf(samples: readonly Sample[]): KindReport {
  const outcomes: KindReport['outcomes'] = {};
  for (const { outcome } of samples) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  const slowestMs = Math.max(0, ...samples.map((each) => each.endedAtMs - each.startedAtMs));
  return { outcomes, slowestMs: Math.round(slowestMs) };
}

/** Requests and hints between services of one process, as calls. */
import { setTimeout as sleep } from 'node:timers/promises';
import { inSpan } from '../../tracing/traces.js';
import { type Hint, type HintListener, type Messages, type RequestHandler } from '../exchange.js';
import { messageSpan } from '../message-span.js';
import { within } from '../within.js';

/** Callers wait no longer for a response. */
const ANSWER_TIME_MS = 2_000;

/** The services of a process that serve or listen. */
export class LocalServices {
  readonly handlers = new Map<string, RequestHandler>();
  readonly listeners = new Map<string, Set<HintListener>>();
}

/** The messages of one service. */
export class LocalMessages implements Messages {
  private readonly inFlight = new Set<Promise<unknown>>();
  private readonly served: string[] = [];
  private readonly heard: HintListener[] = [];

  constructor(
    private readonly services: LocalServices,
    private readonly service: string,
  ) {}

  async request(pattern: string, payload: unknown, timeoutMs: number): Promise<unknown> {
    const handler = this.services.handlers.get(pattern);
    if (!handler) throw new Error(`no service of this process answers ${pattern}`);
    const reply = await inSpan(messageSpan('local', pattern, 'client'), () =>
      within(handler(copyOf(payload), this.service), timeoutMs),
    );
    return copyOf(reply);
  }

  serve(pattern: string, handler: RequestHandler): void {
    this.served.push(pattern);
    this.services.handlers.set(pattern, (data, sender) => {
      const answered = handler(data, sender);
      this.inFlight.add(answered);
      const end = () => this.inFlight.delete(answered);
      answered.then(end, end);
      return answered;
    });
  }

  publish(hints: readonly Hint[]): Promise<void> {
    try {
      for (const { pattern, payload } of hints) {
        for (const listener of this.services.listeners.get(pattern) ?? []) {
          listener.receive(copyOf(payload), this.service);
        }
      }
      return Promise.resolve();
    } catch (error) {
      return Promise.reject(new Error('the hints were not heard', { cause: error }));
    }
  }

  listen(pattern: string, listener: HintListener): void {
    this.heard.push(listener);
    const listeners = this.services.listeners.get(pattern) ?? new Set();
    this.services.listeners.set(pattern, listeners.add(listener));
  }

  async stop(): Promise<void> {
    for (const pattern of this.served) this.services.handlers.delete(pattern);
    for (const listeners of this.services.listeners.values()) {
      for (const listener of this.heard) listeners.delete(listener);
    }
    const late = sleep(ANSWER_TIME_MS, undefined, { ref: false });
    await Promise.race([Promise.allSettled(this.inFlight), late]);
  }
}

/** As it would arrive from another process: what one side changes, the other does not see. */
function copyOf(payload: unknown): unknown {
  return payload === undefined ? undefined : (JSON.parse(JSON.stringify(payload)) as unknown);
}

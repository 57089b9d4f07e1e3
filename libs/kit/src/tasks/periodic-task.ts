export interface PeriodicTaskOptions {
  /** Does the work once. `signal` aborts on `stop`; a long run may check it to end early. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Milliseconds from the end of one run to the start of the next, shortened by up to 10 %. */
  readonly intervalMs: number;
  /** Milliseconds from `start` to the first run; `intervalMs` by default. */
  readonly firstAfterMs?: number;
  readonly logger: { warn(fields: object, message: string): void };
  /** The log message of a failed run, such as `old rows could not be deleted`. */
  readonly failureMessage: string;
}

/** The share of an interval that is random, so that replicas started together drift apart. */
const JITTER = 0.1;

/**
 * Work that repeats until it is stopped. Runs never overlap. A run that fails is logged as a
 * warning, and the next one starts at its usual time.
 */
export class PeriodicTask {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();

  constructor(private readonly options: PeriodicTaskOptions) {}

  start(): void {
    this.schedule(this.options.firstAfterMs ?? this.options.intervalMs);
  }

  /** Starts no further run, and resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(delayMs: number): void {
    if (this.stopping.signal.aborted) {
      return;
    }
    const pauseMs = delayMs * (1 - JITTER * Math.random());
    this.timer = setTimeout(() => {
      this.running = this.runOnce().finally(() => this.schedule(this.options.intervalMs));
    }, pauseMs).unref();
  }

  private async runOnce(): Promise<void> {
    try {
      await this.options.run(this.stopping.signal);
    } catch (error) {
      this.options.logger.warn({ err: error }, this.options.failureMessage);
    }
  }
}

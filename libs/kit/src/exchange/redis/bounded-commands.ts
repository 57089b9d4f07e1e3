import { type Logger } from 'pino';

const LOG_INTERVAL_MS = 10_000;
/** So that the commands of one request do not probe one after another. */
const PROBE_PAUSE_MS = 1_000;

/**
 * Commands that a request waits for, of a Redis that may be away. While it accepts commands without
 * answering, every command would wait for the timeout of its connection: one at a time does, at most
 * every second, and the others are given up at once.
 */
export class BoundedCommands {
  private loggedAtMs = -Infinity;
  private isUnresponsive = false;
  private isProbing = false;
  private nextProbeAtMs = -Infinity;

  /**
   * @param onError what the service does without an answer; part of the log line
   * @param message of the log line
   */
  constructor(
    private readonly logger: Logger,
    private readonly onError: string,
    private readonly message: string,
  ) {}

  /** Runs a command. Never throws. @returns undefined when Redis cannot be reached */
  async run<T>(command: () => Promise<T>): Promise<T | undefined> {
    // One request at a time probes Redis; the others do not wait for the timeout.
    const isProbe = this.isUnresponsive;
    if (isProbe && (this.isProbing || performance.now() < this.nextProbeAtMs)) return undefined;
    if (isProbe) this.isProbing = true;
    try {
      const answer = await command();
      this.isUnresponsive = false;
      return answer;
    } catch (error) {
      this.isUnresponsive = (error as Error).message === 'Command timed out';
      this.nextProbeAtMs = performance.now() + PROBE_PAUSE_MS;
      this.logFailure(error);
      return undefined;
    } finally {
      // Requests from before Redis fell silent end here too; they must not admit a second probe.
      if (isProbe) this.isProbing = false;
    }
  }

  private logFailure(error: unknown): void {
    const nowMs = performance.now();
    if (nowMs - this.loggedAtMs < LOG_INTERVAL_MS) return;
    this.loggedAtMs = nowMs;
    this.logger.warn({ reason: String(error), onError: this.onError }, this.message);
  }
}

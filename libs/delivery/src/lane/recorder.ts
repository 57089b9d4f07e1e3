/**
 * Records deliveries while the next ones are under way: after `DELAY_MS`, in one statement at a time,
 * so the database never slows a lane to one statement for each event. A worker that dies repeats what
 * was not recorded: at most `UNRECORDED_MAX` events.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type LoggedAttempt } from './lane.repository.js';

const UNRECORDED_MAX = 50;
const DELAY_MS = 10;

export interface Delivered {
  cursor: string;
  cursorAt: Date;
  attempts: readonly LoggedAttempt[];
}

export class Recorder {
  private waiting: LoggedAttempt[] = [];
  private last: Delivered | undefined;
  private writing: Promise<void> | undefined;
  private hurry = new AbortController();
  private hasLost = false;
  private fault: unknown;

  /** @param write resolves to false if the lease was lost */
  constructor(private readonly write: (delivered: Delivered) => Promise<boolean>) {}

  /**
   * Takes note of deliveries. Resolves at once, or when few enough are unrecorded.
   *
   * @returns false once the lease is lost
   * @throws the fault of an earlier write
   */
  async add(delivered: Delivered): Promise<boolean> {
    this.last = delivered;
    this.waiting.push(...delivered.attempts);
    this.writing ??= sleep(DELAY_MS, undefined, { signal: this.hurry.signal })
      .catch(() => undefined)
      .then(() => this.writeAll());
    if (this.waiting.length >= UNRECORDED_MAX) return this.settle();
    return this.isHeld();
  }

  /** Resolves when everything is recorded; otherwise as `add`. */
  async settle(): Promise<boolean> {
    this.hurry.abort();
    await this.writing;
    return this.isHeld();
  }

  private isHeld(): boolean {
    if (this.fault !== undefined) throw this.fault as Error;
    return !this.hasLost;
  }

  private async writeAll(): Promise<void> {
    try {
      while (this.last !== undefined && !this.hasLost) {
        const { cursor, cursorAt } = this.last;
        const attempts = this.waiting;
        this.last = undefined;
        this.waiting = [];
        this.hasLost = !(await this.write({ cursor, cursorAt, attempts }));
      }
    } catch (error) {
      this.fault = error;
    }
    this.writing = undefined;
    this.hurry = new AbortController();
  }
}

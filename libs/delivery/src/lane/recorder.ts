/**
 * Records deliveries while the next ones are under way. At most one statement runs at a time; what is
 * delivered meanwhile is recorded by the next one, so the database never slows a lane to one statement
 * for each event. A worker that dies repeats what was not recorded: at most `UNRECORDED_MAX` events.
 */
import type { LoggedAttempt } from './lane.repository.js';

const UNRECORDED_MAX = 50;

export interface Delivered {
  cursor: string;
  cursorAt: Date;
  attempts: readonly LoggedAttempt[];
}

export class Recorder {
  private waiting: LoggedAttempt[] = [];
  private last: Delivered | undefined;
  private writing: Promise<void> | undefined;
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
    this.writing ??= this.writeAll();
    if (this.waiting.length >= UNRECORDED_MAX) return this.settle();
    return this.isHeld();
  }

  /** Resolves when everything is recorded; otherwise as `add`. */
  async settle(): Promise<boolean> {
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
  }
}

/**
 * Records deliveries while the next ones are under way: several in one statement, and one statement at
 * a time. A worker that dies repeats what was not recorded: at most `UNRECORDED_MAX` events, or two
 * requests if they carry more.
 */
import { type LoggedAttempt } from './attempt-columns.js';

const UNRECORDED_MAX = 50;
/** Events recorded at once; fewer after `DELAY_MS`. */
const RECORDED_AT_ONCE = 25;
const DELAY_MS = 100;

export interface Delivered {
  cursor: string;
  cursorAt: Date;
  attempts: readonly LoggedAttempt[];
}

export class Recorder {
  private waiting: LoggedAttempt[] = [];
  /** Events and requests that wait or are being written. */
  private unrecorded = { events: 0, requests: 0 };
  /** Where the newest delivery leaves the track. */
  private last: Omit<Delivered, 'attempts'> | undefined;
  private writing: Promise<void> | undefined;
  private endDelay: () => void = () => undefined;
  private hasLost = false;
  private fault: unknown;

  private releases = false;
  /** Whether the lease was given back. */
  hasReleased = false;

  /** @param write resolves to false if the lease was lost; `releases`: it is given back */
  constructor(
    private readonly write: (delivered: Delivered & { releases: boolean }) => Promise<boolean>,
  ) {}

  /**
   * Takes note of deliveries. Resolves at once, or when few enough are unrecorded.
   *
   * @returns false once the lease is lost
   * @throws the fault of an earlier write
   */
  async add(delivered: Delivered): Promise<boolean> {
    if (this.hasLost || this.fault !== undefined) return this.isHeld();
    const { attempts, ...position } = delivered;
    this.last = position;
    this.waiting.push(...attempts);
    this.unrecorded.events += attempts.length;
    this.unrecorded.requests += 1;
    this.writing ??= this.writeSoon();
    if (this.waiting.length >= RECORDED_AT_ONCE) this.endDelay();
    const { events, requests } = this.unrecorded;
    return events >= UNRECORDED_MAX && requests > 1 ? this.settle() : this.isHeld();
  }

  /** Resolves when everything is recorded; otherwise as `add`. */
  async settle(): Promise<boolean> {
    while (this.writing !== undefined) {
      this.endDelay();
      await this.writing;
    }
    return this.isHeld();
  }

  /** As `settle`, with the last write giving the lease back. */
  finish(): Promise<boolean> {
    this.releases = true;
    return this.settle();
  }

  private isHeld(): boolean {
    if (this.fault !== undefined) throw this.fault as Error;
    return !this.hasLost;
  }

  private async writeSoon(): Promise<void> {
    await new Promise<void>((resolve) => {
      const delay = setTimeout(resolve, DELAY_MS);
      this.endDelay = () => {
        clearTimeout(delay);
        resolve();
      };
    });
    try {
      await this.writeWaiting();
    } catch (error) {
      this.fault = error;
    }
    const isOver = this.waiting.length === 0 || this.hasLost || this.fault !== undefined;
    this.writing = isOver ? undefined : this.writeSoon();
  }

  private async writeWaiting(): Promise<void> {
    const { last, waiting: attempts } = this;
    const { events, requests } = this.unrecorded;
    if (last === undefined) return;
    this.waiting = [];
    const { releases } = this;
    this.hasLost = !(await this.write({ ...last, attempts, releases }));
    this.hasReleased = releases && !this.hasLost;
    this.unrecorded.events -= events;
    this.unrecorded.requests -= requests;
  }
}

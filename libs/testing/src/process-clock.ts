import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requiredVariable } from './required-variable.js';

/** The wall clock of one process, set with libfaketime. */
export class ProcessClock {
  private readonly file: string;

  constructor(folder: string, name: string, seconds: number) {
    this.file = join(folder, name);
    this.step(seconds);
  }

  /** Sets it so far ahead of the true time, or behind. */
  step(seconds: number): void {
    writeFileSync(this.file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}s`);
  }

  /** For the process. Timers go on as usual, as they do when the clock of a machine is set. */
  get settings(): Record<string, string> {
    return {
      LD_PRELOAD: requiredVariable('FAKETIME_LIBRARY'),
      FAKETIME_TIMESTAMP_FILE: this.file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }
}

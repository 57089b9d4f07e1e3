/**
 * A world in which everything happens in an order that a seed decides: fast-check's scheduler picks the next
 * step among those that are possible, and time passes only between steps.
 */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import fc, { type Scheduler } from 'fast-check';

/** Code that may be killed: then nothing that it waits for happens any more. */
export interface Process {
  isDead: boolean;
}

interface Timer {
  at: number;
  every: number | undefined;
  run: () => void;
  owner: Process | undefined;
}

/** A simulation: takes a scheduler and random numbers below 10,000, and returns the faults that it finds. */
export type Simulate = (
  scheduler: Scheduler,
  numbers: IterableIterator<number>,
) => Promise<string[]>;

const START_MS = Date.UTC(2026, 0, 1, 12);
/** Of the steps at which something else could happen too. */
const TIMER_IN = 12;
const JUMP_IN = 150;
const JUMP_MS = 16_000;
const real = { setImmediate, Date };

export class World {
  now = START_MS;
  /** What was found wrong. */
  readonly faults: string[] = [];
  /** Whose code runs: only one step is taken at a time. */
  process: Process | undefined;
  private readonly timers = new Map<number, Timer>();
  private lastTimer = 0;

  /**
   * @param numbers random numbers below 10,000
   * @param mayStall whether time may pass while steps are possible: processes may stand still for seconds
   * @param settled resolves when real work that a step began has come to rest
   */
  constructor(
    private readonly scheduler: Scheduler,
    private readonly numbers: IterableIterator<number>,
    private readonly mayStall: () => boolean,
    private readonly settled = () => Promise.resolve(),
  ) {}

  /** Whether something of this probability happens. */
  chance(probability: number): boolean {
    return this.number() < probability * 10_000;
  }

  /** A number below `most`. */
  pick(most: number): number {
    return this.number() % most;
  }

  /** Resolves when the seed wants it: other steps may come first. */
  async step(label: string): Promise<void> {
    const { process } = this;
    await this.scheduler.schedule(Promise.resolve(), label);
    this.process = process;
  }

  /** Runs code as a part of a process. */
  as<T>(process: Process, work: () => T): T {
    const former = this.process;
    this.process = process;
    try {
      return work();
    } finally {
      this.process = former;
    }
  }

  fault(text: string): void {
    this.faults.push(text);
  }

  /** Takes steps until the work is done, with the clock of this world for all code. */
  async run(work: () => Promise<void>, stepsMax: number): Promise<void> {
    const restore = this.install();
    let isDone = false;
    const ended = work().finally(() => (isDone = true));
    ended.catch(() => undefined);
    try {
      for (let steps = 0; !isDone && this.faults.length === 0; steps++) {
        if (steps === stepsMax) this.fault(`not done after ${stepsMax} steps`);
        await this.next();
      }
    } finally {
      restore();
    }
    if (isDone) await ended;
  }

  private async next(): Promise<void> {
    await new Promise((resolve) => real.setImmediate(resolve));
    await this.settled();
    if (this.scheduler.count() === 0) return this.pass(0);
    if (this.mayStall()) {
      if (this.pick(JUMP_IN) === 0) return this.pass(this.pick(JUMP_MS));
      if (this.pick(TIMER_IN) === 0) return this.pass(0);
    }
    await this.scheduler.waitOne();
  }

  /** Lets time pass to the next timer, or for so many milliseconds. */
  private pass(ms: number): void {
    const until = this.now + ms;
    const [next] = [...this.timers].sort(([a, { at }], [b, other]) => at - other.at || a - b);
    if (!next || (ms > 0 && next[1].at > until)) {
      this.now = until;
      return;
    }
    const [id, { at, every, run, owner }] = next;
    this.now = Math.max(this.now, at, until);
    if (every === undefined || owner?.isDead) this.timers.delete(id);
    else this.timers.set(id, { at: this.now + every, every, run, owner });
    this.process = owner;
    if (!owner?.isDead) run();
  }

  private number(): number {
    return this.numbers.next().value as number;
  }

  /** @returns what undoes it */
  private install(): () => void {
    const add = (run: () => void, ms = 0, every?: number) => {
      const owner = this.process;
      const id = (this.lastTimer += 1);
      this.timers.set(id, { at: this.now + ms, every, run, owner });
      return { id, unref: () => undefined };
    };
    const clear = (timer?: { id: number }) => void (timer && this.timers.delete(timer.id));
    const now = () => this.now;
    class FakeDate extends real.Date {
      constructor(...values: number[]) {
        super(values[0] ?? now());
      }
      static override now = now;
    }
    let random = this.number();
    const fakes = [
      [globalThis, 'setTimeout', add],
      [globalThis, 'clearTimeout', clear],
      [globalThis, 'setInterval', (run: () => void, ms: number) => add(run, ms, ms)],
      [globalThis, 'clearInterval', clear],
      [globalThis, 'Date', FakeDate],
      [performance, 'now', now],
      [Math, 'random', () => (random = (random * 7_919 + 104_729) % 10_000) / 10_000],
      [timers, 'setTimeout', (ms: number) => new Promise<void>((resolve) => add(resolve, ms))],
    ] as const;
    const former = fakes.map(([object, name]) => Reflect.get(object, name) as unknown);
    fakes.forEach(([object, name, fake]) => Reflect.set(object, name, fake));
    syncBuiltinESMExports();
    return () => {
      fakes.forEach(([object, name], index) => Reflect.set(object, name, former[index]));
      syncBuiltinESMExports();
    };
  }
}

/** @returns the faults of a seed: none if all guarantees hold */
export async function simulateSeed(seed: number, simulate: Simulate): Promise<string[]> {
  let faults: string[] = [];
  const numbers = fc.infiniteStream(fc.noBias(fc.nat(9_999)));
  const property = fc.asyncProperty(fc.scheduler(), numbers, async (scheduler, stream) => {
    faults = await simulate(scheduler, stream);
  });
  const { errorInstance } = await fc.check(property, { seed, numRuns: 1, endOnFailure: true });
  if (errorInstance instanceof Error) return [errorInstance.stack ?? errorInstance.message];
  return faults;
}

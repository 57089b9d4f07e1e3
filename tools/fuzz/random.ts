import * as fc from 'fast-check';

/** Numbers and values that depend on a seed only. */
export class Random {
  private state: number;

  constructor(...seeds: number[]) {
    this.state = seeds.reduce((state, seed) => mixed(state ^ seed), 0x9e3779b9);
  }

  /** A whole number of 32 bits. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    return mixed(this.state);
  }

  below(limit: number): number {
    return this.next() % limit;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  /** True once in `times`. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  sample<T>(arbitrary: fc.Arbitrary<T>): T {
    return fc.sample(arbitrary, { seed: this.next() | 0, numRuns: 1 })[0] as T;
  }
}

function mixed(value: number): number {
  let state = value >>> 0;
  state = Math.imul(state ^ (state >>> 15), state | 1);
  state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
  return (state ^ (state >>> 14)) >>> 0;
}

// @ts-check
// Starts files of faults first. They are small and take long, and Jest, which starts large files first
// while it knows no durations, would end with one of them on an idle machine.
import { createRequire } from 'node:module';

/** @typedef {import('@jest/test-sequencer').default} Sequencer */
/** @typedef {Parameters<Sequencer['sort']>[0]} Tests */

/** @type {typeof import('@jest/test-sequencer').default} */
const TestSequencer = createRequire(import.meta.url)('@jest/test-sequencer').default;

export default class FaultsFirst extends TestSequencer {
  /**
   * @override
   * @param {Tests} tests
   */
  async sort(tests) {
    const sorted = await super.sort(tests);
    const isFault = (/** @type {Tests[number]} */ { path }) => path.endsWith('.fault-spec.ts');
    return [...sorted.filter(isFault), ...sorted.filter((test) => !isFault(test))];
  }
}

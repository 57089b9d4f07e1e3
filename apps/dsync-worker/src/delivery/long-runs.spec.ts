import { eventually } from '@gatehouse/testing';
import { LongRuns, PATIENCE_MS } from './long-runs.js';

/** A run that ends when it is told to. */
function heldRun() {
  const held = { isStarted: false, end: () => undefined as void };
  const run = () =>
    new Promise<void>((resolve) => {
      held.isStarted = true;
      held.end = resolve;
    });
  return Object.assign(held, { run });
}

describe('LongRuns', () => {
  it('starts as many runs as it has places, and the next one when one ends', async () => {
    const runs = new LongRuns(2);
    const [first, second, third, fourth] = Array.from({ length: 4 }, heldRun);
    expect(runs.adopt('first', first!.run())).toBe(true);
    runs.add('second', second!.run);
    runs.add('third', third!.run);
    runs.add('fourth', fourth!.run);
    expect([second!.isStarted, third!.isStarted]).toEqual([true, false]);
    expect(runs.adopt('fifth', heldRun().run())).toBe(false);
    first!.end();
    await eventually(() => expect(third!.isStarted).toBe(true));
    expect(fourth!.isStarted).toBe(false);
  });

  it('expects a run to be long after two in a row, until one is not', async () => {
    const runs = new LongRuns(2);
    const adopt = () => {
      const long = heldRun();
      runs.adopt('lane', long.run());
      long.end();
    };
    adopt();
    expect(runs.expects('lane')).toBe(false);
    runs.forget('lane');
    adopt();
    expect(runs.expects('lane')).toBe(false);
    await Promise.resolve();
    adopt();
    expect(runs.expects('lane')).toBe(true);
    runs.add('lane', () => new Promise((resolve) => setTimeout(resolve, 2 * PATIENCE_MS)));
    let isOver = false;
    runs.add('lane', () => {
      isOver = true;
      return Promise.resolve();
    });
    await eventually(() => expect(isOver).toBe(true));
    await eventually(() => expect(runs.expects('lane')).toBe(false));
  });

  it('starts nothing once it is closed', async () => {
    const runs = new LongRuns(1);
    const first = heldRun();
    const second = heldRun();
    runs.add('first', first.run);
    runs.add('second', second.run);
    runs.close();
    first.end();
    await Promise.resolve();
    expect(second.isStarted).toBe(false);
  });
});

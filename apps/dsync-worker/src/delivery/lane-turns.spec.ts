import { eventually } from '@gatehouse/testing';
import { LaneTurns, LONG_MS, type TurnEnd } from './lane-turns.js';

/** A lane whose turns end when they are told to. */
function heldLane(key: string) {
  const held = {
    key,
    turns: 0,
    wakes: 0,
    isQuick: false,
    end: (_end: TurnEnd): void => undefined,
    run: () => {
      held.turns += 1;
      if (held.isQuick) return Promise.resolve<TurnEnd>('idle');
      return new Promise<TurnEnd>((resolve) => (held.end = resolve));
    },
    wake: () => void (held.wakes += 1),
  };
  return held;
}

const stopping = () => new AbortController();

function patienceEnds(startedAt: number): Promise<void> {
  return eventually(() => expect(performance.now() - startedAt).toBeGreaterThan(2 * LONG_MS));
}

/** Gives a lane long turns, until it is slow. */
async function slowDown(turns: LaneTurns, lane: ReturnType<typeof heldLane>): Promise<void> {
  for (let count = 1; count <= 2; count += 1) {
    const startedAt = performance.now();
    await turns.start(lane);
    await patienceEnds(startedAt);
    lane.end('idle');
    await turns.ended();
  }
}

describe('LaneTurns', () => {
  it('holds the queue for a short turn until it ends', async () => {
    const turns = new LaneTurns(1, stopping().signal);
    const lane = heldLane('lane');
    let isFreed = false;
    const started = turns.start(lane).then(() => (isFreed = true));
    await Promise.resolve();
    expect(isFreed).toBe(false);
    lane.end('idle');
    await started;
    expect([lane.turns, lane.wakes]).toEqual([1, 0]);
  });

  it('gives a lane one turn at a time, and goes on if it was started meanwhile', async () => {
    const turns = new LaneTurns(1, stopping().signal);
    const lane = heldLane('lane');
    const started = turns.start(lane);
    await turns.start(lane);
    expect(lane.turns).toBe(1);
    lane.isQuick = true;
    lane.end('idle');
    await started;
    expect([lane.turns, lane.wakes]).toEqual([2, 0]);
  });

  it('wakes a lane that was started while the process stops', async () => {
    const controller = stopping();
    const turns = new LaneTurns(1, controller.signal);
    const lane = heldLane('lane');
    const started = turns.start(lane);
    await turns.start(lane);
    controller.abort();
    lane.end('idle');
    await started;
    expect([lane.turns, lane.wakes]).toEqual([1, 1]);
  });

  it('wakes a lane that was started in a turn which took long', async () => {
    const turns = new LaneTurns(1, stopping().signal);
    const lane = heldLane('lane');
    const startedAt = performance.now();
    await turns.start(lane);
    await turns.start(lane);
    await patienceEnds(startedAt);
    lane.end('idle');
    await turns.ended();
    expect([lane.turns, lane.wakes]).toEqual([1, 1]);
  });

  it('frees the queue from as many long turns as it has places, and from the next when one ends', async () => {
    const turns = new LaneTurns(1, stopping().signal);
    const [first, second] = [heldLane('first'), heldLane('second')];
    await turns.start(first);
    let isFreed = false;
    const startedAt = performance.now();
    const started = turns.start(second).then(() => (isFreed = true));
    await patienceEnds(startedAt);
    expect(isFreed).toBe(false);
    second.end('idle');
    await started;
    first.end('idle');
    await turns.ended();
    await turns.start(second);
    second.end('idle');
  });

  it('puts a lane beside the queue after two long turns in a row, until one is not', async () => {
    const turns = new LaneTurns(1, stopping().signal);
    const [lane, other] = [heldLane('lane'), heldLane('other')];
    await slowDown(turns, lane);
    await turns.start(other);
    // The only place is taken: the lane waits for it, and the queue does not wait for the lane.
    await turns.start(lane);
    expect(lane.turns).toBe(2);
    lane.isQuick = true;
    other.end('idle');
    await eventually(() => expect(lane.turns).toBe(3));
    await turns.ended();
    lane.isQuick = false;
    void turns.start(lane);
    expect(lane.turns).toBe(4);
    lane.end('idle');
  });

  it('goes on with a slow lane without the queue, and with any other through it', async () => {
    const turns = new LaneTurns(1, stopping().signal);
    const [lane, quick] = [heldLane('lane'), heldLane('quick')];
    await slowDown(turns, lane);
    const startedAt = performance.now();
    await turns.start(lane);
    await patienceEnds(startedAt);
    lane.end('yielded');
    await eventually(() => expect(lane.turns).toBe(4));
    const started = turns.start(quick);
    quick.end('yielded');
    await started;
    expect([lane.wakes, quick.turns, quick.wakes]).toEqual([0, 1, 1]);
    lane.end('idle');
  });

  it('starts nothing once the process stops', async () => {
    const controller = stopping();
    const turns = new LaneTurns(1, controller.signal);
    const [lane, other] = [heldLane('lane'), heldLane('other')];
    await slowDown(turns, lane);
    await turns.start(other);
    await turns.start(lane);
    controller.abort();
    other.end('yielded');
    await turns.ended();
    await turns.start(heldLane('third'));
    expect([lane.turns, other.turns, other.wakes]).toEqual([2, 1, 1]);
  });
});

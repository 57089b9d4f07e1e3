/**
 * The turns of lanes in this process: one at a time for each lane, and as many lanes at once as the queue
 * hands out. A turn that takes long, most often because its endpoint is slow, goes on beside the queue, in
 * one of a number of places, so that lanes that end soon do not wait for it. A lane with two long turns in
 * a row is slow: it takes such a place at once, or waits for one. A single long turn is not enough: a busy
 * machine makes any lane slow, which would then wait for those that always are.
 *
 * A lane that is started during its turn goes on at once when it ends, unless it has had enough time: then
 * it gives way to others through the queue.
 */
import { type LaneRun } from '@gatehouse/delivery';
import { Semaphore } from '@gatehouse/kit/tasks';
import { setTimeout as sleep } from 'node:timers/promises';

/** A turn that takes more is long. */
export const LONG_MS = 100;
const LONG_IN_A_ROW = 2;
/** The long turns of more lanes than this are not remembered. */
const REMEMBERED_MAX = 20_000;

export type TurnEnd = LaneRun['reason'] | 'failed';

export interface Lane {
  /** Unique in this process. */
  readonly key: string;
  /** Runs one turn. Never rejects. */
  readonly run: () => Promise<TurnEnd>;
  /** Puts the lane into the queue again. */
  readonly wake: () => void;
}

interface LaneState {
  /** Whether the lane was started again meanwhile. */
  isWokenAgain: boolean;
}

export class LaneTurns {
  /** Lanes that have a turn or wait for one. */
  private readonly running = new Map<string, LaneState>();
  private readonly turns = new Set<Promise<void>>();
  /** How many turns in a row were long, of lanes whose last one was, the least recent first. */
  private readonly longInARow = new Map<string, number>();
  private readonly places: Semaphore;

  /**
   * @param placesMax turns beside the queue at once
   * @param stopping then no turn starts, and what waits is left to the sweep of another worker
   */
  constructor(
    placesMax: number,
    private readonly stopping: AbortSignal,
  ) {
    this.places = new Semaphore({ max: placesMax });
  }

  /** Gives a lane a turn. Resolves when other lanes may have its place in the queue. */
  async start(lane: Lane): Promise<void> {
    const running = this.running.get(lane.key);
    if (running) {
      running.isWokenAgain = true;
      return;
    }
    const state = { isWokenAgain: false };
    this.running.set(lane.key, state);
    if (this.isSlow(lane.key)) {
      void this.places.run(() => this.turn(lane, state));
      return;
    }
    const turn = this.turn(lane, state);
    const patience = sleep(LONG_MS, 'long', { ref: false });
    const isLong = (await Promise.race([turn, patience])) === 'long';
    if (!isLong) return;
    if (this.places.tryTake()) void turn.finally(() => this.places.release());
    else await turn;
  }

  /** Resolves when no turn is under way. */
  async ended(): Promise<void> {
    await Promise.all(this.turns);
  }

  private turn(lane: Lane, state: LaneState): Promise<void> {
    const turn = this.runTurn(lane, state).finally(() => this.turns.delete(turn));
    this.turns.add(turn);
    return turn;
  }

  private async runTurn(lane: Lane, state: LaneState): Promise<void> {
    const { stopping } = this;
    if (stopping.aborted) return;
    const over = performance.now() + LONG_MS;
    let end: TurnEnd;
    do {
      state.isWokenAgain = false;
      end = await this.runOnce(lane);
    } while (end === 'idle' && state.isWokenAgain && performance.now() < over && !stopping.aborted);
    this.running.delete(lane.key);
    const hasMore = end === 'yielded';
    if (hasMore && this.isSlow(lane.key) && !stopping.aborted) void this.start(lane);
    else if (hasMore || state.isWokenAgain) lane.wake();
  }

  private async runOnce(lane: Lane): Promise<TurnEnd> {
    const startedAt = performance.now();
    const end = await lane.run();
    const isLong = performance.now() - startedAt > LONG_MS;
    if (isLong) this.rememberLong(lane.key);
    // A turn that found a pause, or another worker, says nothing about the endpoint.
    else if (end !== 'waiting' && end !== 'busy') this.longInARow.delete(lane.key);
    return end;
  }

  private isSlow(key: string): boolean {
    return (this.longInARow.get(key) ?? 0) >= LONG_IN_A_ROW;
  }

  private rememberLong(key: string): void {
    const before = this.longInARow.get(key) ?? 0;
    this.longInARow.delete(key);
    this.longInARow.set(key, before + 1);
    const [oldest] = this.longInARow.keys();
    if (this.longInARow.size > REMEMBERED_MAX && oldest) this.longInARow.delete(oldest);
  }
}

/** Our side: each call is one turn of a lane, which delivers a hundred events. */
import assert from 'node:assert/strict';
import { createDelivery, type LaneRun } from '@gatehouse/delivery';
import { type ProcessContext, type ProcessWork } from '../runner/types.js';
import { fillLog, type LogOptions, startReceiver, system } from './log.js';

export interface TurnOptions extends LogOptions {
  batchSize: number;
  /** Only the lane of the large source has turns, or only those of the others that have events. */
  turns?: 'large' | 'others';
}

const EVENTS = 100;

export async function prepare({
  options,
}: ProcessContext<TurnOptions>): Promise<ProcessWork<LaneRun>> {
  const receiver = await startReceiver();
  const { sql, added, rewind, close } = await fillLog(options, receiver.url);
  const { endpoints, active = endpoints, turns = 'others' } = options;
  const measured = turns === 'large' ? added.slice(endpoints) : added.slice(0, active);
  const lanes = measured.map((endpoint) => {
    let left = 0;
    let stop = new AbortController();
    const delivery = createDelivery({
      sql,
      system,
      outbound: { allowPrivate: true },
      logger: { warn: () => undefined },
      settings: {
        retryScheduleSeconds: [60],
        timeoutSeconds: 20,
        eventAttempts: 5,
        turnSeconds: 60,
        batchSize: options.batchSize,
      },
      onAttempt: (_verdict, _seconds, events) => {
        left -= events;
        if (left <= 0) stop.abort();
      },
    });
    const run = () => {
      left = EVENTS;
      stop = new AbortController();
      return delivery.runLane(endpoint, stop.signal);
    };
    return { id: endpoint.id, run, close: () => delivery.close() };
  });
  return {
    run: async () => {
      const lane = lanes.shift() as (typeof lanes)[0];
      const run = await lane.run();
      if (run.reason === 'idle') await rewind(lane.id);
      lanes.push(lane);
      return run;
    },
    check: ({ reason }) => assert.ok(reason === 'yielded' || reason === 'idle'),
    close: async () => {
      await Promise.all(lanes.map((lane) => lane.close()));
      await close();
      receiver.close();
    },
  };
}

/** Our side: each call is one turn of a lane, which delivers a hundred events. */
import assert from 'node:assert/strict';
import { createDelivery, type LaneRun } from '@gatehouse/delivery';
import { type ProcessContext, type ProcessWork } from '../../tools/bench/types.js';
import { fillLog, type LogOptions, startReceiver, system } from './log.js';

export interface TurnOptions extends LogOptions {
  batchSize: number;
}

export async function prepare({
  options,
}: ProcessContext<TurnOptions>): Promise<ProcessWork<LaneRun>> {
  const receiver = await startReceiver();
  const { sql, ids, rewind, close } = await fillLog(options, receiver.url);
  const delivery = createDelivery({
    ...{ sql, system, outbound: { allowPrivate: true }, logger: { warn: () => undefined } },
    settings: {
      ...{ retryScheduleSeconds: [60], timeoutSeconds: 20, eventAttempts: 5 },
      ...{ turnSeconds: 0, batchSize: options.batchSize },
    },
  });
  return {
    run: async () => {
      const id = ids.shift() as string;
      const run = await delivery.runLane(id);
      if (run.reason === 'idle') await rewind(id);
      ids.push(id);
      return run;
    },
    check: ({ reason }) => assert.ok(reason === 'yielded' || reason === 'idle'),
    close: async () => {
      await delivery.close();
      await close();
      receiver.close();
    },
  };
}

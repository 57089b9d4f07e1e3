/** Each call logs one event for each active source and sweeps, as a worker does. */
import assert from 'node:assert/strict';
import { createDelivery } from '@gatehouse/delivery';
import { type ProcessContext, type ProcessWork } from '../runner/types.js';
import { fillLog, type LogOptions, system } from './log.js';

export async function prepare({
  options,
}: ProcessContext<LogOptions & { active: number }>): Promise<ProcessWork<string[]>> {
  const { sql, append, close } = await fillLog(options, 'http://127.0.0.1:9/');
  const delivery = createDelivery({
    sql,
    system,
    outbound: { allowPrivate: true },
    logger: { warn: () => undefined },
    settings: {
      retryScheduleSeconds: [60],
      timeoutSeconds: 20,
      eventAttempts: 5,
      turnSeconds: 1,
      batchSize: 0,
    },
  });
  return {
    run: async () => {
      await append();
      const due = await delivery.sweep();
      await delivery.backlog();
      return due;
    },
    check: (due) => assert.equal(due.length, options.active),
    close: async () => {
      await delivery.close();
      await close();
    },
  };
}

/** The floor: each call posts a hundred signed events with undici, one after the other. */
import assert from 'node:assert/strict';
import { webhookKeys } from '@gatehouse/crypto';
import { webhookHeaders } from '@gatehouse/delivery';
import { Agent, request } from 'undici';
import { type ProcessContext, type ProcessWork } from '../runner/types.js';
import { startReceiver } from './log.js';

const EVENTS = 100;
const EVENT = {
  event: 'user.created',
  directory_id: '01983f70-1b42-7000-8000-8d03c5e6f712',
  data: {
    id: '01983f70-1b42-7000-8000-8d03c5e6f712',
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.com',
    active: true,
    raw: { userName: 'ada', note: 'x'.repeat(400) },
  },
  id: '01983f70-1b42-7000-8000-8d03c5e6f712',
  sequence: 1,
  created_at: '2026-01-15T09:30:00.000Z',
};

export async function prepare({
  options: { batchSize },
}: ProcessContext<{ batchSize: number }>): Promise<ProcessWork<number>> {
  const receiver = await startReceiver();
  const dispatcher = new Agent({ keepAliveTimeout: 10_000 });
  const isBatch = batchSize > 0;
  const body = JSON.stringify(isBatch ? Array.from({ length: batchSize }, () => EVENT) : EVENT);
  const headers = webhookHeaders(EVENT.id, body, [webhookKeys('a-secret-of-the-benchmark')]);
  return {
    run: async () => {
      let last = 0;
      for (let sent = 0; sent < EVENTS; sent += Math.max(1, batchSize)) {
        const answer = await request(receiver.url, { method: 'POST', headers, body, dispatcher });
        await answer.body.dump();
        last = answer.statusCode;
      }
      return last;
    },
    check: (status) => assert.equal(status, 200),
    close: async () => {
      await dispatcher.destroy();
      receiver.close();
    },
  };
}

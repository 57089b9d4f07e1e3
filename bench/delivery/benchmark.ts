import { type Benchmark } from '../runner/types.js';
import { arrival } from './arrival.js';
import { besideUndici, EVENTS_PER_CALL, side, undici } from './beside-undici.js';

const DEEPER_INDEX =
  'marking the ten endpoints reads 199 pages instead of 93, because the indexes of 100,000 rows have ' +
  'more levels, and the changed rows lie on more pages.';

export const benchmark: Benchmark = {
  title: 'Deliver webhooks, against undici that posts the same signed bytes',
  postgres: true,
  redis: true,
  rows: [
    ...besideUndici,
    {
      kind: 'process',
      name: 'batches of 100, 8 directories',
      aim: { ratePerSecond: 20_000 },
      unit: 'events',
      perCall: EVENTS_PER_CALL,
      concurrency: 8,
      subject: side('batches', 'turns', { endpoints: 8, events: 20_000, batchSize: 100 }),
      floor: undici(100),
    },
    {
      kind: 'process',
      name: '1,000,000 events in one lane, beside 20,000',
      aim: { ratio: 0.9 },
      unit: 'events',
      perCall: EVENTS_PER_CALL,
      subject: side('a million events', 'turns', { endpoints: 1, events: 1_000_000 }),
      floor: side('20,000 events', 'turns', { endpoints: 1, events: 20_000 }),
    },
    {
      kind: 'process',
      name: 'sweep, 100,000 directories beside 10, 10 active',
      limit: DEEPER_INDEX,
      aim: { ratio: 0.9 },
      unit: 'sweeps',
      subject: side('100,000 directories', 'sweep', { endpoints: 100_000, events: 1, active: 10 }),
      floor: side('10 directories', 'sweep', { endpoints: 10, events: 1, active: 10 }),
    },
    {
      kind: 'measure',
      name: 'from the 201 of a user to its webhook, p50',
      unit: 'ms',
      aim: { atMost: 20 },
      measure: (context, tools) => arrival(0.5, context, tools),
    },
    {
      kind: 'measure',
      name: 'from the 201 of a user to its webhook, p99',
      unit: 'ms',
      aim: { atMost: 100 },
      measure: (context, tools) => arrival(0.99, context, tools),
    },
  ],
};

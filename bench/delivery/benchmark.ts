import { type BenchContext, type Benchmark, type ProcessSide } from '../runner/types.js';
import { arrival } from './arrival.js';
import { type LogOptions } from './log.js';

type Fill = Omit<LogOptions, 'url'> & { batchSize?: number };

/** Costs of an event that the floor does not have. */
const EACH_EVENT =
  'a lane makes the body of each event, signs it twice at the time of sending, checks the address, and ' +
  'keeps the attempt. The floor posts bytes that were signed before.';

/** A call of either side delivers this many events, so the latencies are those of a hundred. */
const EVENTS_PER_CALL = 100;

const FLOOR = 'dist/bench/delivery/floor.js';

const side = (name: string, script: string, fill: Fill): ProcessSide => ({
  name,
  script: `dist/bench/delivery/${script}.js`,
  options: async (context: BenchContext) => ({
    url: await context.databaseUrl(name.replaceAll(/\W+/g, '_')),
    batchSize: 0,
    ...fill,
  }),
});

const DEEPER_INDEX =
  'marking the ten endpoints reads 199 pages instead of 93, because the indexes of 100,000 rows have ' +
  'more levels, and the changed rows lie on more pages.';

const undici = (batchSize: number): ProcessSide => ({
  name: 'undici, signed before',
  script: FLOOR,
  options: { batchSize },
});

export const benchmark: Benchmark = {
  title: 'Deliver webhooks, against undici that posts the same signed bytes',
  postgres: true,
  redis: true,
  rows: [
    {
      kind: 'process',
      name: 'single events, 50 directories',
      limit: EACH_EVENT,
      aim: { ratio: 0.6, ratePerSecond: 2_000 },
      unit: 'events',
      perCall: EVENTS_PER_CALL,
      concurrency: 50,
      subject: side('50 directories', 'turns', { endpoints: 50, events: 5_000 }),
      floor: undici(0),
    },
    {
      kind: 'process',
      name: 'single events, one directory',
      limit: EACH_EVENT,
      aim: { ratio: 0.7 },
      unit: 'events',
      perCall: EVENTS_PER_CALL,
      subject: side('one directory', 'turns', { endpoints: 1, events: 20_000 }),
      floor: undici(0),
    },
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

/** Deliveries of single events, beside a loop of undici that posts the same signed bytes. */
import { type BenchContext, type ProcessRow, type ProcessSide } from '../runner/types.js';
import { type LogOptions } from './log.js';

type Fill = Omit<LogOptions, 'url'> & { batchSize?: number };

/** Costs of an event that the floor does not have. */
const EACH_EVENT =
  'a lane makes the body of each event, signs it twice at the time of sending, checks the address, and ' +
  'keeps the attempt. The floor posts bytes that were signed before.';

/** A call of either side delivers this many events, so the latencies are those of a hundred. */
export const EVENTS_PER_CALL = 100;

export const side = (name: string, script: string, fill: Fill): ProcessSide => ({
  name,
  script: `dist/bench/delivery/${script}.js`,
  options: async (context: BenchContext) => ({
    url: await context.databaseUrl(name.replaceAll(/\W+/g, '_')),
    batchSize: 0,
    ...fill,
  }),
});

export const undici = (batchSize: number): ProcessSide => ({
  name: 'undici, signed before',
  script: 'dist/bench/delivery/floor.js',
  options: { batchSize },
});

export const besideUndici: ProcessRow[] = [
  {
    kind: 'process',
    name: 'single events, 50 directories',
    limit: EACH_EVENT,
    aim: { ratio: 0.6, ratePerSecond: 2_000 },
    unit: 'events',
    perCall: EVENTS_PER_CALL,
    concurrency: 50,
    subject: side('delivery, 50 directories', 'turns', { endpoints: 50, events: 5_000 }),
    floor: undici(0),
  },
  {
    kind: 'process',
    name: 'single events, one directory',
    limit: EACH_EVENT,
    aim: { ratio: 0.7 },
    unit: 'events',
    perCall: EVENTS_PER_CALL,
    subject: side('delivery, one directory', 'turns', { endpoints: 1, events: 20_000 }),
    floor: undici(0),
  },
];

/** What rows and requests take from PostgreSQL, as the rows grow. docs/scale.md reads the figures. */
import { setTimeout as delay } from 'node:timers/promises';
import { usedByEach } from '../lone/usage.js';
import {
  type BenchContext,
  type Benchmark,
  type RunningSide,
  type SeriesRow,
} from '../runner/types.js';
import { type ScaledStack, stackOf } from './fill.js';
import { openMeter } from './meter.js';
import { REQUESTS, type Work } from './requests.js';
import { bytesOfRow, ROWS } from './rows.js';

const SIZES = [10_000, 100_000, 1_000_000];
/** For the record of the last delivery. */
const REST_MS = 1_000;

export const benchmark: Benchmark = {
  title: 'What rows and requests take from PostgreSQL, as the rows grow',
  note:
    'One request after another, in the small layout, at PostgreSQL that has all rows in memory. Pages have 8 KiB and ' +
    'count once for each time that a statement looks at them. [Scale](scale.md) says what follows from these figures.',
  postgres: true,
  redis: true,
  isSystem: true,
  seconds: 3,
  warmupSeconds: 1,
  rows: [
    ...Object.entries(REQUESTS).map(([name, work]) => seriesOf(name, work)),
    ...Object.keys(ROWS).map((name) => ({
      kind: 'measure' as const,
      name: `${name}, with its indexes`,
      unit: 'bytes',
      measure: async (context: BenchContext) =>
        bytesOfRow(await stackOf(context, SIZES.at(-1) ?? 0), name),
    })),
  ],
};

function seriesOf(name: string, work: Work): SeriesRow {
  return {
    kind: 'series',
    name,
    axis: 'rows of each kind',
    points: SIZES.map((size) => ({
      x: size,
      side: {
        name,
        start: async (context) => openSide(await stackOf(context, size), work),
      },
    })),
  };
}

/** Numbers that are used once, also by the same work in another round. */
let n = 0;

async function openSide(stack: ScaledStack, work: Work): Promise<RunningSide> {
  const meter = await openMeter(stack.databaseUrl);
  return {
    run: async (seconds) => {
      const before = await meter.read();
      const startMs = performance.now();
      const times: number[] = [];
      for (let atMs = startMs; atMs < startMs + seconds * 1_000;) {
        await work(stack, n++);
        const endMs = performance.now();
        times.push(endMs - atMs);
        atMs = endMs;
      }
      const ratePerSecond = (times.length * 1_000) / (performance.now() - startMs);
      await stack.delivered();
      await delay(REST_MS);
      const each = usedByEach(before, await meter.read(), times.length);
      times.sort((a, b) => a - b);
      const part = (share: number) => times[Math.ceil(times.length * share) - 1] ?? NaN;
      return { ratePerSecond, p50Ms: part(0.5), p99Ms: part(0.99), each };
    },
    check: () => work(stack, n++),
    stop: () => meter.close(),
  };
}

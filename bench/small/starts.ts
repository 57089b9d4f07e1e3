/** What the layouts take to start, and while nothing happens. */
import { setTimeout as delay } from 'node:timers/promises';
import { newDirectory } from '../directory.js';
import { shareOfCore } from '../lone/sides.js';
import { once } from '../runner/define.js';
import { cpuMicros, rssBytes, startServer } from '../runner/servers.js';
import { mediansOf } from '../runner/statistics.js';
import { type BenchContext, type HttpSide, type RunningServer } from '../runner/types.js';
import { gatehouse, SERVICES, splitServices } from './sides.js';

type Figures = Record<string, number>;

/** Starts of each layout, in turn. */
const STARTS = 5;
const FIRST_STARTS = 3;
const IDLE_MS = 30_000;
const DIRECTORIES = 50;

const layouts = once(async (context) => ({
  small: [gatehouse(await context.databaseUrl('small'))],
  split: await splitServices(context),
}));

/** Medians of starts on migrated databases, and of first starts of the small layout on empty ones. */
export const starts = once(async (context) => {
  const { small, split } = await layouts(context);
  const found = { small: [] as Figures[], split: [] as Figures[], first: [] as Figures[] };
  for (let n = 0; n < FIRST_STARTS; n += 1) {
    const empty = await context.databaseUrl(`empty-${n}`);
    found.first.push(await startOnce([gatehouse(empty)], context));
  }
  // Migrates.
  await startOnce(small, context);
  for (let n = 0; n < STARTS; n += 1) {
    found.small.push(await startOnce(small, context));
    found.split.push(await startOnce(split, context));
  }
  return {
    small: mediansOf(found.small),
    split: mediansOf(found.split),
    first: mediansOf(found.first),
  };
});

/** After half a minute with quiet directories, both layouts at the same time. */
export const idle = once(async (context) => {
  const { small, split } = await layouts(context);
  const [one, four] = [await start(small, context), await start(split, context)];
  try {
    for (const api of [one[0]!, four[SERVICES.indexOf('dsync-api')]!]) {
      for (let n = 0; n < DIRECTORIES; n += 1) await newDirectory(api.url, 'http://127.0.0.1:9/');
    }
    await delay(IDLE_MS);
    const [ofOne, ofFour] = await Promise.all([idleFigures(one), idleFigures(four)]);
    return { small: ofOne, split: ofFour };
  } finally {
    await stop([...one, ...four]);
  }
});

async function startOnce(sides: readonly HttpSide[], context: BenchContext): Promise<Figures> {
  const startMs = performance.now();
  const servers = await start(sides, context);
  const wallMs = performance.now() - startMs;
  const processorMs = servers.reduce((ms, { pid }) => ms + (cpuMicros(pid) ?? NaN) / 1_000, 0);
  const residentMb = residentMbOf(servers);
  await stop(servers);
  return { wallMs, processorMs, residentMb };
}

function start(sides: readonly HttpSide[], context: BenchContext): Promise<RunningServer[]> {
  return Promise.all(
    sides.map((side) => startServer(side, context, { label: `small start ${side.name}` })),
  );
}

async function stop(servers: readonly RunningServer[]): Promise<void> {
  await Promise.all(servers.map((server) => server.stop()));
}

async function idleFigures(servers: readonly RunningServer[]): Promise<Figures> {
  const residentMb = residentMbOf(servers);
  return { residentMb, percent: await shareOfCore(servers.map(({ pid }) => pid)) };
}

function residentMbOf(servers: readonly RunningServer[]): number {
  return servers.reduce((mb, { pid }) => mb + rssBytes(pid) / 1e6, 0);
}

import { join } from 'node:path';
import { openBundle } from '#bundle/bundler.mjs';
import { once, service } from '../runner/define.js';
import { cpuMicros } from '../runner/servers.js';
import {
  type BenchContext,
  type Benchmark,
  type HttpSide,
  type MeasureTools,
  type Row,
} from '../runner/types.js';
import { SETTINGS } from './settings.js';

const APPS = ['key-service', 'dsync-api', 'dsync-worker', 'identity-forms'] as const;
type App = (typeof APPS)[number];
/** Starts of each side, in turn. */
const STARTS = 7;
const FLOOR_FOLDER = join('.local', 'bench', 'start-floor');

interface Start {
  processorMs: number;
  residentMb: number;
}

const prepare = () => ({ requests: [], check: () => undefined });
const NODE = { NODE_ENV: 'production' };

const FLOOR: HttpSide = {
  name: 'bare Nest, Fastify, pg and ioredis',
  script: join(FLOOR_FOLDER, 'floor.js'),
  ready: '/ready',
  env: async ({ databaseUrl, redisUrl }) => ({
    ...NODE,
    DATABASE_URL: await databaseUrl('floor'),
    REDIS_URL: redisUrl,
  }),
  prepare,
};

const bundledFloor = once(async ({ root }: BenchContext) => {
  const floor = 'bench/start/floor.ts';
  const build = await openBundle({ floor }, join(root, FLOOR_FOLDER), { started: 'floor' });
  await build.rebuild();
  await build.dispose();
});

export const benchmark: Benchmark = {
  title: 'Start a service until it is ready, against a bare application that is bundled alike',
  postgres: true,
  redis: true,
  rows: APPS.flatMap(rowsOf),
};

function rowsOf(app: App): Row[] {
  const side = service(app, { env: () => ({ ...NODE, ...SETTINGS[app] }), prepare });
  let measuring: ReturnType<typeof startBoth> | undefined;
  const measured = (...call: [BenchContext, MeasureTools]) =>
    (measuring ??= startBoth(side, ...call));
  return [
    {
      kind: 'measure',
      name: `${app}: processor time`,
      unit: 'ms',
      aim: { atMost: 500 },
      measure: async (...call) => (await measured(...call)).subject.processorMs,
    },
    {
      kind: 'measure',
      name: `${app}: processor time of the floor`,
      unit: 'ms',
      measure: async (...call) => (await measured(...call)).floor.processorMs,
    },
    {
      kind: 'measure',
      name: `${app}: processor time by that of the floor`,
      unit: 'times',
      aim: { atMost: 1.2 },
      measure: async (...call) => {
        const { subject, floor } = await measured(...call);
        return subject.processorMs / floor.processorMs;
      },
    },
    {
      kind: 'measure',
      name: `${app}: resident memory`,
      unit: 'MB',
      aim: { atMost: 100 },
      measure: async (...call) => (await measured(...call)).subject.residentMb,
    },
  ];
}

/** Medians of starts in turn, so that what else the machine does meets both sides. */
async function startBoth(side: HttpSide, context: BenchContext, tools: MeasureTools) {
  await bundledFloor(context);
  const starts = { subject: [] as Start[], floor: [] as Start[] };
  for (let start = 0; start < STARTS; start += 1) {
    starts.floor.push(await startOnce(FLOOR, tools));
    starts.subject.push(await startOnce(side, tools));
  }
  return { subject: medians(starts.subject), floor: medians(starts.floor) };
}

async function startOnce(side: HttpSide, { startServer, rssBytes }: MeasureTools): Promise<Start> {
  const server = await startServer(side);
  const start = {
    processorMs: (cpuMicros(server.pid) ?? NaN) / 1_000,
    residentMb: rssBytes(server.pid) / 1e6,
  };
  await server.stop();
  return start;
}

function medians(starts: readonly Start[]): Start {
  const median = (values: number[]) =>
    values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
  return {
    processorMs: median(starts.map(({ processorMs }) => processorMs)),
    residentMb: median(starts.map(({ residentMb }) => residentMb)),
  };
}

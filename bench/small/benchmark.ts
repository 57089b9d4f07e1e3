import { decodeOverHttp } from '../decode/http-rows.js';
import { type Pace, startSide } from '../lone/rounds.js';
import { startOurs } from '../lone/sides.js';
import {
  type Aim,
  type Benchmark,
  type HttpRow,
  type HttpSide,
  type MeasureRow,
  type SystemRow,
} from '../runner/types.js';
import { keyService, verifications } from '../verify/sides.js';
import { small, startSmall } from './sides.js';
import { idle, starts } from './starts.js';

const KEYS = { keys: 1_000, secrets: 100 };
const DIRECTORIES = 50;
const verify = keyService(KEYS, (_server, { secrets }) => verifications(secrets));

export const benchmark: Benchmark = {
  title: 'Small: all services in one process on PostgreSQL alone, beside the split layout',
  note:
    'The floor is the split layout. CPU µs is the processor time of our processes, without the stores, so ' +
    'the ratio by CPU is that of the rates per core. Starts, memory and idle time of the split layout are ' +
    'those of its four processes together. Both layouts have 50 directories when idle.',
  postgres: true,
  redis: true,
  isSystem: true,
  rows: [
    ...both('start until ready', { unit: 'ms', of: starts, figure: 'wallMs' }, { atMost: 2_000 }),
    {
      kind: 'measure',
      name: 'small: first start until ready, with the migrations',
      unit: 'ms',
      aim: { atMost: 2_000 },
      measure: async (context) => (await starts(context)).first['wallMs'] ?? NaN,
    },
    ...both('processor time of a start', { unit: 'ms', of: starts, figure: 'processorMs' }),
    ...both('memory after a start', { unit: 'MB', of: starts, figure: 'residentMb' }),
    ...both('memory when idle', { unit: 'MB', of: idle, figure: 'residentMb' }, { atMost: 180 }),
    ...both('processor time when idle', { unit: '% of a core', of: idle, figure: 'percent' }),
    overHttp('verify, cached', verify, { cpuRatio: 0.9 }),
    posted('SCIM POST and its webhook, 32 at once', { atOnce: 32 }, { cpuRatio: 0.8 }),
    posted('SCIM POST and its webhook, 50 a second', { perSecond: 50 }),
    overHttp('decode a form of 23 fields', decodeOverHttp),
  ],
};

function both(
  name: string,
  { unit, of, figure }: { unit: string; of: typeof starts | typeof idle; figure: string },
  aim?: Aim,
): MeasureRow[] {
  return (['small', 'split'] as const).map((layout) => ({
    kind: 'measure',
    name: `${layout}: ${name}`,
    unit,
    aim: layout === 'small' ? aim : undefined,
    measure: async (context) => (await of(context))[layout][figure] ?? NaN,
  }));
}

function overHttp(name: string, floor: HttpSide, aim?: Aim): HttpRow {
  return { kind: 'http', name, aim, subject: small(floor), floor };
}

function posted(name: string, pace: Pace, aim?: Aim): SystemRow {
  const plan = { directories: DIRECTORIES, pace, isOursOnly: true };
  return {
    kind: 'system',
    name,
    unit: 'events',
    aim,
    subject: {
      name: 'gatehouse',
      start: (...call) => startSide({ ...plan, system: startSmall }, ...call),
    },
    floor: {
      name: 'dsync-api, dsync-worker',
      start: (...call) => startSide({ ...plan, system: startOurs }, ...call),
    },
  };
}

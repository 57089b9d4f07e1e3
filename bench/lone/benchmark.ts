import { type Benchmark, type SystemRow } from '../runner/types.js';
import { type Pace, startSide } from './rounds.js';
import { idleWorker, startFloor, startOurs } from './sides.js';

function row(name: string, directories: number, pace: Pace): SystemRow {
  return {
    kind: 'system',
    name,
    unit: 'events',
    subject: {
      name: 'dsync-api, dsync-worker',
      start: (...call) => startSide({ system: startOurs, directories, pace }, ...call),
    },
    floor: {
      name: 'three statements, one PUBLISH',
      start: (...call) => startSide({ system: startFloor, directories, pace }, ...call),
    },
  };
}

export const benchmark: Benchmark = {
  title: 'An event that comes alone, from the request to its webhook',
  postgres: true,
  redis: true,
  isSystem: true,
  seconds: 10,
  warmupSeconds: 3,
  rows: [
    row('32 at once, 50 directories', 50, { atOnce: 32 }),
    row('100 a second, 50 directories', 50, { perSecond: 100 }),
    row('200 a second, 50 directories', 50, { perSecond: 200 }),
    row('200 a second, 400 directories', 400, { perSecond: 200 }),
    row('one a minute each, 2,000 directories', 2_000, { perSecond: 2_000 / 60 }),
    {
      kind: 'measure',
      name: 'processor time of an idle worker',
      unit: '% of a core',
      measure: idleWorker,
    },
  ],
};

import { type Benchmark } from '../runner/types.js';
import { runs } from './measure.js';

export const benchmark: Benchmark = {
  title: 'Pull a fake Google Workspace',
  postgres: true,
  redis: true,
  rows: [
    {
      kind: 'measure',
      name: '10,000 unchanged users, 500 groups, 50,000 memberships',
      unit: 's',
      aim: { atMost: 15 },
      measure: async (...call) => (await runs(...call)).unchanged.seconds,
    },
    {
      kind: 'measure',
      name: 'live memory of the worker in the first run of 10,000 users, above idle',
      unit: 'MB',
      aim: { atMost: 60 },
      measure: async (...call) => (await runs(...call)).smallFirst.memoryMb,
    },
    {
      kind: 'measure',
      name: 'live memory of the worker, 50,000 users, above idle',
      unit: 'MB',
      aim: { atMost: 60 },
      measure: async (...call) => (await runs(...call)).oneChange.memoryMb,
    },
    {
      kind: 'measure',
      name: 'resident memory of the worker, 10,000 unchanged users, above idle',
      unit: 'MB',
      aim: { atMost: 150 },
      measure: async (...call) => (await runs(...call)).unchanged.memoryMb,
    },
    {
      kind: 'measure',
      name: 'events of 10,000 unchanged users',
      unit: 'events',
      aim: { atMost: 0 },
      measure: async (...call) => (await runs(...call)).unchanged.events,
    },
    {
      kind: 'measure',
      name: '50,000 users, first run',
      unit: 's',
      aim: { atMost: 120 },
      measure: async (...call) => (await runs(...call)).first.seconds,
    },
    {
      kind: 'measure',
      name: 'resident memory of the worker, first run of 50,000 users, above idle',
      limit:
        'most of it is garbage that V8 has not collected yet; the rows of live memory have what a run needs.',
      unit: 'MB',
      aim: { atMost: 150 },
      measure: async (...call) => (await runs(...call)).first.memoryMb,
    },
    {
      kind: 'measure',
      name: 'events of one change among 50,000 users',
      unit: 'events',
      aim: { atMost: 1 },
      measure: async (...call) => (await runs(...call)).oneChange.events,
    },
  ],
};

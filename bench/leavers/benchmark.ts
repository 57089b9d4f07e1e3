import { type Benchmark } from '../runner/types.js';
import { results } from './measure.js';

export const benchmark: Benchmark = {
  title: 'From the SCIM response to the refusal of a key, on two replicas of the key service',
  postgres: true,
  redis: true,
  isSystem: true,
  rows: [
    {
      kind: 'measure',
      name: 'one deactivation after another, median',
      unit: 'ms',
      aim: { atMost: 50 },
      measure: async (context) => (await results(context)).medianMs,
    },
    {
      kind: 'measure',
      name: 'one deactivation after another, p99',
      unit: 'ms',
      aim: { atMost: 1_000 },
      measure: async (context) => (await results(context)).p99Ms,
    },
    {
      kind: 'measure',
      name: '100,000 leavers of one approved run, until the last key is paused',
      unit: 's',
      aim: { atMost: 60 },
      measure: async (context) => (await results(context)).drainSeconds,
    },
    {
      kind: 'measure',
      name: 'deactivations in another tenant meanwhile, p99',
      unit: 'ms',
      aim: { atMost: 1_000 },
      measure: async (context) => (await results(context)).neighborP99Ms,
    },
  ],
};

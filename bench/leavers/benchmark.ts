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
      name: '100,000 leavers of one run, from its approval to the last key',
      unit: 's',
      aim: { atMost: 60 },
      limit:
        'the run deletes its users one by one; the keys of each batch stop as soon as it is committed.',
      measure: async (context) => (await results(context)).removalSeconds,
    },
    {
      kind: 'measure',
      name: 'the same, from the end of the run to the last key',
      unit: 's',
      aim: { atMost: 5 },
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

import { type Benchmark } from '../runner/types.js';
import { besideQs } from './beside-qs.js';
import { httpRows } from './http-rows.js';

const LIST = 'dist/bench/decode/list.js';

export const benchmark: Benchmark = {
  title: 'Decode a sign-up form of 23 fields: the library, over HTTP, and its page',
  postgres: true,
  redis: true,
  rows: [
    besideQs,
    {
      // Ten times as many values in at most twelve times the time: at least a twelfth of the rate.
      kind: 'process',
      name: 'one list, 9,900 values beside 990',
      unit: 'forms',
      aim: { ratio: 1 / 12 },
      subject: { name: '9,900 values', script: LIST, options: { length: 9_900 } },
      floor: { name: '990 values', script: LIST, options: { length: 990 } },
    },
    ...httpRows,
  ],
};

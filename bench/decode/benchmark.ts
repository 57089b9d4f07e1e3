import { type Benchmark } from '../runner/types.js';
import { httpRows } from './http-rows.js';

const LIBRARY = 'dist/bench/decode/library.js';
const LIST = 'dist/bench/decode/list.js';

export const benchmark: Benchmark = {
  title: 'Decode a sign-up form of 23 fields: the library, over HTTP, and its page',
  postgres: true,
  redis: true,
  rows: [
    {
      kind: 'process',
      name: 'decode and validate, 23 fields',
      unit: 'forms',
      aim: { ratio: 2, ratePerSecond: 60_000 },
      subject: { name: 'form-decoder', script: LIBRARY },
      floor: { name: 'qs + ajv coerceTypes', script: 'dist/bench/decode/peer.js' },
    },
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

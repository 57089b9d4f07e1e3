/** The library beside the pair of packages that is usual for forms. */
import { type ProcessRow } from '../runner/types.js';

export const besideQs: ProcessRow = {
  kind: 'process',
  name: 'decode and validate, 23 fields',
  unit: 'forms',
  aim: { ratio: 2, ratePerSecond: 60_000 },
  subject: { name: 'form-decoder', script: 'dist/bench/decode/library.js' },
  floor: { name: 'qs + ajv coerceTypes', script: 'dist/bench/decode/peer.js' },
};

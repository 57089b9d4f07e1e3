import { type Benchmark, type HttpSide, type SeriesRow } from '../runner/types.js';
import { decodeOverHttp } from '../decode/http-rows.js';
import { postUserOverHttp } from '../scim/over-http.js';
import { keyService, verifications } from '../verify/sides.js';

const CONNECTIONS = [1, 4, 16, 64, 256];
const KEYS = { keys: 1_000, secrets: 100 };

export const benchmark: Benchmark = {
  title: 'Latency as load grows, one process on one core',
  postgres: true,
  redis: true,
  rows: [
    underLoad(
      'verify, cached',
      keyService(KEYS, (_server, { secrets }) => verifications(secrets)),
    ),
    underLoad('decode a form of 23 fields', decodeOverHttp),
    underLoad('create a user over HTTP', postUserOverHttp),
  ],
};

function underLoad(name: string, side: HttpSide): SeriesRow {
  return {
    kind: 'series',
    name,
    axis: 'in flight',
    points: CONNECTIONS.map((connections) => ({ x: connections, side, connections })),
  };
}

import { once } from '../runner/define.js';
import { type Benchmark, type SeriesPoint } from '../runner/types.js';
import { migratedDatabase } from '../scim/databases.js';
import { fillUsers } from '../scim/fill.js';
import { type WorkName } from '../scim/works.js';
import { keyService } from '../verify/sides.js';
import { uncached } from '../verify-uncached/benchmark.js';

const KEYS = [1_000, 10_000, 100_000, 1_000_000];
const USERS = [1_000, 10_000, 100_000, 1_000_000];

const filled = USERS.map((users) =>
  once(async (context) => fillUsers(await migratedDatabase(context, `grown_${users}`), users)),
);

export const benchmark: Benchmark = {
  title: 'The same request as data grows',
  postgres: true,
  redis: true,
  rows: [
    {
      kind: 'series',
      name: 'verify from PostgreSQL',
      axis: 'keys',
      aim: { ratio: 0.9 },
      points: KEYS.map((keys) => ({
        x: keys,
        side: keyService({ keys, secrets: 500 }, (_server, database) => uncached(database)),
      })),
    },
    {
      kind: 'series',
      name: 'find a user by userName',
      axis: 'users in the directory',
      aim: { ratio: 0.9 },
      points: byUsers('filterUserName'),
    },
    {
      kind: 'series',
      name: 'create a user',
      axis: 'users in the directory',
      aim: { ratio: 0.9 },
      points: byUsers('postUser'),
    },
  ],
};

function byUsers(work: WorkName): SeriesPoint[] {
  return filled.map((fill, index) => ({
    x: USERS[index] ?? 0,
    connections: 8,
    side: {
      name: work,
      script: 'dist/bench/scim/ours.js',
      options: async (context) => ({ ...(await fill(context)), work }),
    },
  }));
}

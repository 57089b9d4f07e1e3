import { KeyRing } from '@gatehouse/crypto';
import { createLogger } from '@gatehouse/service-kit';
import { KeyServiceConfig } from '../config.js';
import type { CacheInvalidation } from '../verification/cache-invalidation.js';
import type { SigningKeyRow, SigningKeysRepository } from './signing-keys.repository.js';
import { SigningKeysService } from './signing-keys.service.js';

let rows: SigningKeyRow[];
/** Reads wait for this after they have seen the rows. */
let answers: Promise<void>;

beforeEach(() => {
  rows = [];
  answers = Promise.resolve();
});

const replica = () => {
  const repository = {
    list: async () => {
      const seen = [...rows];
      await answers;
      return seen;
    },
    whileLocked: (work: (sql: null) => Promise<unknown>) => work(null),
    insert: (_sql: null, row: SigningKeyRow) => Promise.resolve(rows.push(row)),
    retireOthers: (_sql: null, kid: string, verify_until: Date) => {
      rows = rows.map((row) => (row.kid === kid ? row : { ...row, verify_until }));
      return Promise.resolve();
    },
  };
  return new SigningKeysService(
    new KeyServiceConfig(),
    KeyRing.fromTexts(['a key ring for the specs of signing keys']),
    createLogger('test', 'silent'),
    repository as unknown as SigningKeysRepository,
    { publish: () => Promise.resolve() } as unknown as CacheInvalidation,
  );
};
const kidsOf = (service: SigningKeysService) => service.published().map(({ kid }) => kid);

describe('SigningKeysService', () => {
  it('misses no change that is told of while it reads', async () => {
    const [here, there] = [replica(), replica()];
    const first = await here.rotate({ atOnce: true });
    expect(kidsOf(here)).toEqual([first]);
    let answer: () => void = () => undefined;
    answers = new Promise((resolve) => (answer = resolve));
    const before = here.reload();
    await Promise.resolve();
    const rotated = there.rotate({ atOnce: true, dropOthers: true });
    while (rows.length < 2) await new Promise((resolve) => setImmediate(resolve));
    const told = [here.reload(), here.reload()];
    answer();
    await Promise.all([before, ...told]);
    expect(kidsOf(here)).toEqual([await rotated]);
  });
});

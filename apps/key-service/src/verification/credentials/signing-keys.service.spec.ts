import { KeyRing } from '@gatehouse/crypto';
import { createLogger } from '@gatehouse/nest-kit/logging';
import { KeyServiceConfig } from '../../config.js';
import { type CacheInvalidation } from '../../store/cache/cache-invalidation.js';
import { type SigningKeyRow, type SigningKeysRepository } from './signing-keys.repository.js';
import { SigningKeysService } from './signing-keys.service.js';

let rows: SigningKeyRow[];
/** Reads resolve after this, with the rows from before it. */
let answers: Promise<void>;
let reads: number;

beforeEach(() => {
  rows = [];
  reads = 0;
  answers = Promise.resolve();
});

const replica = (settings: Partial<KeyServiceConfig> = {}) => {
  const repository = {
    list: async () => {
      const seen = [...rows];
      await answers;
      reads += 1;
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
    Object.assign(new KeyServiceConfig(), settings),
    KeyRing.fromTexts(['a key ring for the specs of signing keys']),
    createLogger('test', 'silent'),
    repository as unknown as SigningKeysRepository,
    {
      publish: () => Promise.resolve(),
      whenSigningKeysChange: () => undefined,
    } as unknown as CacheInvalidation,
  );
};
const kidsOf = (service: SigningKeysService) => service.published().map(({ kid }) => kid);

describe('SigningKeysService', () => {
  it('adds a key when a replica starts with another algorithm, and none later', async () => {
    const { setTimeout: realSetTimeout } = globalThis;
    jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'performance', 'setImmediate'] });
    const replicas = [replica(), replica({ signingAlgorithm: 'ES256' })];
    try {
      for (const each of replicas) await each.onModuleInit();
      expect(rows.map(({ algorithm }) => algorithm)).toEqual(['EdDSA', 'ES256']);
      for (let minute = 0; minute < 5; minute += 1) {
        reads = 0;
        jest.advanceTimersByTime(60_000);
        while (reads < replicas.length) await new Promise((resolve) => setImmediate(resolve));
        await new Promise((resolve) => realSetTimeout(resolve, 20));
      }
      expect(rows).toHaveLength(2);
    } finally {
      for (const each of replicas) await each.onApplicationShutdown();
      jest.useRealTimers();
    }
  });

  it('drops keys also on a replica whose clock is behind', async () => {
    const service = replica();
    await service.rotate({ atOnce: true });
    const kept = await service.rotate({ atOnce: true, dropOthers: true });
    const behind = Date.now() - 60_000;
    expect(service.published(behind).map(({ kid }) => kid)).toEqual([kept]);
  });

  it('publishes a key until every replica and every client cache has it', async () => {
    await replica().rotate();
    const [row] = rows;
    expect(Number(row?.sign_from) - Number(row?.create_time)).toBe(20 * 60_000);
  });

  it('misses no change that is announced during a read', async () => {
    const [here, there] = [replica(), replica()];
    const first = await here.rotate({ atOnce: true });
    expect(kidsOf(here)).toEqual([first]);
    let answer: () => void = () => undefined;
    answers = new Promise((resolve) => (answer = resolve));
    const before = here.reload();
    await Promise.resolve();
    const rotated = there.rotate({ atOnce: true, dropOthers: true });
    while (rows.length < 2) await new Promise((resolve) => setImmediate(resolve));
    const reloads = [here.reload(), here.reload()];
    answer();
    await Promise.all([before, ...reloads]);
    expect(kidsOf(here)).toEqual([await rotated]);
  });
});

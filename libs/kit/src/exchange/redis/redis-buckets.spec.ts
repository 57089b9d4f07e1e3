import { type Logger } from 'pino';
import { type RedisClient } from '../../redis/redis-connection.js';
import { type BucketCall } from '../exchange.js';
import { RedisBuckets } from './redis-buckets.js';

/** A Redis that answers the script so. */
const bucketsOn = (countLimits: (count: number, ...values: string[]) => unknown) =>
  new RedisBuckets(
    { defineCommand: () => undefined, countLimits } as unknown as RedisClient,
    'test:',
    { warn: () => undefined } as unknown as Logger,
    'open',
  );

/** Five units a minute. */
const call = (key: string): BucketCall => ({
  key,
  unitMicros: 12_000_000,
  cost: 1,
  slice: 0,
  burst: 5,
  windowMicros: 60_000_000,
});

/** Buckets, and the commands of their Redis that are pending. */
function pendingBuckets() {
  const asked: { answer: () => void; timeOut: () => void }[] = [];
  const buckets = bucketsOn(
    () =>
      new Promise((resolve, reject) => {
        const answer = () => resolve(['1', '12000000', '0']);
        asked.push({ answer, timeOut: () => reject(new Error('Command timed out')) });
      }),
  );
  return { asked, charge: () => buckets.charge([call('a')], false) };
}

const CHARGED = { isAdmitted: true, buckets: [{ backlogMicros: 12_000_000, granted: 0 }] };

let nowMs = 0;

/** Lets the pause between two probes pass. */
const pass = (ms: number) => (nowMs += ms);

describe('RedisBuckets', () => {
  beforeEach(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  });
  afterEach(() => jest.restoreAllMocks());

  it('lets only one request wait for an unresponsive Redis', async () => {
    const { asked, charge } = pendingBuckets();
    const first = [charge(), charge()];
    expect(asked).toHaveLength(2);
    asked.forEach(({ timeOut }) => timeOut());
    expect(await Promise.all(first)).toEqual([undefined, undefined]);

    pass(999);
    expect(await charge()).toBeUndefined();
    expect(asked).toHaveLength(2);

    pass(2);
    const waiting = charge();
    expect(asked).toHaveLength(3);
    expect(await Promise.all([charge(), charge()])).toEqual([undefined, undefined]);
    expect(asked).toHaveLength(3);

    asked[2]?.answer();
    expect(await waiting).toEqual(CHARGED);
    const after = [charge(), charge()];
    expect(asked).toHaveLength(5);
    asked.forEach(({ answer }) => answer());
    expect(await Promise.all(after)).toEqual([CHARGED, CHARGED]);
  });

  it('keeps to one probe while earlier requests still time out, one after another', async () => {
    const { asked, charge } = pendingBuckets();
    const early = [charge(), charge(), charge()];
    asked[0]?.timeOut();
    await early[0];
    pass(1_000);
    const probe = charge();
    expect(asked).toHaveLength(4);
    for (const next of [1, 2]) {
      asked[next]?.timeOut();
      await early[next];
      expect(await charge()).toBeUndefined();
      expect(asked).toHaveLength(4);
    }
    asked[3]?.answer();
    expect(await probe).toEqual(CHARGED);
  });

  it('counts with keys of its prefix only', async () => {
    const asked: string[][] = [];
    const buckets = bucketsOn((count, ...values) => {
      asked.push(values.slice(0, count));
      return Promise.resolve(['1', '0', '0', '0', '0']);
    });
    await buckets.charge([call('{a}:b'), call('{a}:c')], false);
    expect(asked).toEqual([['test:{a}:b', 'test:{a}:c']]);
  });

  it.each([
    [['1', '1e300', '0', '0', '0']],
    [['1', '-5', '0', '0', '0']],
    [['1', 'nan', '0', '0', '0']],
    [['1', '0', '1000000000', '0', '0']],
    [['1', '0', '-1', '0', '0']],
    [['1']],
    ['OK'],
    [null],
  ])('takes an answer of something else than the script as none: %j', async (answer) => {
    const buckets = bucketsOn(() => Promise.resolve(answer));
    expect(await buckets.charge([call('a'), call('b')], false)).toBeUndefined();
  });
});

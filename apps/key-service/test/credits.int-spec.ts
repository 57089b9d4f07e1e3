/** Credits on a real PostgreSQL: what several processes spend together. */
import { sqlOf } from '@gatehouse/nest-kit/database';
import { createLogger } from '@gatehouse/nest-kit/logging';
import { eventually, type TestDatabase } from '@gatehouse/testing';
import { type DataSource } from 'typeorm';
import { type Credits } from '../src/store/credits/credit.types.js';
import { type CreditOutcome } from '../src/store/credits/credit-account.js';
import { CreditSpender } from '../src/store/credits/credit-spender.js';
import { CreditsRepository } from '../src/store/credits/credits.repository.js';
import { createDataSource } from '../src/data-source.js';
import { createKeyDatabase } from './key-database.js';

const PROCESSES = 3;

let database: TestDatabase;
let sources: DataSource[];
let repositories: CreditsRepository[];
let accounts = 0;

beforeAll(async () => {
  database = await createKeyDatabase();
  sources = await Promise.all(
    Array.from({ length: PROCESSES }, () => createDataSource(database.url).initialize()),
  );
  repositories = sources.map((source) => new CreditsRepository(sqlOf(source)));
});
afterAll(async () => {
  await Promise.all(sources.map((source) => source.destroy()));
  await database.drop();
});

class FailingOnce extends CreditsRepository {
  private hasFailed = false;

  override spend(...call: Parameters<CreditsRepository['spend']>) {
    if (this.hasFailed) return super.spend(...call);
    this.hasFailed = true;
    return Promise.reject(new Error('gone'));
  }
}

const processes = () =>
  repositories.map((repository) => new CreditSpender(repository, createLogger('test', 'silent')));

const accountWith = async (more: Partial<Credits> = {}) => {
  const accountId = `account-${(accounts += 1)}`;
  const credits = { remaining: 100, refill: null, isStrict: false, ...more };
  await repositories[0]?.set(sqlOf(sources[0] as DataSource), accountId, credits);
  return accountId;
};
const rowOf = async (accountId: string) => {
  const [row] = await database.query<{ remaining: string; period: string; refill_time: Date }>(
    'SELECT * FROM keys.credits WHERE account_id = $1',
    [accountId],
  );
  return { ...row, remaining: Number(row?.remaining) };
};
const spend = (spender: CreditSpender | undefined, accountId: string, cost = 1) =>
  (spender as CreditSpender).spend(accountId, cost, false) as Promise<CreditOutcome>;

/** Spends in all processes, several at a time; returns the credits that were spent. */
const hammer = async (spenders: CreditSpender[], accountId: string, times: number, cost = 1) => {
  let spent = 0;
  const loops = Array.from({ length: spenders.length * 6 }, async (_, n) => {
    for (let time = 0; time < times; time += 1) {
      const { isAdmitted } = await spend(spenders[n % spenders.length], accountId, cost);
      if (isAdmitted) spent += cost;
    }
  });
  await Promise.all(loops);
  return spent;
};
const stop = (spenders: CreditSpender[]) =>
  Promise.all(spenders.map((spender) => spender.beforeApplicationShutdown()));

describe('a balance that three processes spend', () => {
  it('is spent exactly when it is strict, and shows it at any moment', async () => {
    const accountId = await accountWith({ remaining: 200, isStrict: true });
    const spenders = processes();
    expect((await spend(spenders[0], accountId, 7)).isAdmitted).toBe(true);
    expect((await rowOf(accountId)).remaining).toBe(193);
    expect(await hammer(spenders, accountId, 20)).toBe(193);
    expect((await rowOf(accountId)).remaining).toBe(0);
  });

  it('is leased when it is hot, and nothing of it is lost or spent twice', async () => {
    const accountId = await accountWith({ remaining: 100_000 });
    const spenders = processes();
    let fromMemory = 0;
    let spent = 0;
    for (let time = 0; time < 1_500; time += 1) {
      const outcome = spenders[time % 3]?.spend(accountId, 1, false);
      if (!(outcome instanceof Promise)) fromMemory += 1;
      if ((await outcome)?.isAdmitted) spent += 1;
    }
    spent += await hammer(spenders, accountId, 30);
    expect(fromMemory).toBeGreaterThan(1_300);
    expect((await rowOf(accountId)).remaining).toBeLessThan(100_000 - spent);
    await stop(spenders);
    expect((await rowOf(accountId)).remaining).toBe(100_000 - spent);
  });

  it('is used up to the last credit, by whichever process, and never becomes negative', async () => {
    const accountId = await accountWith({ remaining: 5_000 });
    const spenders = processes();
    const spent = await hammer(spenders, accountId, 400);
    await stop(spenders);
    expect(spent + (await rowOf(accountId)).remaining).toBe(5_000);
    expect(spent).toBeGreaterThan(4_700);
  });

  it('refuses a cost that is too high and takes nothing, while lower ones are admitted', async () => {
    const accountId = await accountWith({ remaining: 10, isStrict: true });
    const [spender] = processes();
    const costs = [3, 11, 4, 9, 3, 1];
    const outcomes = await Promise.all(costs.map((cost) => spend(spender, accountId, cost)));
    const admitted = costs.filter((_, index) => outcomes[index]?.isAdmitted);
    expect(admitted.reduce((sum, cost) => sum + cost, 0)).toBe(10);
    expect(admitted).toEqual([3, 4, 3]);
    expect(outcomes.at(-1)).toMatchObject({ isAdmitted: false, remaining: 0, refillAtMs: null });
    expect((await spend(spender, 'no-such-account')).isAdmitted).toBe(false);
  });

  it('is only looked at by a peek and by a cost of 0', async () => {
    const accountId = await accountWith({ remaining: 3 });
    const [spender] = processes();
    expect(await spender?.spend(accountId, 4, true)).toMatchObject({
      isAdmitted: false,
      remaining: 3,
    });
    expect(await spender?.spend(accountId, 0, false)).toMatchObject({
      isAdmitted: true,
      remaining: 3,
    });
    expect((await rowOf(accountId)).remaining).toBe(3);
  });
});

it('a statement that fails refuses those that wait for it, and no others', async () => {
  const accountId = await accountWith({ remaining: 10, isStrict: true });
  const spender = new CreditSpender(
    new FailingOnce(sqlOf(sources[0] as DataSource)),
    createLogger('test', 'silent'),
  );
  const first = Array.from({ length: 3 }, () => spend(spender, accountId));
  const later = spend(spender, accountId, 4);
  const outcomes = await Promise.allSettled([...first, later]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  expect((await rowOf(accountId)).remaining).toBe(4);
});

describe('leases that cannot be given back', () => {
  class Away extends CreditsRepository {
    isAway = true;
    calls = 0;

    override giveBack(...call: Parameters<CreditsRepository['giveBack']>) {
      this.calls += 1;
      return this.isAway ? Promise.reject(new Error('gone')) : super.giveBack(...call);
    }
  }

  it('are kept unless one was sent, and are not waited for one by one at the end', async () => {
    const repository = new Away(sqlOf(sources[0] as DataSource));
    const spender = new CreditSpender(repository, createLogger('test', 'silent'));
    const ids = await Promise.all(
      Array.from({ length: 12 }, () => accountWith({ remaining: 10_000 })),
    );
    const leaseAll = async () => {
      for (const id of ids) for (let n = 0; n < 6; n += 1) await spend(spender, id);
    };
    const left = async () => {
      const rows = await Promise.all(ids.map(rowOf));
      return rows.map(({ remaining }) => remaining);
    };
    await leaseAll();
    spender.onModuleInit();
    await eventually(() => expect(repository.calls).toBeGreaterThan(0));
    repository.isAway = false;
    // Units of statements that were under way are lost.
    await eventually(async () => {
      const whole = (await left()).filter((remaining) => remaining === 10_000 - 6);
      expect(whole.length).toBeGreaterThanOrEqual(4);
    });
    repository.isAway = true;
    await leaseAll();
    repository.calls = 0;
    await spender.beforeApplicationShutdown();
    expect(repository.calls).toBeLessThanOrEqual(8);
  });
});

it('many balances that wait for locks leave connections to everything else', async () => {
  const [spender] = processes();
  const ids = await Promise.all(Array.from({ length: 12 }, () => accountWith()));
  const locker = sources[1]?.createQueryRunner();
  await locker?.startTransaction();
  await locker?.query('SELECT FROM keys.credits WHERE account_id = ANY ($1) FOR UPDATE', [ids]);
  const spending = ids.map((id) => spend(spender, id));
  const waiting = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  const isWaiting = async () => (await database.query<{ count: number }>(waiting))[0]?.count;
  await eventually(async () => expect(await isWaiting()).toBe(4));
  const sql = sqlOf(sources[0] as DataSource);
  expect(await sql.rows({ text: 'SELECT 1' })).toHaveLength(1);
  expect(await isWaiting()).toBe(4);
  await locker?.rollbackTransaction();
  await locker?.release();
  const outcomes = await Promise.all(spending);
  expect(outcomes.every(({ isAdmitted }) => isAdmitted)).toBe(true);
});

describe('a refill', () => {
  const due = (amount: number, agoMs = 0) => ({
    amount,
    intervalSeconds: 3600,
    at: new Date(Date.now() - agoMs),
  });

  it('happens once, however many processes spend and however many were missed', async () => {
    const at = 5.5 * 3_600_000;
    const accountId = await accountWith({ remaining: 3, isStrict: true, refill: due(50, at) });
    const spenders = processes();
    expect(await hammer(spenders, accountId, 10)).toBe(50);
    const { period, refill_time: next } = await rowOf(accountId);
    expect(period).toBe('1');
    const inMs = (next as Date).getTime() - Date.now();
    expect(inMs).toBeGreaterThan(1_790_000);
    expect(inMs).toBeLessThanOrEqual(1_800_000);
  });

  it('raises a balance to the amount, and leaves a higher one as it is', async () => {
    const [spender] = processes();
    const low = await accountWith({ remaining: 7, refill: due(50) });
    const high = await accountWith({ remaining: 70, refill: due(50) });
    expect(await repositories[0]?.read(low)).toMatchObject({ remaining: 50 });
    expect((await spend(spender, low)).remaining).toBe(49);
    expect((await spend(spender, high)).remaining).toBe(69);
  });

  it('is not exceeded by what is left of earlier leases', async () => {
    const accountId = await accountWith({ remaining: 10_000 });
    const spenders = processes();
    await hammer(spenders, accountId, 30);
    await database.query(
      `UPDATE keys.credits SET refill_amount = 20000, refill_seconds = 3600, refill_time = now()
       WHERE account_id = $1`,
      [accountId],
    );
    const [other] = processes();
    expect((await spend(other, accountId)).isAdmitted).toBe(true);
    await stop(spenders);
    expect((await rowOf(accountId)).remaining).toBe(19_999);
  });
});

describe('an addition', () => {
  it('with a request id counts once, however often it is repeated at once', async () => {
    const accountId = await accountWith({ remaining: 0 });
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, n) => {
        const sql = sqlOf(sources[n % 3] as DataSource);
        return (repositories[n % 3] as CreditsRepository).add(sql, accountId, 5, 'order');
      }),
    );
    expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(1);
    expect((await rowOf(accountId)).remaining).toBe(5);
  });

  it('is refused beyond 10^15, and remembers a hundred requests', async () => {
    const accountId = await accountWith({ remaining: 999_999_999_999_999 });
    const sql = sqlOf(sources[0] as DataSource);
    const add = (amount: number, id: string | null) =>
      repositories[0]?.add(sql, accountId, amount, id);
    expect([await add(2, 'a'), await add(1, null)]).toEqual(['full', 'added']);
    const other = await accountWith({ remaining: 0 });
    for (let n = 0; n < 120; n += 1) await repositories[0]?.add(sql, other, 1, `request-${n}`);
    expect(await repositories[0]?.add(sql, other, 1, 'request-20')).toBe('repeated');
    expect(await repositories[0]?.add(sql, other, 1, 'request-19')).toBe('added');
  });
});

import { CreditAccount, type Unspent } from './credit-account.js';
import { type Balance, type CreditsRepository } from './credits.repository.js';

const BALANCE: Balance = {
  remaining: 100,
  period: '7',
  isStrict: false,
  refillAtMs: null,
  refillInMs: null,
};

it('an account that is closed gives back also what a statement under way still takes', async () => {
  const asked: number[] = [];
  let answer: (balance: Balance & { granted: number }) => void = () => undefined;
  const repository = {
    spend: (_id: string, cost: number, more: number) => {
      asked.push(more);
      return new Promise((resolve) => {
        answer = resolve;
        if (asked.length < 6) resolve({ ...BALANCE, granted: cost });
      });
    },
  } as unknown as CreditsRepository;
  const unspent: Unspent[] = [];
  const account = new CreditAccount('a', repository, (each) => unspent.push(each));
  for (let n = 0; n < 5; n += 1) await account.spend(1);
  const last = account.spend(1);
  while (asked.length < 6) await Promise.resolve();
  expect(asked.at(-1)).toBeGreaterThan(1);
  account.close();
  answer({ ...BALANCE, granted: 4 });
  expect((await last).isAdmitted).toBe(true);
  await new Promise(setImmediate);
  expect(unspent).toEqual([{ accountId: 'a', units: 3, period: '7' }]);
  void account.spend(1);
  while (asked.length < 7) await Promise.resolve();
  expect(asked.at(-1)).toBe(0);
});

it('an account repeats a refusal, but none from before credits were added', async () => {
  let isFull = false;
  let onRead = (): void => undefined;
  const repository = {
    spend: (_id: string, cost: number) =>
      Promise.resolve(isFull ? { ...BALANCE, granted: cost } : undefined),
    read: async () => {
      await Promise.resolve();
      onRead();
      return { ...BALANCE, remaining: 0 };
    },
  } as unknown as CreditsRepository;
  const account = new CreditAccount('a', repository, () => undefined);
  expect((await account.spend(1)).isAdmitted).toBe(false);
  expect(account.spendLeased(1)).toMatchObject({ isAdmitted: false });
  account.allow();
  expect(account.spendLeased(1)).toBeUndefined();
  // Credits that are added while the balance is read.
  onRead = () => {
    isFull = true;
    account.allow();
  };
  expect((await account.spend(1)).isAdmitted).toBe(false);
  expect(account.spendLeased(1)).toBeUndefined();
  expect((await account.spend(1)).isAdmitted).toBe(true);
});

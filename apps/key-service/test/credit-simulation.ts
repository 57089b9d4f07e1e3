/**
 * Credits in a world of a seed: two replicas with the real `CreditAccount` spend one balance, beside one that is
 * killed. Answers of the store are lost, time stands still, and leases are given back.
 */
import { simulateSeed, World } from '@gatehouse/testing/simulation';
import { type Scheduler } from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreditAccount } from '../src/store/credits/credit-account.js';
import { type Balance, type CreditsRepository } from '../src/store/credits/credits.repository.js';

const REPLICAS = 3;
const CLIENTS = 4;
const SPENDS = 40;
const LOST = 0.05;
/** Of SLICES_LEFT in `credits.sql.ts`; here greater, so that leases are large beside the balance. */
const SLICES_LEFT = 4;
const STEPS_MAX = 20_000;

/** @returns the faults of a seed: none if no credit is spent twice, and none is lost without a reason */
export const simulate = (seed: number): Promise<string[]> =>
  simulateSeed(seed, (scheduler, numbers) => new Simulation(scheduler, numbers).run());

class Simulation {
  private readonly world: World;
  private readonly isStrict: boolean;
  private readonly granted: number;
  private remaining: number;
  private added = 0;
  private admitted = 0;
  /** Credits whose answer was lost, or that a killed replica held. */
  private lost = 0;

  constructor(scheduler: Scheduler, numbers: IterableIterator<number>) {
    this.world = new World(scheduler, numbers, () => true);
    this.isStrict = this.world.chance(0.2);
    this.granted = 40 + this.world.pick(160);
    this.remaining = this.granted;
  }

  async run(): Promise<string[]> {
    await this.world.run(() => this.story(), STEPS_MAX);
    return this.world.faults;
  }

  private async story(): Promise<void> {
    await Promise.all([...Array.from({ length: REPLICAS }, () => this.replica()), this.add()]);
    const { granted, added, admitted, remaining, lost, world } = this;
    if (admitted > granted + added) {
      world.fault(`admitted: ${admitted} of ${granted + added} credits`);
    }
    if (remaining < 0) world.fault(`balance: it is ${remaining}`);
    const known = admitted + remaining + lost;
    if (known !== granted + added) {
      world.fault(`kept: ${granted + added} credits became ${known}`);
    }
  }

  /** Adds credits, as administrators do. */
  private async add(): Promise<void> {
    await sleep(this.world.pick(3_000));
    this.added = this.world.pick(50);
    this.remaining += this.added;
  }

  private async replica(): Promise<void> {
    const { world } = this;
    const gone: Promise<void>[] = [];
    const giveBack = ({ units }: { units: number }) => {
      gone.push(this.giveBack(units));
    };
    const account = new CreditAccount('account', this.repository(), giveBack);
    const ending = setInterval(() => account.end(performance.now()), 250);
    const clients = Array.from({ length: CLIENTS }, async () => {
      for (let n = world.pick(SPENDS); n > 0; n--) {
        const cost = 1 + world.pick(3);
        const outcome =
          account.spendLeased(cost) ?? (await account.spend(cost).catch(() => undefined));
        if (outcome?.isAdmitted) this.admitted += cost;
        await sleep(world.pick(60));
      }
    });
    await Promise.all(clients);
    clearInterval(ending);
    if (world.chance(0.3)) {
      // Killed: only its own lease is lost.
      this.lost += leaseOf(account);
      await Promise.all(gone);
      return;
    }
    account.close();
    await Promise.all(gone);
  }

  /** The statements of `credits.sql.ts`: each locks the row, and is done at once or not at all. */
  private repository(): CreditsRepository {
    const spend = async (_id: string, needed: number, more: number) => {
      await this.world.step('spend');
      if (this.world.chance(LOST)) throw new Error('the connection broke');
      if (needed > this.remaining) return this.answer(undefined, 0);
      const slice = this.isStrict ? 0 : Math.min(more, Math.floor(this.remaining / SLICES_LEFT));
      const granted = Math.max(needed, slice);
      this.remaining -= granted;
      return this.answer({ ...this.balance(), granted }, granted);
    };
    const read = async () => {
      await this.world.step('read');
      return this.balance();
    };
    return { spend, read } as unknown as CreditsRepository;
  }

  private async answer<T>(answer: T, taken: number): Promise<T> {
    await this.world.step('answer');
    if (!this.world.chance(LOST)) return answer;
    this.lost += taken;
    throw new Error('the connection broke');
  }

  private async giveBack(units: number): Promise<void> {
    await this.world.step('give back');
    if (this.world.chance(LOST)) this.lost += units;
    else this.remaining += units;
  }

  private balance(): Balance {
    const { remaining, isStrict } = this;
    return { remaining, period: '0', isStrict, refillAtMs: null, refillInMs: null };
  }
}

const leaseOf = (account: CreditAccount) =>
  (account as unknown as { lease: { units: number } }).lease.units;

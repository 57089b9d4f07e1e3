/** What a process has of the store: its connections, which may break, and what their answers say. */
import { type Sql, type SqlExecutor, type Statement } from '@gatehouse/kit/sql';
import { modelsOf } from './statements.js';
import { type Store, type Transaction } from './store.js';
import { type Process, type World } from '@gatehouse/testing/simulation';

export const SCHEMA = 'parcels';

const MODELS = modelsOf(SCHEMA);

/** Chances that a connection breaks: before a statement arrives, and after it is done. */
const BREAKS = 0.01;

/** Nothing: the code that waits for it is dead. */
const nothing = () => new Promise<never>(() => undefined);

export class Session {
  /** The run that holds each endpoint, as the process knows. */
  readonly runs = new Map<string, string>();
  /** The runs that were told that their lease is lost. */
  readonly lost = new Set<string>();

  constructor(
    private readonly world: World,
    private readonly store: Store,
    private readonly process: Process,
    private readonly mayBreak: () => boolean,
  ) {}

  /** For code that takes an `Sql`. */
  get sql(): Sql {
    const { rows, transaction } = this;
    return { rows: rows.bind(this), transaction: transaction.bind(this) } as unknown as Sql;
  }

  private async rows(statement: Statement, values: readonly unknown[] = []): Promise<object[]> {
    await this.travel();
    const transaction = this.store.begin();
    const found = await this.execute(transaction, statement, values);
    await this.world.step('executed');
    await transaction.commit();
    await this.travel();
    this.learn(statement, values, found);
    return found;
  }

  private async transaction<T>(work: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    await this.travel();
    const transaction = this.store.begin();
    let isOpen = true;
    const executor = {
      rows: async (statement: Statement, values: readonly unknown[] = []) => {
        const found = await this.execute(transaction, statement, values);
        await this.travel(() => transaction.end());
        return found;
      },
    } as SqlExecutor;
    try {
      const result = await work(executor);
      await transaction.commit();
      isOpen = false;
      await this.travel();
      return result;
    } finally {
      if (isOpen) transaction.end();
    }
  }

  private async execute(
    transaction: Transaction,
    { text }: Statement,
    values: readonly unknown[],
  ): Promise<object[]> {
    const model = MODELS.get(text);
    if (!model) throw new Error(`no model of: ${text}`);
    return model(transaction, this.store, values as never);
  }

  /** A message between the process and the store. */
  private async travel(onDeath: () => void = () => undefined): Promise<void> {
    await this.world.step('message');
    // What the statement waited for may have been done by another process.
    this.world.process = this.process;
    if (this.process.isDead) {
      onDeath();
      return nothing();
    }
    if (this.mayBreak() && this.world.chance(BREAKS)) throw new Error('the connection broke');
  }

  private learn({ name = '' }: Statement, values: readonly unknown[], found: object[]): void {
    if (name.endsWith('claim_lanes')) {
      for (const { claim } of found as {
        claim: { id: string; runId: string; isLeased: boolean };
      }[]) {
        if (!claim.isLeased) continue;
        this.runs.set(claim.id, claim.runId);
        this.lost.delete(claim.runId);
      }
    }
    if (name.endsWith('renew_leases')) {
      for (const { runId } of found as { runId: string }[]) this.lost.add(runId);
    }
    const isRefused = name.endsWith('record_lane') && found.length === 0;
    if (isRefused) this.lost.add((values[2] as [string])[0]);
  }
}

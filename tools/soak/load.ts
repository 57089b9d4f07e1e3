/** Requests of clients, identity providers and people, at a rate. */
import { setTimeout as delay } from 'node:timers/promises';
import { table } from '#local-stack/summary.mjs';
import { type Derived, Tenant } from '../live-stack/tenant.js';
import { type WholeStack } from '../live-stack/whole-stack.js';

type Task = () => Promise<unknown>;

interface Done {
  /** Seconds since the beginning. */
  at: number;
  milliseconds: number;
}

const ADMIN = '/v2alpha1/admin';
const PEAK_CONCURRENCY = 16;
/** Tasks that may be in flight at half of the peak; more would hide that the services are slow. */
const IN_FLIGHT_MAX = 256;

export class SoakLoad {
  readonly tenant: Tenant;
  readonly outcomes: Done[] = [];
  readonly failures = new Map<string, number>();
  private tasks: Task[] = [];
  private serial = 0;

  constructor(
    stack: WholeStack,
    private readonly signal: AbortSignal,
  ) {
    this.tenant = new Tenant(stack, 'soak');
  }

  get failedCount(): number {
    return [...this.failures.values()].reduce((sum, count) => sum + count, 0);
  }

  async open(): Promise<void> {
    await this.tenant.open();
    const weighed: [number, Task][] = [
      [10, () => this.verify()],
      [2, () => this.verify({ 'cache-control': 'no-cache' })],
      [2, () => this.derive()],
      [1, () => this.issueAndRevoke()],
      [2, () => this.provision()],
      [4, () => this.decode()],
      [1, () => this.signUp()],
    ];
    this.tasks = weighed.flatMap(([weight, task]) => Array<Task>(weight).fill(task));
  }

  /** Tasks per second when each of several clients sends the next one at once. */
  async peak(seconds: number): Promise<number> {
    const end = performance.now() + seconds * 1_000;
    let count = 0;
    const sendAll = async () => {
      while (performance.now() < end && !this.signal.aborted) {
        if (await this.attempt(this.next())) count += 1;
      }
    };
    await Promise.all(Array.from({ length: PEAK_CONCURRENCY }, sendAll));
    return count / seconds;
  }

  /** Sends tasks at a rate, whether or not earlier ones have ended, for no longer than `seconds`. */
  async run(rate: number, seconds: number): Promise<void> {
    const startedAt = performance.now();
    const elapsed = () => (performance.now() - startedAt) / 1_000;
    const inFlight = new Set<Promise<void>>();
    const isOver = () => this.signal.aborted || elapsed() >= seconds;
    for (let number = 0; number < rate * seconds && !isOver(); number += 1) {
      const wait = number / rate - elapsed();
      if (wait > 0) await delay(wait * 1_000);
      if (inFlight.size >= IN_FLIGHT_MAX) await Promise.race(inFlight);
      const task = this.timed(this.next(), elapsed).finally(() => inFlight.delete(task));
      inFlight.add(task);
    }
    await Promise.all(inFlight);
  }

  latencyTable(seconds: number): string {
    const minutes: [string, Done[]][] = [
      ['first', this.outcomes.filter(({ at }) => at < 60)],
      ['last', this.outcomes.filter(({ at }) => at >= seconds - 60)],
    ];
    const rows = minutes.map(([name, done]) => {
      const sorted = done.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
      const quantile = (share: number) =>
        `${(sorted[Math.floor(sorted.length * share)] ?? NaN).toFixed(1)} ms`;
      return [name, String(done.length), quantile(0.5), quantile(0.99)];
    });
    return table([['Minute', 'Tasks', 'p50', 'p99'], ...rows]);
  }

  private next(): Task {
    this.serial += 1;
    // A step that is prime to the number of tasks mixes the kinds.
    return this.tasks[(this.serial * 7) % this.tasks.length] as Task;
  }

  private async timed(task: Task, elapsed: () => number): Promise<void> {
    const at = elapsed();
    await this.attempt(task);
    this.outcomes.push({ at, milliseconds: (elapsed() - at) * 1_000 });
  }

  /** Counts a failure by its kind. */
  private async attempt(task: Task): Promise<boolean> {
    try {
      await task();
      return true;
    } catch (error) {
      const { message, cause } = error as Error;
      const kind = `${message} ${cause instanceof Error ? cause.message : ''}`.slice(0, 200);
      const name = kind.replaceAll(/[\w-]{20,}/g, '…').trimEnd();
      if (!this.signal.aborted) this.failures.set(name, (this.failures.get(name) ?? 0) + 1);
      return false;
    }
  }

  private async verify(headers: Record<string, string> = {}): Promise<void> {
    const json = { credential: this.tenant.key.secret };
    const path = `${ADMIN}/apiKeys:verify`;
    const { body } = await this.tenant.call<{ is_valid: boolean }>('key-service', 'POST', path, {
      json,
      headers,
    });
    if (!body.is_valid) throw new Error('a valid key is refused');
  }

  private async derive(): Promise<void> {
    const path = `${ADMIN}/apiKeys:derive`;
    const derivation = { credential: this.tenant.key.secret, algorithm: 'TOKEN_ALGORITHM_JWT' };
    const derived = { json: derivation };
    const { body } = await this.tenant.call<Derived>('key-service', 'POST', path, derived);
    const json = { credential: body.token.token };
    await this.tenant.call('key-service', 'POST', `${ADMIN}/apiKeys:verify`, { json });
  }

  private async issueAndRevoke(): Promise<void> {
    const { id } = await this.tenant.newKey();
    const path = `${ADMIN}/apiKeys/${id}:revoke`;
    await this.tenant.call('key-service', 'POST', path, {
      json: { reason: 'REVOCATION_REASON_SUPERSEDED' },
    });
  }

  private async provision(): Promise<void> {
    const id = await this.tenant.newUser();
    const change = { op: 'replace', path: 'title', value: this.tenant.fresh() };
    await this.tenant.scim('PATCH', `/Users/${id}`, { Operations: [change] });
    await this.tenant.scim('DELETE', `/Users/${id}`);
  }

  private async decode(): Promise<void> {
    const path = `/v1/schemas/${this.tenant.schemaId}/decode`;
    const json = { 'traits.email': 'ada@example.com', 'traits.age': '42' };
    await this.tenant.call('identity-forms', 'POST', path, { json });
  }

  private async signUp(): Promise<void> {
    const flow = await this.tenant.newFlow();
    const traits = { email: `${this.tenant.fresh()}@example.com` };
    const path = `/flows/${flow.address}`;
    const { body } = await this.tenant.call<{ id: string }>('identity-forms', 'POST', path, {
      json: { csrf_token: flow.token, traits },
      headers: { cookie: flow.cookie, accept: 'application/json' },
    });
    await this.tenant.call('identity-forms', 'DELETE', `/v1/identities/${body.id}`);
  }
}

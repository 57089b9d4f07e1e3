/** Sends the requests and gathers what is wrong. */
import { type ApiDescription, SecretRecorder } from '@gatehouse/testing';
import { type WholeStack } from '../live-stack/whole-stack.js';
import { asCurl, type Draft, encode, type Encoded } from './draft.js';
import { faultOf } from './judge.js';
import { MUTATIONS } from './mutations.js';
import { Random } from './random.js';
import { Sender } from './sender.js';
import { SIGNED } from './recipe.js';
import { type Target } from './targets.js';
import { type Tenant } from '../live-stack/tenant.js';

export interface Finding {
  /** Of the request; undefined without mutations. */
  number?: number;
  target: string;
  fault: string;
  curl: string;
}

/** Statuses by target. */
export type Coverage = Map<Target, Map<number, number>>;

const MUTATIONS_MAX = 3;
/** Searching the logs for all secrets of a long run would take minutes. */
const SECRETS_MAX = 400;
const FINDINGS_MAX = 50;

export class FuzzRun {
  readonly findings: Finding[] = [];
  readonly coverage: Coverage = new Map();
  readonly secrets = new SecretRecorder();
  sent = 0;
  /** Requests that could not be made valid before their mutation. */
  skipped = 0;
  private secretCount = 0;
  private readonly sender = new Sender();
  private readonly drafts = new Map<string, Promise<Draft>>();

  constructor(
    private readonly stack: WholeStack,
    private readonly tenants: readonly [Tenant, Tenant],
    private readonly descriptions: ReadonlyMap<string, ApiDescription>,
    private readonly seed: number,
  ) {
    for (const tenant of tenants) tenant.secrets().forEach((secret) => this.secrets.add(secret));
  }

  get isFull(): boolean {
    return this.findings.length >= FINDINGS_MAX;
  }

  close(): void {
    this.sender.close();
  }

  /** The unmutated request of each tenant, which has to succeed. */
  async sendValid(target: Target): Promise<void> {
    for (const [index, tenant] of this.tenants.entries()) {
      const encoded = signed(target, tenant, encode(await this.draftOf(target, index)));
      const { fault, status } = await this.exchange(target, tenant, encoded, true);
      const isRefused = status >= 400 && target.isDescribed;
      this.renew(target, index, status);
      if (fault ?? isRefused) {
        this.report(target, fault ?? `the valid request is refused: ${status}`, encoded);
      }
    }
  }

  /** The same request for the same seed, number and targets. */
  async sendMutated(targets: readonly Target[], number: number): Promise<void> {
    const random = new Random(this.seed, number);
    const target = random.pick(targets);
    const index = random.below(2);
    const tenant = this.tenants[index] as Tenant;
    const count = 1 + random.below(MUTATIONS_MAX);
    const steps = Array.from({ length: count }, () => ({
      mutate: random.pick(MUTATIONS),
      seed: random.next(),
    }));
    const trespasses = random.once(15);
    const valid = await this.draftOf(target, index).catch(() => undefined);
    if (valid === undefined) {
      // Such as when mutated requests have created as many endpoints as there may be.
      this.skipped += 1;
      return;
    }
    const mutated = (chosen: typeof steps): Encoded => {
      const draft = structuredClone(valid);
      if (trespasses) this.trespass(draft, index);
      for (const { mutate, seed } of chosen) mutate(draft, new Random(seed), target);
      return signed(target, tenant, encode(draft));
    };
    let encoded = mutated(steps);
    const isSamePlace = encoded.target.split('?')[0] === valid.path;
    const first = await this.exchange(target, tenant, encoded, isSamePlace);
    let { fault } = first;
    this.renew(target, index, first.status);
    if (fault === undefined) return;
    for (const step of steps.length > 1 ? steps : []) {
      const smaller = mutated([step]);
      const again = await this.exchange(target, tenant, smaller, isSamePlace);
      if (again.fault !== undefined) {
        [encoded, fault] = [smaller, again.fault];
        break;
      }
    }
    this.report(target, fault, encoded, number);
  }

  private async exchange(
    target: Target,
    tenant: Tenant,
    encoded: Encoded,
    isSamePlace: boolean,
  ): Promise<{ fault: string | undefined; status: number }> {
    const { url } = this.stack.services[target.service];
    const outcome = await this.sender.send(url, encoded);
    this.sent += 1;
    const isScim = encoded.headers['authorization'] === `Bearer ${tenant.directory.secret}`;
    const isScoped = target.isScoped && (isSamePlace || isScim);
    const other = this.tenants.find((each) => each !== tenant) as Tenant;
    const fault = faultOf(outcome, encoded, {
      description: this.descriptions.get(target.service),
      platform: this.stack.secrets,
      foreign: isScoped ? [other.marker, ...other.secrets()] : [],
    });
    if (!('answer' in outcome)) return { fault, status: 0 };
    const { status } = outcome.answer;
    const statuses = this.coverage.get(target) ?? new Map<number, number>();
    this.coverage.set(target, statuses.set(status, (statuses.get(status) ?? 0) + 1));
    if (status < 300 && this.secretCount < SECRETS_MAX && encoded.body === undefined) {
      this.secrets.addMembers(outcome.answer.body);
      this.secretCount += 1;
    }
    return { fault, status };
  }

  /** A valid request is built once, and again when it has been used up. */
  private draftOf(target: Target, index: number): Promise<Draft> {
    const key = `${target.service} ${target.name} ${index}`;
    const known = this.drafts.get(key);
    if (known) return known;
    const built = target.build(this.tenants[index] as Tenant);
    this.drafts.set(key, built);
    built.catch(() => this.drafts.delete(key));
    return built;
  }

  private renew(target: Target, index: number, status: number): void {
    const isOver = status < 400 || status === 409 || status === 404;
    if (target.isUsedUp && isOver) this.drafts.delete(`${target.service} ${target.name} ${index}`);
  }

  /** Names what the other tenant owns, with the credential of this one. */
  private trespass(draft: Draft, index: number): void {
    if (!draft.path.startsWith('/api/scim/v2.0/')) return;
    const [own, other] = [this.tenants[index], this.tenants[1 - index]] as [Tenant, Tenant];
    for (const part of ['path', 'json'] as const) {
      const text = JSON.stringify(draft[part]);
      if (text === undefined) continue;
      const swapped = text
        .replaceAll(own.directory.id, other.directory.id)
        .replaceAll(own.userId, other.userId)
        .replaceAll(own.groupId, other.groupId);
      Object.assign(draft, { [part]: JSON.parse(swapped) as unknown });
    }
  }

  private report(target: Target, fault: string, encoded: Encoded, number?: number): void {
    const { url } = this.stack.services[target.service];
    const name = `${target.service}: ${target.name}`;
    const isKnown = this.findings.some((each) => each.target === name && each.fault === fault);
    if (isKnown || this.isFull) return;
    this.findings.push({ number, target: name, fault, curl: asCurl(url, encoded) });
  }
}

function signed({ sign }: Target, tenant: Tenant, encoded: Encoded): Encoded {
  if (sign === undefined) return encoded;
  const made = sign(tenant, encoded.body ?? Buffer.alloc(0));
  const headers = Object.entries(encoded.headers).map(([name, value]) => [
    name,
    value === SIGNED ? (made[name] ?? value) : value,
  ]);
  return { ...encoded, headers: Object.fromEntries(headers) as Record<string, string> };
}

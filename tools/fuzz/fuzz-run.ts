/** Sends the requests and gathers what is wrong. */
import * as fc from 'fast-check';
import { type ApiDescription, SecretRecorder } from '@gatehouse/testing';
import { type Tenant } from '../live-stack/tenant.js';
import { type RunningApp, type WholeStack } from '../live-stack/whole-stack.js';
import { changed, type Changes, changesOf, NO_CHANGES } from './changes.js';
import { edgesOf } from './edges.js';
import { faultOf } from './judge.js';
import { type Draft, type Operation } from './operation.js';
import { asCurl, encode, send } from './send.js';

export interface Finding {
  operation: string;
  fault: string;
  curl: string;
  /** Undefined without changes. */
  seed?: number;
}

/** Requests of one operation before the next one has its turn. */
const REQUESTS = 12;
/** Searching the logs for all secrets of a long run would take minutes. */
const SECRETS_MAX = 400;
const FINDINGS_MAX = 50;

export class FuzzRun {
  readonly findings: Finding[] = [];
  /** Answers by service and status. */
  readonly answers = new Map<RunningApp, Map<number, number>>();
  readonly secrets = new SecretRecorder();
  sent = 0;
  private secretCount = 0;
  private readonly drafts = new Map<string, Promise<Draft>>();
  private readonly arbitraries = new Map<Operation, fc.Arbitrary<Changes>>();

  constructor(
    private readonly stack: WholeStack,
    private readonly tenants: readonly [Tenant, Tenant],
    private readonly descriptions: ReadonlyMap<string, ApiDescription>,
  ) {
    for (const tenant of tenants) tenant.secrets().forEach((secret) => this.secrets.add(secret));
  }

  get isFull(): boolean {
    return this.findings.length >= FINDINGS_MAX;
  }

  /** The request of each tenant as its example says, which has to succeed. */
  async sendExample(operation: Operation): Promise<void> {
    for (const index of [0, 1] as const) {
      const { fault, status, curl } = await this.exchange(operation, index, NO_CHANGES);
      const isRefused = status >= 400 && operation.hasExample;
      const found = fault ?? (isRefused ? `the valid request is refused: ${status}` : undefined);
      if (found !== undefined) this.report({ operation: nameOf(operation), fault: found, curl });
    }
  }

  /** The request with values at the edges of its description, which has to say which are refused. */
  async sendEdges(operation: Operation): Promise<void> {
    for (const edge of edgesOf(operation)) {
      const key = `${nameOf(operation)} 0`;
      const draft = await this.draftOf(key, operation, this.tenants[0]);
      const { fault, status, curl } = await this.exchange(operation, 0, edge.changesOf(draft));
      // A text that is no id finds nothing.
      const isRefused = status === 400 || status === 422 || (status === 404 && !edge.isAllowed);
      const found =
        edge.isAllowed === isRefused ? `${edge.name} is answered with ${status}` : fault;
      if (found !== undefined) this.report({ operation: nameOf(operation), fault: found, curl });
    }
  }

  /** Some changed requests of a tenant, the same for the same seed; a fault is shrunk. */
  async sendChanged(
    operation: Operation,
    index: 0 | 1,
    seed: number,
    end = Infinity,
  ): Promise<void> {
    let last = { fault: '', curl: '' };
    const property = fc.asyncProperty(this.changesOf(operation), async (changes) => {
      // A draft cannot be made when earlier requests have created as many endpoints as there may be.
      const found = await this.exchange(operation, index, changes).catch(() => undefined);
      if (found?.fault === undefined) return;
      last = { fault: found.fault, curl: found.curl };
      throw new Error(found.fault);
    });
    const left = Math.max(1, end - performance.now());
    const limit = end === Infinity ? {} : { interruptAfterTimeLimit: left };
    const { failed }: fc.RunDetails<[Changes]> = await fc.check(property, {
      seed,
      numRuns: REQUESTS,
      ...limit,
    });
    if (failed && last.fault !== '') this.report({ operation: nameOf(operation), seed, ...last });
  }

  private async exchange(
    operation: Operation,
    index: 0 | 1,
    changes: Changes,
  ): Promise<{ fault: string | undefined; status: number; curl: string }> {
    const tenant = this.tenants[index];
    const other = this.tenants[index === 0 ? 1 : 0];
    const key = `${nameOf(operation)} ${index}`;
    const draft = await this.draftOf(key, operation, tenant);
    const trespass = (text: string) =>
      text
        .replaceAll(tenant.directory.id, other.directory.id)
        .replaceAll(tenant.userId, other.userId)
        .replaceAll(tenant.groupId, other.groupId);
    const isScim = draft.path.startsWith('/api/scim/v2.0/');
    const isTrespass = changes.trespasses && isScim;
    const encoded = encode(changed(draft, { ...changes, trespasses: isTrespass }, trespass));
    const { url } = this.stack.services[operation.service];
    const outcome = await send(url, encoded);
    this.sent += 1;
    const hasOwnCredential =
      isScim && encoded.headers['authorization'] === draft.headers['authorization'];
    const isSamePlace = encoded.target.split('?')[0] === draft.path;
    const isScoped = operation.isScoped && (isSamePlace || hasOwnCredential);
    const fault = faultOf(outcome, encoded, {
      description: this.descriptions.get(operation.service),
      platform: this.stack.secrets,
      foreign: isScoped ? [other.marker, ...other.secrets()] : [],
    });
    const curl = asCurl(url, encoded);
    if (!('answer' in outcome)) return { fault, status: 0, curl };
    const { answer } = outcome;
    const { status } = answer;
    const isOver = status < 400 || status === 404 || status === 409;
    if (operation.isUsedUp && isOver) this.drafts.delete(key);
    const counts = this.answers.get(operation.service) ?? new Map<number, number>();
    this.answers.set(operation.service, counts.set(status, (counts.get(status) ?? 0) + 1));
    if (status < 300 && this.secretCount < SECRETS_MAX && encoded.body === undefined) {
      this.secrets.addMembers(answer.body);
      this.secretCount += 1;
    }
    return { fault, status, curl };
  }

  /** A valid request is built once, and again when it has been used up. */
  private draftOf(key: string, operation: Operation, tenant: Tenant): Promise<Draft> {
    const known = this.drafts.get(key);
    if (known) return known;
    const built = operation.draftOf(tenant);
    this.drafts.set(key, built);
    built.catch(() => this.drafts.delete(key));
    return built;
  }

  private changesOf(operation: Operation): fc.Arbitrary<Changes> {
    const known = this.arbitraries.get(operation) ?? changesOf(operation);
    this.arbitraries.set(operation, known);
    return known;
  }

  private report(finding: Finding): void {
    const { operation, fault } = finding;
    const isKnown = this.findings.some(
      (each) => each.operation === operation && each.fault === fault,
    );
    if (!isKnown && !this.isFull) this.findings.push(finding);
  }
}

function nameOf({ service, name }: Operation): string {
  return `${service} ${name}`;
}

import { invalidValue, ScimError } from '../errors/scim-error.js';
import { type JsonObject } from '../json/json.js';
import { PATCH_OP_SCHEMA } from '../patch/patch-request.js';
import { resourceTypes } from '../schema/resource-type.js';
import {
  BULK_ID_PREFIX,
  referencesOf,
  resolveReferences,
  resolveText,
  splitPost,
} from './bulk-references.js';
import { type BulkItem, type BulkOperation, type BulkPlan } from './bulk-request.js';

/**
 * Executes a bulk request: RFC 7644 section 3.7. Operations run in order, except that a referenced
 * resource is created first. Resources that refer to each other are created without those references
 * and linked afterwards. Operations are independent of each other.
 */

const BULK_RESPONSE_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';

export interface BulkOutcome {
  status: number;
  /** Id of the resource; needed after POST. */
  id?: string;
  location?: string;
  version?: string;
  /** Error body, or the resource when it is returned. */
  response?: JsonObject;
}

/** Executes one operation. A ScimError becomes its response; any other error ends the request. */
export type BulkExecutor = (operation: BulkOperation) => Promise<BulkOutcome>;

export interface BulkOptions {
  /** Base URL of the directory, without a trailing slash, for the location of failed operations. */
  baseUrl: string;
}

interface Pending {
  item: BulkItem;
  operation: BulkOperation;
  references: Set<string>;
}

interface Link {
  pending: Pending;
  id: string;
  additions: JsonObject[];
  references: Set<string>;
}

/**
 * Executes a bulk request and returns the body of the response.
 *
 * @param execute called once for each operation, and once more for each resource to be linked
 * @example
 * const body = await executeBulk(parseBulkRequest(request, limits), execute, { baseUrl });
 */
export function executeBulk(
  plan: BulkPlan,
  execute: BulkExecutor,
  options: BulkOptions,
): Promise<JsonObject> {
  return new BulkRun(plan, execute, options).run();
}

class BulkRun {
  private readonly ids = new Map<string, string>();
  private readonly failed = new Set<string>();
  private readonly outcomes = new Map<number, BulkOutcome>();
  /** The POSTs that succeeded, by their bulkIds, with all their references. */
  private readonly created = new Map<string, Pending>();
  private links: Link[] = [];
  private readonly made: Set<string>;
  private pending: Pending[] = [];
  private errors = 0;

  constructor(
    private readonly plan: BulkPlan,
    private readonly execute: BulkExecutor,
    private readonly options: BulkOptions,
  ) {
    this.made = new Set(
      plan.items.flatMap(({ operation }) =>
        operation?.method === 'POST' ? (operation.bulkId ?? []) : [],
      ),
    );
  }

  async run(): Promise<JsonObject> {
    this.pending = this.plan.items.flatMap((item) => this.prepare(item));
    while (this.pending.length > 0 && !this.isOver()) {
      const ready = this.pending.findIndex((each) => this.isReady(each));
      if (ready >= 0) {
        await this.carryOut(this.take(ready));
      } else {
        await this.breakCycle();
      }
      await this.linkReady();
    }
    while (this.links.length > 0) await this.link(this.links.shift()!);
    return this.answer();
  }

  /** A malformed or unresolvable operation fails when it is its turn. */
  private prepare(item: BulkItem): Pending[] {
    const { operation, index } = item;
    const stub: BulkOperation = operation ?? { index, method: 'DELETE', resourceType: 'User' };
    try {
      const references = operation === undefined ? new Set<string>() : referencesOf(operation);
      return [{ item, operation: stub, references }];
    } catch (error) {
      if (!(error instanceof ScimError)) {
        throw error;
      }
      return [{ item: { ...item, fault: error }, operation: stub, references: new Set() }];
    }
  }

  private take(position: number): Pending {
    return this.pending.splice(position, 1)[0]!;
  }

  private isSettled(bulkId: string): boolean {
    return this.ids.has(bulkId) || this.failed.has(bulkId) || !this.made.has(bulkId);
  }

  private isReady({ references }: Pick<Pending, 'references'>): boolean {
    return [...references].every((bulkId) => this.isSettled(bulkId));
  }

  private isOver(): boolean {
    const { failOnErrors } = this.plan;
    return failOnErrors !== undefined && this.errors >= failOnErrors;
  }

  private async carryOut(pending: Pending): Promise<BulkOutcome> {
    const outcome = await this.outcomeOf(pending);
    const { bulkId, method } = pending.operation;
    if (bulkId !== undefined && method === 'POST') {
      if (outcome.status < 400 && outcome.id !== undefined) {
        this.ids.set(bulkId, outcome.id);
        this.created.set(bulkId, pending);
      } else {
        this.failed.add(bulkId);
      }
    }
    this.record(pending, outcome);
    return outcome;
  }

  private async outcomeOf({ item, operation, references }: Pending): Promise<BulkOutcome> {
    const unresolved = [...references].find((bulkId) => !this.ids.has(bulkId));
    try {
      if (item.fault !== undefined) {
        throw item.fault;
      }
      if (unresolved !== undefined) {
        throw invalidValue(`bulkId:${unresolved} stands for no resource.`);
      }
      return await this.execute(resolveReferences(operation, this.ids));
    } catch (error) {
      return failure(error);
    }
  }

  private record({ item }: Pending, outcome: BulkOutcome): void {
    this.outcomes.set(item.index, outcome);
    if (outcome.status >= 400) {
      this.errors += 1;
    }
  }

  /** All remaining operations wait for each other. */
  private async breakCycle(): Promise<void> {
    for (const [position, pending] of this.pending.entries()) {
      const open = new Set([...pending.references].filter((bulkId) => !this.isSettled(bulkId)));
      const split = splitPost(pending.operation, open);
      if (split === undefined) {
        continue;
      }
      this.take(position);
      const references = new Set([...pending.references].filter((bulkId) => !open.has(bulkId)));
      const outcome = await this.carryOut({ ...pending, operation: split.operation, references });
      if (outcome.status < 400 && outcome.id !== undefined) {
        const { additions } = split;
        this.created.set(pending.operation.bulkId!, pending);
        this.links.push({ pending, id: outcome.id, additions, references: open });
      }
      return;
    }
    const pending = this.take(0);
    const detail = 'The operation is part of references that go in a circle.';
    this.failed.add(pending.operation.bulkId ?? '');
    this.record(pending, failure(new ScimError(409, undefined, detail)));
  }

  private async linkReady(): Promise<void> {
    for (;;) {
      const ready = this.links.findIndex((link) => this.isReady(link));
      if (ready < 0) return;
      await this.link(this.links.splice(ready, 1)[0]!);
    }
  }

  private async link({ pending, id, additions, references }: Link): Promise<void> {
    const operation: BulkOperation = {
      index: pending.operation.index,
      method: 'PATCH',
      resourceType: pending.operation.resourceType,
      id,
      data: { schemas: [PATCH_OP_SCHEMA], Operations: additions },
    };
    const linked = await this.outcomeOf({ ...pending, operation, references });
    if (linked.status >= 400) {
      await this.undo(pending, id, linked);
    } else {
      const version = linked.version === undefined ? {} : { version: linked.version };
      this.outcomes.set(pending.item.index, {
        ...this.outcomes.get(pending.item.index)!,
        ...version,
      });
    }
  }

  /**
   * Deletes a resource whose references cannot be completed, and those created with references to
   * it. A resource that cannot be deleted keeps its location.
   */
  private async undo(pending: Pending, id: string, fault: BulkOutcome): Promise<void> {
    const { index, resourceType, bulkId = '' } = pending.operation;
    this.ids.delete(bulkId);
    this.failed.add(bulkId);
    this.links = this.links.filter((link) => link.id !== id);
    const operation: BulkOperation = { index, method: 'DELETE', resourceType, id };
    const { status } = await this.outcomeOf({ ...pending, operation, references: new Set() });
    const { location } = this.outcomes.get(index) ?? {};
    this.record(pending, { ...fault, location: status < 400 ? undefined : location });
    for (const [other, each] of this.created) {
      const otherId = this.ids.get(other);
      if (otherId !== undefined && each.references.has(bulkId)) {
        await this.undo(each, otherId, await this.outcomeOf(each));
      }
    }
  }

  private answer(): JsonObject {
    const answered = this.plan.items.filter(({ index }) => this.outcomes.has(index));
    return {
      schemas: [BULK_RESPONSE_SCHEMA],
      Operations: answered.map((item) => this.describe(item, this.outcomes.get(item.index)!)),
    };
  }

  private describe({ method, bulkId, operation }: BulkItem, outcome: BulkOutcome): JsonObject {
    const { status, version, response } = outcome;
    const location = outcome.location ?? this.locationOf(operation);
    return {
      method,
      ...(bulkId === undefined ? {} : { bulkId }),
      ...(version === undefined ? {} : { version }),
      ...(location === undefined ? {} : { location }),
      status: String(status),
      ...(response === undefined ? {} : { response }),
    };
  }

  /** A failed POST has no location, and neither has a resource that it was to create. */
  private locationOf(operation: BulkOperation | undefined): string | undefined {
    if (operation?.id === undefined) return undefined;
    const id = resolveText(operation.id, this.ids);
    if (id.startsWith(BULK_ID_PREFIX)) return undefined;
    const { endpoint } = resourceTypes.find(({ name }) => name === operation.resourceType)!;
    return `${this.options.baseUrl}${endpoint}/${id}`;
  }
}

function failure(error: unknown): BulkOutcome {
  if (error instanceof ScimError) {
    return { status: error.status, response: { ...error.body() } };
  }
  throw error;
}

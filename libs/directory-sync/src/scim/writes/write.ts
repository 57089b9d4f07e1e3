/**
 * Steps of a SCIM write, in this order:
 *
 * 1. turn         A directory that maps groups to roles writes one after the other (`inTurn`).
 * 2. precheck     A removal that the guard of the directory would refuse is refused before it is written.
 * 3. quota        A new resource reserves its part of the quota; a change must not exceed it.
 * 4. transaction  The lock of the role mapping, the statement of the service, the roles of users, and
 *                 what the guard counts. A write that needs only its statement has no transaction.
 * 5. settle       The quota gets back what was reserved and not used, or what was removed.
 *
 * A removal that the guard refuses, in 2 or 4, is kept for the decision of an administrator (`guarded`).
 * Services supply the statement and say what it means: see `Write`.
 */
import { ScimError } from '@gatehouse/scim';
import { DomainError, KitErrors } from '@gatehouse/kit/errors';
import { isUuid } from '@gatehouse/kit/ids';
import { type RetryOptions, retryLostRaces, type SqlExecutor } from '@gatehouse/kit/sql';
import { RemovalHeldError, type Written } from '../../guard/guard.js';
import { type Removal } from '../../guard/guard.types.js';
import { NO_USAGE } from '../../quotas/usage.js';
import { lockMapping } from '../../roles/role.repository.js';
import { type ScimResponse, type ScimScope, type ScimTarget } from '../protocol/scim.types.js';
import { StaleCacheError } from '../protocol/stale-cache.error.js';
import { type EventSink, followRoles, type RoleSubject, rolesBefore } from './role-steps.js';

/** Writes repeat after lost races, also if a referenced row was deleted between two statements. */
const WRITE_RETRY: RetryOptions = { retry: 'races-and-references' };

/** A decision may come between the refusal of a removal and its record. */
const GUARDED_ATTEMPTS_MAX = 3;

type ResourceTarget = Extract<ScimTarget, { kind: 'resource' }>;

/** One write of a service. `Result` is what its statement returns. */
export interface Write<Result extends EventSink> {
  /**
   * Runs again after a lost race. Undefined: nothing was written.
   *
   * @param roles those that the event of a user shows; undefined where the directory maps none
   */
  statement: (
    sql: SqlExecutor,
    roles: readonly string[] | undefined,
  ) => Promise<Result | undefined>;
  /** Whether `statement` is several statements, which belong together. */
  isWhole?: boolean;
  /** Its change of the quota; absent if it does not count. */
  quota?: QuotaChange<Result>;
  /** The users whose roles it may change. */
  roles: RoleSubject<Result>;
  /** The removal to hold if the guard refuses the write. */
  removal?: Removal;
  /** The removal that a deletion or deactivation has made. The guard counts it. */
  removed?: (result: Result) => Omit<Written, 'groupName'>;
  /** The name of the group that it deletes. */
  groupName?: string;
  /** The name of the protected group whose last member a change removed, if any. */
  emptied?: (result: Result) => string | undefined;
}

export type QuotaChange<Result> =
  | { creates: 'users' | 'groups'; bodyBytes: number; bytesOf: (result: Result) => number }
  | { grows: (result: Result) => number }
  | { removes: 'users' | 'groups'; bytesOf: (result: Result) => number };

/**
 * Carries out a request that writes a resource: in its turn, and held if its removal must wait.
 *
 * @param target what is held or withdrawn; undefined for a write that takes nothing away
 * @param write reads what it needs, and calls `write` of this module
 * @throws ScimError 403 for a held removal: a status that identity providers report and try again
 */
export function writeRequest(
  scope: ScimScope,
  target: ResourceTarget | undefined,
  write: () => Promise<ScimResponse>,
): Promise<ScimResponse> {
  return inTurn(scope, () => (target ? guarded(scope, target, write) : write()));
}

/**
 * Steps 2 to 5 of a write.
 *
 * @returns what the statement returned; undefined if it wrote nothing
 * @throws ScimError 413 if the quota is used up
 * @throws RemovalHeldError with nothing written
 */
export async function write<Result extends EventSink>(
  scope: ScimScope,
  spec: Write<Result>,
): Promise<Result | undefined> {
  const { directory, engine } = scope;
  const { removal, removed, groupName } = spec;
  if (removal && removed) await engine.guard.precheck(directory, removal, groupName);
  return inQuota(scope, spec.quota, () => {
    const isGuarded = directory.guard !== null && (spec.removed ?? spec.emptied) !== undefined;
    if (!spec.isWhole && !directory.mapsRoles && !isGuarded) {
      return retryLostRaces(() => spec.statement(engine.sql, undefined), WRITE_RETRY);
    }
    return engine.sql.transaction((sql) => writeIn(sql, scope, spec), WRITE_RETRY);
  });
}

/** Directories with a role mapping wait for each other here, without a connection. */
function inTurn<T>({ directory, engine }: ScimScope, work: () => Promise<T>): Promise<T> {
  return directory.mapsRoles && engine.turns ? engine.turns.run(directory.id, work) : work();
}

/** A change that is written takes the place of a held removal. */
async function guarded(
  { directory, engine: { guard }, call }: ScimScope,
  { resource, id }: ResourceTarget,
  work: () => Promise<ScimResponse>,
): Promise<ScimResponse> {
  if (!directory.guard || !isUuid(id)) return work();
  for (let attempt = 1; attempt <= GUARDED_ATTEMPTS_MAX; attempt++) {
    try {
      const response = await work();
      await guard.withdraw(directory, resource === 'User' ? 'user' : 'group', id);
      return response;
    } catch (error) {
      if (!(error instanceof RemovalHeldError)) throw error;
      // Hold only what is based on stored data, and was sent with a secret that is valid now.
      if (call.revision !== null) throw new StaleCacheError();
      const runId = await guard.hold(directory, error);
      if (runId) throw heldFor(error, runId);
    }
  }
  throw new DomainError(KitErrors.UNAVAILABLE);
}

function heldFor({ message }: RemovalHeldError, runId: string): ScimError {
  const detail = `This removal waits for the decision of an administrator in run ${runId}: ${message}`;
  return new ScimError(403, undefined, detail);
}

async function inQuota<Result>(
  { directory: { id }, engine: { quotas } }: ScimScope,
  quota: QuotaChange<Result> | undefined,
  work: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  if (!quota) return work();
  if ('removes' in quota) {
    const result = await work();
    const freed = result && { ...NO_USAGE, [quota.removes]: 1, bytes: quota.bytesOf(result) };
    if (freed) await quotas.settle(id, freed);
    return result;
  }
  if ('grows' in quota) {
    const growth = (result: Result | undefined) => (result ? quota.grows(result) : 0);
    return quotas.spend(id, NO_USAGE, work, (result) => ({ ...NO_USAGE, bytes: growth(result) }));
  }
  const one = { ...NO_USAGE, [quota.creates]: 1 };
  // At least one byte, so that nothing is created when all are used.
  const expected = { ...one, bytes: Math.max(quota.bodyBytes, 1) };
  return quotas.spend(id, expected, work, (result) =>
    result ? { ...one, bytes: quota.bytesOf(result) } : NO_USAGE,
  );
}

/** Step 4 where it needs a transaction. The mapping is locked before anything else. */
async function writeIn<Result extends EventSink>(
  sql: SqlExecutor,
  scope: ScimScope,
  spec: Write<Result>,
): Promise<Result | undefined> {
  const { directory, engine } = scope;
  const { removal, removed, emptied, groupName = '' } = spec;
  const mapping = directory.mapsRoles ? await lockMapping(sql, directory.id) : undefined;
  const before = mapping && (await rolesBefore(sql, scope, spec, mapping));
  const result = await spec.statement(sql, before?.shown);
  if (!result) return undefined;
  if (mapping) await followRoles(sql, scope, spec, mapping, before?.lost ?? [], result);
  if (removal && removed) {
    await engine.guard.admit(directory, removal, { groupName, ...removed(result) }, sql);
  }
  const emptiedName = emptied?.(result);
  if (removal && emptiedName !== undefined) {
    const emptying = { kind: removal.kind, id: removal.id, operation: 'empty' } as const;
    await engine.guard.admit(directory, emptying, { groupName: emptiedName }, sql);
  }
  return result;
}

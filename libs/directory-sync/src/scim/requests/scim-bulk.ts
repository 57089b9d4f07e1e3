/**
 * Bulk requests: RFC 7644 section 3.7. Each operation is a request and a transaction of its own.
 */
import {
  type BulkOperation,
  type BulkOutcome,
  executeBulk,
  parseBulkRequest,
  PatchBudget,
  ScimError,
} from '@gatehouse/scim';
import { scimFailure } from '../protocol/scim-errors.js';
import {
  type ScimHandler,
  type ScimRequest,
  type ScimResponse,
  type ScimScope,
} from '../protocol/scim.types.js';
import { StaleCacheError } from '../protocol/stale-cache.error.js';
import { type WriteLog } from '../protocol/write-log.js';

const UNAVAILABLE = 503;
/** About two seconds of this process, whatever the operations are. */
const WORK_MAX = 2_000_000;

/**
 * Carries out a bulk request; `execute` handles one operation. The response lists failures of
 * operations, except that a lost database ends the whole request. Operations before it stay
 * committed: identity providers repeat the request, and repeating them changes nothing.
 */
export async function bulk(
  scope: ScimScope,
  request: ScimRequest,
  log: WriteLog,
  execute: ScimHandler,
): Promise<ScimResponse> {
  const { bulkOperationsMax, bulkBytesMax } = scope.engine.limits;
  if ((request.bodyBytes ?? 0) > bulkBytesMax) {
    throw new ScimError(413, undefined, `A bulk request must not exceed ${bulkBytesMax} bytes.`);
  }
  const plan = parseBulkRequest(request.body, { operationsMax: bulkOperationsMax });
  const budget = new PatchBudget(WORK_MAX);
  const budgeted = { ...scope, call: { ...scope.call, budget } };
  const run = async (operation: BulkOperation): Promise<BulkOutcome> => {
    budget.spend(1);
    const response = await execute(budgeted, requestOf(request, operation), log).catch(
      (error: unknown) => {
        if (error instanceof StaleCacheError) throw error;
        const failed = scimFailure(error, scope.engine.logger);
        if (failed.status === UNAVAILABLE) throw error;
        return failed;
      },
    );
    return outcomeOf(response);
  };
  const data = await executeBulk(plan, run, { baseUrl: scope.call.baseUrl });
  return { status: 200, headers: {}, data };
}

/** Bulk responses contain no resources, so members of groups need not be read. */
const NO_MEMBERS = { excludedAttributes: 'members' };

function requestOf(request: ScimRequest, operation: BulkOperation): ScimRequest {
  const { method, resourceType: resource, id, data, ifMatch } = operation;
  return {
    directoryId: request.directoryId,
    apiSecret: request.apiSecret,
    method,
    target:
      id === undefined ? { kind: 'collection', resource } : { kind: 'resource', resource, id },
    query: NO_MEMBERS,
    body: data,
    ...(ifMatch === undefined || id === undefined ? {} : { ifMatch }),
  };
}

function outcomeOf({ status, headers, data }: ScimResponse): BulkOutcome {
  const outcome: BulkOutcome = { status };
  const location = headers.Location;
  if (headers.ETag !== undefined) outcome.version = headers.ETag;
  if (location !== undefined) outcome.location = location;
  if (status >= 400) return data === null ? outcome : { ...outcome, response: data };
  return typeof data?.id === 'string' ? { ...outcome, id: data.id } : outcome;
}

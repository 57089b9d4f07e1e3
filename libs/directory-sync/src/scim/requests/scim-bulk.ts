/** Bulk requests: RFC 7644 section 3.7. Every operation is a request, and a transaction, of its own. */
import {
  type BulkOperation,
  type BulkOutcome,
  executeBulk,
  parseBulkRequest,
  ScimError,
} from '@gatehouse/scim';
import { StaleMemory } from './directory-cache.js';
import { scimFailure } from '../protocol/scim-errors.js';
import type { ScimAnswer, ScimCall, ScimContext } from '../protocol/scim.types.js';

const UNAVAILABLE = 503;

type Executor = (context: ScimContext, call: ScimCall) => Promise<ScimAnswer>;

/**
 * Carries out a bulk request through `execute`, which answers one request. An operation that fails
 * is answered in its place; only a lost database ends the whole request, with what was done before
 * it left done: identity providers send it again, and what is there already changes nothing.
 */
export async function bulk(
  context: ScimContext,
  call: ScimCall,
  execute: Executor,
): Promise<ScimAnswer> {
  const { bulkOperationsMax, bulkBytesMax } = context.limits;
  if ((call.bodyBytes ?? 0) > bulkBytesMax) {
    throw new ScimError(413, undefined, `A bulk request must not exceed ${bulkBytesMax} bytes.`);
  }
  const plan = parseBulkRequest(call.body, { operationsMax: bulkOperationsMax });
  const run = async (operation: BulkOperation): Promise<BulkOutcome> => {
    const answer = await execute(context, callOf(call, operation)).catch((error: unknown) => {
      if (error instanceof StaleMemory) throw error;
      const failed = scimFailure(error, context.logger);
      if (failed.status === UNAVAILABLE) throw error;
      return failed;
    });
    return outcomeOf(answer);
  };
  const data = await executeBulk(plan, run, { baseUrl: context.baseUrl });
  return { status: 200, headers: {}, data };
}

function callOf(call: ScimCall, operation: BulkOperation): ScimCall {
  const { method, resourceType: resource, id, data, ifMatch } = operation;
  return {
    directoryId: call.directoryId,
    apiSecret: call.apiSecret,
    method,
    target:
      id === undefined ? { kind: 'collection', resource } : { kind: 'resource', resource, id },
    query: NO_MEMBERS,
    body: data,
    ...(ifMatch === undefined ? {} : { ifMatch }),
  };
}

/** Answers of bulk operations show no resource, so the members of groups need not be read. */
const NO_MEMBERS = { excludedAttributes: 'members' };

function outcomeOf({ status, headers, data }: ScimAnswer): BulkOutcome {
  const outcome: BulkOutcome = { status };
  const location = headers.Location ?? headers['Content-Location'];
  if (headers.ETag !== undefined) outcome.version = headers.ETag;
  if (location !== undefined) outcome.location = location;
  if (status >= 400) return data === null ? outcome : { ...outcome, response: data };
  return typeof data?.id === 'string' ? { ...outcome, id: data.id } : outcome;
}

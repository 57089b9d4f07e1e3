import { invalidPath, invalidSyntax, invalidValue, ScimError } from '../errors/scim-error.js';
import { isObject, ownAnyCase } from '../json/json-access.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { checkMessageSchema } from '../schema/message-schema.js';
import { type ResourceType, resourceTypes } from '../schema/resource-type.js';

/** The body of a POST to /Bulk: RFC 7644 section 3.7. */

export const BULK_REQUEST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';

export type BulkMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One operation, ready to execute. */
export interface BulkOperation {
  /** Position in the request. */
  index: number;
  method: BulkMethod;
  resourceType: ResourceType['name'];
  /** Absent for POST. May be `bulkId:…` until it is resolved. */
  id?: string;
  bulkId?: string;
  /** The `version` of the operation, to be used as If-Match. */
  ifMatch?: string;
  data?: JsonValue;
}

/** An operation, or the error that makes it invalid. */
export interface BulkItem {
  index: number;
  /** As sent, for the response. */
  method: string;
  bulkId?: string;
  operation?: BulkOperation;
  fault?: ScimError;
}

export interface BulkPlan {
  /** Number of errors after which the request ends; absent: run all operations. */
  failOnErrors?: number;
  items: BulkItem[];
}

export interface BulkLimits {
  operationsMax: number;
}

const METHODS = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const BULK_ID_PATTERN = /^[^\s"/\\[\]]{1,256}$/;

/**
 * Reads a bulk request. A malformed operation becomes an item with an error.
 *
 * @throws ScimError 413 above the limit, 400 invalidSyntax or invalidValue for the request itself
 */
export function parseBulkRequest(body: unknown, limits: BulkLimits): BulkPlan {
  if (!isObject(body)) {
    throw invalidSyntax('The body must be a JSON object.');
  }
  checkMessageSchema(body, BULK_REQUEST_SCHEMA);
  const operations = ownAnyCase(body, 'Operations');
  if (!Array.isArray(operations) || operations.length === 0) {
    throw invalidSyntax('Operations must be a list with at least one operation.');
  }
  const { operationsMax } = limits;
  if (operations.length > operationsMax) {
    throw new ScimError(413, undefined, `Operations has more than ${operationsMax} operations.`);
  }
  const failOnErrors = ownAnyCase(body, 'failOnErrors') ?? undefined;
  if (failOnErrors !== undefined && !isCount(failOnErrors)) {
    throw invalidValue('failOnErrors must be a whole number of at least 0.');
  }
  return {
    // Clients that serialize an unset number send 0.
    ...(failOnErrors === undefined || failOnErrors === 0 ? {} : { failOnErrors }),
    items: refuseDoubles(operations.map(readItem)),
  };
}

function isCount(value: JsonValue): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

/** A bulkId names one POST; a second one is an error of that operation. */
function refuseDoubles(items: BulkItem[]): BulkItem[] {
  const seen = new Set<string>();
  return items.map((item) => {
    const { operation } = item;
    if (operation?.method !== 'POST' || operation.bulkId === undefined) {
      return item;
    }
    if (seen.has(operation.bulkId)) {
      const fault = invalidValue(`bulkId "${operation.bulkId}" is used more than once.`);
      return { index: item.index, method: item.method, bulkId: item.bulkId, fault };
    }
    seen.add(operation.bulkId);
    return item;
  });
}

function readItem(item: JsonValue, index: number): BulkItem {
  if (!isObject(item)) {
    return { index, method: '', fault: invalidSyntax(`Operations[${index}] must be an object.`) };
  }
  const method = ownAnyCase(item, 'method');
  const bulkId = ownAnyCase(item, 'bulkId');
  const seen: BulkItem = {
    index,
    method: typeof method === 'string' ? method.slice(0, 16) : '',
    ...(typeof bulkId === 'string' ? { bulkId: bulkId.slice(0, 256) } : {}),
  };
  try {
    return { ...seen, operation: readOperation(item, index) };
  } catch (error) {
    if (error instanceof ScimError) {
      return { ...seen, fault: error };
    }
    throw error;
  }
}

function readOperation(item: JsonObject, index: number): BulkOperation {
  const method = (textOf(item, 'method') ?? '').toUpperCase();
  if (!METHODS.has(method)) {
    throw invalidSyntax('method must be POST, PUT, PATCH or DELETE.');
  }
  const bulkId = textOf(item, 'bulkId');
  if (bulkId !== undefined && !BULK_ID_PATTERN.test(bulkId)) {
    throw invalidValue('bulkId must be a text of up to 256 characters without spaces.');
  }
  if (method === 'POST' && bulkId === undefined) {
    throw invalidSyntax('bulkId is required for POST.');
  }
  const target = targetOf(textOf(item, 'path') ?? '');
  if ((target.id === undefined) !== (method === 'POST')) {
    throw invalidPath(
      method === 'POST' ? 'POST goes to an endpoint.' : `${method} goes to a resource.`,
    );
  }
  const data = ownAnyCase(item, 'data');
  if (method !== 'DELETE' && !isObject(data)) {
    throw invalidSyntax(`data must be an object for ${method}.`);
  }
  const version = textOf(item, 'version');
  return {
    index,
    method: method as BulkMethod,
    ...target,
    ...(bulkId === undefined ? {} : { bulkId }),
    ...(version === undefined ? {} : { ifMatch: version }),
    ...(data === undefined ? {} : { data }),
  };
}

function textOf(item: JsonObject, name: string): string | undefined {
  const value = ownAnyCase(item, name) ?? undefined;
  if (value !== undefined && typeof value !== 'string') {
    throw invalidSyntax(`${name} must be a text.`);
  }
  return value;
}

function targetOf(path: string): { resourceType: ResourceType['name']; id?: string } {
  const [endpoint = '', id, ...rest] = path.split('/').filter((part) => part !== '');
  const wanted = `/${endpoint.toLowerCase()}`;
  const type = resourceTypes.find((each) => each.endpoint.toLowerCase() === wanted);
  if (type === undefined || rest.length > 0) {
    throw invalidPath(`The path "${path.slice(0, 256)}" is no resource.`);
  }
  return { resourceType: type.name, ...(id === undefined ? {} : { id }) };
}

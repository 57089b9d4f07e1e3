import { invalidSyntax, ScimError } from '../errors/scim-error.js';
import { isObject, ownAnyCase } from '../json/json-access.js';
import { type JsonValue } from '../json/json.js';
import { checkMessageSchema } from '../schema/message-schema.js';
import { parsePatchPath, type PatchPath } from './patch-path.js';

/** The body of a PATCH: RFC 7644 section 3.5.2. */

export const PATCH_OP_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export interface PatchOperation {
  op: 'add' | 'remove' | 'replace';
  path?: PatchPath;
  value?: JsonValue;
}

export interface PatchLimits {
  /** Maximum number of operations in one request. Default 1000. */
  operationsMax?: number;
}

const OPERATIONS_MAX_DEFAULT = 1000;
const OPERATION_NAMES = new Set(['add', 'remove', 'replace']);

/**
 * Reads a PATCH body. Names and operations ignore case, `schemas` is optional.
 *
 * @throws ScimError 400 invalidSyntax for a body of another shape, 400 invalidPath for a path,
 *   413 for too many operations.
 */
export function parsePatchRequest(body: unknown, limits: PatchLimits = {}): PatchOperation[] {
  if (!isObject(body)) {
    throw invalidSyntax('The body must be a JSON object.');
  }
  checkMessageSchema(body, PATCH_OP_SCHEMA);
  const operations = ownAnyCase(body, 'Operations');
  if (!Array.isArray(operations) || operations.length === 0) {
    throw invalidSyntax('Operations must be a list with at least one operation.');
  }
  const operationsMax = limits.operationsMax ?? OPERATIONS_MAX_DEFAULT;
  if (operations.length > operationsMax) {
    throw new ScimError(413, undefined, `Operations has more than ${operationsMax} operations.`);
  }
  return operations.map(parseOperation);
}

function parseOperation(item: JsonValue, index: number): PatchOperation {
  const label = `Operations[${index}]`;
  if (!isObject(item)) {
    throw invalidSyntax(`${label} must be an object.`);
  }
  const op = ownAnyCase(item, 'op');
  const name = typeof op === 'string' ? op.toLowerCase() : '';
  if (!OPERATION_NAMES.has(name)) {
    throw invalidSyntax(`${label}.op must be add, remove or replace.`);
  }
  const path = ownAnyCase(item, 'path');
  if (path !== undefined && path !== null && typeof path !== 'string') {
    throw invalidSyntax(`${label}.path must be a text.`);
  }
  const value = ownAnyCase(item, 'value');
  return {
    op: name as PatchOperation['op'],
    ...(typeof path === 'string' && path.trim() !== '' ? { path: parsePatchPath(path) } : {}),
    ...(value === undefined ? {} : { value }),
  };
}

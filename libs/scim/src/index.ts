/**
 * SCIM 2.0 without a server or a store: the parts of RFC 7643, RFC 7644 and RFC 9865 that are pure
 * functions on JSON.
 *
 * - `errors`, `json`, `schema`: error bodies, safe access to client JSON, schemas and discovery
 * - `path`, `filter`: attribute paths and filters, parsed, bound to a schema, evaluated in memory
 * - `resource`, `patch`: the canonical form of a resource, and PATCH on it
 * - `selection`, `messages`: attribute selection, lists, cursors, entity tags, bulk
 * - `sql`: a bound filter or sort order as a PostgreSQL condition
 *
 * Folders import those before them. A client's mistake is always a `ScimError` with the status and
 * `scimType` of RFC 7644 table 9. Input sizes are bounded; names that could reach a prototype are
 * refused.
 *
 * @example
 * const filter = bindFilter(parseFilter('userName sw "m" and active eq true'), userResourceType);
 * const users = resources.filter((resource) => matchesFilter(filter, resource));
 *
 * @packageDocumentation
 */
export { invalidValue, ScimError, scimErrorBody, uniquenessError } from './errors/scim-error.js';

export { type JsonObject, type JsonValue } from './json/json.js';
export { cleanJson } from './json/json-clean.js';
export { parseJsonText } from './json/json-text.js';
export { foldCase, isObject, ownAnyCase, sameJson } from './json/json-access.js';

export {
  resourceTypeDocument,
  resourceTypeDocuments,
  schemaDocument,
  schemaDocuments,
  serviceProviderConfig,
} from './schema/discovery.js';
export { groupResourceType, type ResourceType, userResourceType } from './schema/resource-type.js';

export { bindFilter } from './filter/filter-binder.js';
export { matchesElement, matchesFilter } from './filter/filter-evaluator.js';
export { parseFilter } from './filter/filter-parser.js';
export { printFilter } from './filter/filter-printer.js';

export {
  deriveGroup,
  deriveRoles,
  deriveUser,
  type UserFields,
} from './resource/derived-fields.js';
export { takeMembers } from './resource/members.js';
export { type MemberReference, type ScimResource } from './resource/resource.js';
export { normalizeResource } from './resource/resource-normalizer.js';
export { foldUserName } from './resource/user-name.js';

export {
  type MemberChange,
  type NetMemberChange,
  netMemberChanges,
  planGroupPatch,
} from './patch/group-patch.js';
export { PatchBudget } from './patch/patch-budget.js';
export { applyPatch, patchOptionsOf } from './patch/patch-engine.js';
export { parsePatchRequest, type PatchOperation } from './patch/patch-request.js';

export { type AttributeSelection, selectAttributes } from './selection/attribute-selection.js';
export { readAttribute } from './selection/read-attribute.js';

export { executeBulk, type BulkOutcome } from './messages/bulk-execution.js';
export { parseBulkRequest, type BulkOperation } from './messages/bulk-request.js';
export { createCursorCodec } from './messages/cursor.js';
export {
  ifMatchHolds,
  ifNoneMatchHolds,
  preconditionFailed,
  versionTag,
} from './messages/entity-tag.js';
export {
  type ListQuery,
  parseListQuery,
  parseSearchRequest,
  parseSelectionQuery,
} from './messages/list-query.js';
export { listResponse } from './messages/list-response.js';
export { requireDefinedNames, requireDefinedTerms, requireStrictPatch } from './messages/strict.js';

export { type AttributeColumn, type FilterColumns } from './sql/filter-columns.js';
export { elementFilterCost, type FilterCost, filterCost } from './sql/filter-cost.js';
export { elementFilterToSql, filterToSql } from './sql/filter-sql.js';
export { isIndexedSort, type SortSql, sortToSql } from './sql/sort-sql.js';
export { SqlParameters } from './sql/sql-parameters.js';

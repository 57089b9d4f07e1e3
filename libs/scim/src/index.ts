export {
  invalidFilter,
  invalidPath,
  invalidSyntax,
  invalidValue,
  mutabilityError,
  noTarget,
  ScimError,
  type ScimErrorBody,
  scimErrorBody,
  type ScimType,
  uniquenessError,
} from './errors/scim-error.js';
export {
  attribute,
  type AttributeDefinition,
  type AttributeType,
  type SchemaDefinition,
} from './schema/attribute.js';
export {
  resourceTypeDocument,
  resourceTypeDocuments,
  schemaDocument,
  schemaDocuments,
  serviceProviderConfig,
  type ServiceProviderLimits,
} from './schema/discovery.js';
export { enterpriseUserSchemaUrn } from './schema/enterprise-user.schema.js';
export {
  defineResourceType,
  groupResourceType,
  type ResourceType,
  resourceTypes,
  userResourceType,
} from './schema/resource-type.js';
export { type BoundFilter } from './filter/bound-filter.js';
export { type Filter, type FilterLimits, type FilterOptions } from './filter/filter-ast.js';
export { bindFilter } from './filter/filter-binder.js';
export { matchesElement, matchesFilter } from './filter/filter-evaluator.js';
export { parseFilter } from './filter/filter-parser.js';
export { printFilter } from './filter/filter-printer.js';
export { type AttributeRef } from './path/attribute-ref.js';
export {
  applyPatch,
  type PatchOptions,
  patchOptionsOf,
  type PatchResult,
} from './patch/patch-engine.js';
export {
  type GroupPatchPlan,
  type MemberChange,
  type NetMemberChange,
  netMemberChanges,
  planGroupPatch,
} from './patch/group-patch.js';
export { parsePatchPath, type PatchPath } from './patch/patch-path.js';
export {
  parsePatchRequest,
  type PatchLimits,
  type PatchOperation,
  patchOpSchema,
} from './patch/patch-request.js';
export {
  deriveGroup,
  deriveUser,
  type GroupFields,
  type UserFields,
} from './resource/derived-fields.js';
export { memberReferences, takeMembers } from './resource/members.js';
export { normaliseResource } from './resource/resource-normaliser.js';
export { foldCase, sameJson } from './resource/json-access.js';
export { foldUserName } from './resource/user-name.js';
export {
  type JsonObject,
  type JsonValue,
  type MemberReference,
  type ScimResource,
} from './resource/resource.js';
export {
  type AttributeArray,
  type AttributeColumn,
  type AttributeTable,
  type FilterColumns,
} from './sql/filter-columns.js';
export { elementFilterToSql, filterToSql } from './sql/filter-sql.js';
export { SqlParameters } from './sql/sql-parameters.js';
export { type AttributeSelection, selectAttributes } from './resource/attribute-selection.js';
export { readAttribute } from './resource/read-attribute.js';
export { bindSort, type BoundSort, sortResources } from './resource/sort.js';
export { type SortSql, sortToSql } from './sql/sort-sql.js';
export {
  ifMatchHolds,
  ifNoneMatchHolds,
  preconditionFailed,
  versionTag,
} from './messages/entity-tag.js';
export { type ListAnswer, listResponse } from './messages/list-response.js';
export {
  type ListLimits,
  type ListQuery,
  type PageRequest,
  parseListQuery,
  parseSearchRequest,
  parseSelectionQuery,
} from './messages/list-query.js';
export { createCursorCodec, type CursorCodec, type CursorSettings } from './messages/cursor.js';
export {
  type BulkLimits,
  type BulkMethod,
  type BulkOperation,
  type BulkPlan,
  parseBulkRequest,
} from './messages/bulk-request.js';
export {
  type BulkExecutor,
  type BulkOptions,
  type BulkOutcome,
  executeBulk,
} from './messages/bulk-execution.js';

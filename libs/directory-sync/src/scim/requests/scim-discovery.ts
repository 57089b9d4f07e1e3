/** Discovery documents: RFC 7644 section 4. Sort, paging and attribute parameters are ignored. */
import {
  type JsonObject,
  listResponse,
  resourceTypeDocument,
  resourceTypeDocuments,
  schemaDocument,
  schemaDocuments,
  serviceProviderConfig,
} from '@gatehouse/scim';
import { CURSOR_MAX_AGE_SECONDS } from '../lists/list.service.js';
import { errorResponse } from '../protocol/scim-errors.js';
import {
  type DiscoveryDocument,
  type ScimRequest,
  type ScimResponse,
  type ScimScope,
} from '../protocol/scim.types.js';

export function describe(
  scope: ScimScope,
  request: ScimRequest,
  document: DiscoveryDocument,
  id?: string,
): ScimResponse {
  if (request.query.filter !== undefined) {
    return errorResponse(403, 'Filters are not supported on discovery endpoints.');
  }
  const data = documentOf(scope, document, id);
  return data
    ? { status: 200, headers: {}, data }
    : errorResponse(404, `There is no ${document} entry of this id.`);
}

function documentOf(
  { call: { baseUrl }, engine: { limits } }: ScimScope,
  document: DiscoveryDocument,
  id?: string,
): JsonObject | undefined {
  switch (document) {
    case 'ServiceProviderConfig':
      return serviceProviderConfig({
        baseUrl,
        bulkOperationsMax: limits.bulkOperationsMax,
        bulkBytesMax: limits.bulkBytesMax,
        filterResultsMax: limits.pageSizeMax,
        pageSizeDefault: limits.pageSizeDefault,
        pageSizeMax: limits.pageSizeMax,
        cursorTimeoutSeconds: CURSOR_MAX_AGE_SECONDS,
      });
    case 'ResourceTypes':
      return id === undefined
        ? listOf(resourceTypeDocuments(baseUrl))
        : resourceTypeDocument(baseUrl, id);
    case 'Schemas':
      return id === undefined ? listOf(schemaDocuments(baseUrl)) : schemaDocument(baseUrl, id);
  }
}

function listOf(resources: JsonObject[]): JsonObject {
  return listResponse({ totalResults: resources.length, startIndex: 1, resources });
}

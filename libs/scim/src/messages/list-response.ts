import { type JsonObject } from '../json/json.js';

/** The response to a query: RFC 7644 section 3.4.2, RFC 9865 section 2. */

const LIST_RESPONSE_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

export interface ListAnswer {
  /** Number of matching resources on all pages; optional with a cursor. */
  totalResults?: number;
  /** Absent with a cursor. */
  startIndex?: number;
  resources: JsonObject[];
  nextCursor?: string;
  previousCursor?: string;
}

export function listResponse(answer: ListAnswer): JsonObject {
  const { totalResults, startIndex, resources, nextCursor, previousCursor } = answer;
  return {
    schemas: [LIST_RESPONSE_SCHEMA],
    ...(totalResults === undefined ? {} : { totalResults }),
    ...(startIndex === undefined ? {} : { startIndex }),
    itemsPerPage: resources.length,
    ...(nextCursor === undefined ? {} : { nextCursor }),
    ...(previousCursor === undefined ? {} : { previousCursor }),
    Resources: resources,
  };
}

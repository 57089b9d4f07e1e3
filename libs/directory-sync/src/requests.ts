import { type JsonObject } from '@gatehouse/scim';
import { type ScimRequest, type ScimTarget } from './scim/protocol/scim.types.js';
import { type EventCallback, type ScimRequests } from './scim/requests/scim-requests.js';

/** A SCIM request from a program with its own routes. */
export interface DirectorySyncRequest {
  method: string;
  /** The parsed body, or its JSON text. */
  body?: unknown;
  directoryId: string;
  /** Absent or empty for the whole collection. */
  resourceId?: string;
  resourceType: 'users' | 'groups';
  apiSecret: string;
  query?: {
    count?: number;
    startIndex?: number;
    filter?: string;
    [parameter: string]: unknown;
  };
}

/** The `requests` operations of the controller object. */
export class Requests {
  /** @param scim handles any SCIM request, with headers and entity tags, for servers */
  constructor(readonly scim: ScimRequests) {}

  /**
   * Handles one SCIM request on users or groups. Resolves to an HTTP status and body, also for
   * failures; `data` is null for a response without a body. The callback gets each event of the
   * change after its commit, in order, and is awaited.
   */
  async handle(
    request: DirectorySyncRequest,
    callback?: EventCallback,
  ): Promise<{ status: number; data: JsonObject | null }> {
    const { status, data } = await this.scim.respond(scimRequestOf(request ?? {}), callback);
    return { status, data };
  }
}

function scimRequestOf(request: Partial<DirectorySyncRequest>): ScimRequest {
  return {
    directoryId: String(request.directoryId ?? ''),
    apiSecret: typeof request.apiSecret === 'string' ? request.apiSecret : '',
    method: String(request.method ?? '').toUpperCase(),
    target: targetOf(request),
    query: request.query ?? {},
    body: parsedBody(request.body),
  };
}

function targetOf({ resourceType, resourceId }: Partial<DirectorySyncRequest>): ScimTarget {
  const kind = String(resourceType ?? '').toLowerCase();
  if (kind !== 'users' && kind !== 'groups') return { kind: 'unknown' };
  const resource = kind === 'users' ? 'User' : 'Group';
  if (resourceId === undefined || resourceId === null || resourceId === '') {
    return { kind: 'collection', resource };
  }
  return { kind: 'resource', resource, id: String(resourceId) };
}

/** Text that is not JSON stays text; the SCIM library rejects it. */
function parsedBody(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}

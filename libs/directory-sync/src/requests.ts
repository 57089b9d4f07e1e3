import type { JsonObject } from '@gatehouse/scim';
import type { EventCallback, ScimRequests } from './scim/requests/scim-requests.js';
import type { ScimAnswer, ScimCall, ScimTarget } from './scim/protocol/scim.types.js';

/** A SCIM request as a program passes it on from routes of its own. */
export interface DirectorySyncRequest {
  method: string;
  /** The parsed body, or its JSON text. */
  body?: unknown;
  directoryId: string;
  /** Absent or empty for the collection. */
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
  constructor(private readonly scim: ScimRequests) {}

  /**
   * Handles one SCIM request on users or groups. Resolves to an HTTP status and body, also for
   * every failure; `data` is null where the answer has no body. The callback gets each event of
   * the change after its commit, in order, and is awaited.
   */
  async handle(
    request: DirectorySyncRequest,
    callback?: EventCallback,
  ): Promise<{ status: number; data: JsonObject | null }> {
    const { status, data } = await this.scim.respond(callOf(request ?? {}), callback);
    return { status, data };
  }

  /** As `handle`, for any SCIM address and with the headers of the answer; what dsync-api serves. */
  respond(call: ScimCall, callback?: EventCallback): Promise<ScimAnswer> {
    return this.scim.respond(call, callback);
  }
}

function callOf(request: Partial<DirectorySyncRequest>): ScimCall {
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

/** A text that is no JSON stays a text, which the SCIM engine refuses as such. */
function parsedBody(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}

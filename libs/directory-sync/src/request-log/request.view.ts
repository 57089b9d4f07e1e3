import { CryptoError, type KeyRing, openText } from '@gatehouse/crypto';
import { bodiesPlace } from './request-log.js';
import { type StoredEntry } from './request-log.repository.js';

/** A logged SCIM request. */
export interface RequestView {
  id: string;
  time: string;
  request_id: string;
  method: string;
  /** Below the address of the directory, without the query. */
  path: string;
  filter: string | null;
  status: number;
  scim_type: string | null;
  /** Why it was refused. */
  detail: string | null;
  duration_ms: number;
  user_agent: string | null;
  /** Names of the attributes that it wrote. */
  attributes: string[];
  /** The resource that it named or created. */
  resource_id: string | null;
  /**
   * The token that it was sent with, even one that has expired. Null for the SCIM secret, and for any other
   * secret that is not valid.
   */
  token_id: string | null;
  /** Whether its bodies were captured. */
  captured: boolean;
}

/** Bodies as JSON text, redacted; null for a message without one. */
export interface RequestBodies {
  request: string | null;
  response: string | null;
}

export interface RequestDetails extends RequestView {
  /** Null if they were not captured. */
  bodies: RequestBodies | null;
}

export function requestView(entry: StoredEntry): RequestView {
  return {
    id: entry.id,
    time: entry.at.toISOString(),
    request_id: entry.request_id,
    method: entry.method,
    path: entry.path,
    filter: entry.filter,
    status: entry.status,
    scim_type: entry.scim_type,
    detail: entry.detail,
    duration_ms: entry.duration_ms,
    user_agent: entry.user_agent,
    attributes: entry.attributes,
    resource_id: entry.resource_id,
    token_id: entry.token_id,
    captured: entry.bodies_sealed !== null,
  };
}

export function requestDetails(entry: StoredEntry, ring: KeyRing): RequestDetails {
  return { ...requestView(entry), bodies: bodiesOf(entry, ring) };
}

/** Null, too, after the key that sealed them has been removed: what was captured is short-lived. */
function bodiesOf({ id, bodies_sealed }: StoredEntry, ring: KeyRing): RequestBodies | null {
  if (bodies_sealed === null) return null;
  try {
    return JSON.parse(openText(ring, bodies_sealed, bodiesPlace(id))) as RequestBodies;
  } catch (error) {
    if (error instanceof CryptoError) return null;
    throw error;
  }
}

import {
  type ScimRequest,
  type ScimResponse,
  type SeenAccess,
} from '../scim/protocol/scim.types.js';

/** Limits of the log. With 0 buffer entries, the log is off. */
export interface RequestLogLimits {
  /** Requests that wait in this process until they are written. */
  bufferEntries: number;
  /** Stored requests of one directory in 24 hours, more or less a batch. */
  rowsPerDay: number;
  /** Requests without a valid credential that are logged a minute, for each directory and process. */
  unauthorizedPerMinute: number;
  /** Requests of one directory in 24 hours whose bodies are kept while they are captured. */
  capturedPerDay: number;
  /** Names of attributes whose values are not captured, in addition to those that are never captured. */
  redacted: readonly string[];
}

export const DEFAULT_REQUEST_LOG: RequestLogLimits = {
  bufferEntries: 5_000,
  rowsPerDay: 100_000,
  unauthorizedPerMinute: 10,
  capturedPerDay: 1_000,
  redacted: [],
};

/** A request that has been answered. */
export interface AnsweredRequest {
  access: SeenAccess;
  requestId: string;
  method: string;
  /** Below the address of the directory, still percent-encoded, without the query. */
  path: string;
  userAgent: string;
  status: number;
  durationMs: number;
  /** Absent if it was refused before it was read. */
  request?: ScimRequest;
  /** Absent if the service had no part in it. */
  response?: Pick<ScimResponse, 'data'>;
}

/** A row of the log. */
export interface RequestEntry {
  id: string;
  directory_id: string;
  at: string;
  token_id: string | null;
  request_id: string;
  method: string;
  path: string;
  filter: string | null;
  status: number;
  scim_type: string | null;
  detail: string | null;
  duration_ms: number;
  user_agent: string | null;
  attributes: string[];
  resource_id: string | null;
  bodies_sealed: string | null;
}

/** Increments of the request counts of a directory. */
export interface RequestCounts {
  directory_id: string;
  requests: number;
  errors: number;
  unauthorized: number;
  /** By status, with or without a valid credential: below 400, below 500, and the others. */
  succeeded: number;
  refused: number;
  failed: number;
  /** Time of the first request with a valid credential; null before it arrives. */
  first_at: string | null;
  last_at: string | null;
  unauthorized_at: string | null;
  provider: string | null;
  user_agent: string | null;
}

import { type JsonObject, type PatchBudget } from '@gatehouse/scim';
import { type TransactionalSql } from '@gatehouse/kit/sql';
import { type DirectoryRepository } from '../../directories/directory.repository.js';
import { type DirectoryAccess } from '../../directories/directory.types.js';
import { type Guard } from '../../guard/guard.js';
import { type Quotas } from '../../quotas/quotas.js';
import { type SearchLimits, type Searches } from '../../searches/searches.js';
import { type SyncLogger } from '../../sync-logger.js';
import { type UserRow } from '../../users/user.types.js';
import { type WriteLog } from './write-log.js';

export type ResourceName = 'User' | 'Group';

export type DiscoveryDocument = 'ServiceProviderConfig' | 'ResourceTypes' | 'Schemas';

/** The target of a SCIM request, relative to the base address of a directory. */
export type ScimTarget =
  | { kind: 'collection'; resource: ResourceName }
  | { kind: 'resource'; resource: ResourceName; id: string }
  | { kind: 'search'; resource?: ResourceName }
  | { kind: 'root' }
  | { kind: 'bulk' }
  | { kind: 'me' }
  | { kind: 'discovery'; document: DiscoveryDocument; id?: string }
  | { kind: 'unknown' };

/** The directory that a request addressed, and whether its credential was accepted. */
export interface SeenAccess {
  directoryId: string;
  isAuthorized: boolean;
  /** The token that was sent, even one that has expired; null for the SCIM secret or another text. */
  tokenId: string | null;
  /** Bodies of requests are logged until then. */
  captureUntil: Date | null;
}

/** A SCIM request, independent of its transport. */
export interface ScimRequest {
  directoryId: string;
  /** The bearer token; empty if the request has none. */
  apiSecret: string;
  method: string;
  target: ScimTarget;
  query: Record<string, unknown>;
  /** Parsed JSON; undefined if there is no body. */
  body?: unknown;
  /** Size of the raw body if known; bulk requests have their own limit. */
  bodyBytes?: number;
  ifMatch?: string;
  ifNoneMatch?: string;
  /** `Prefer: return=minimal`: the response to a PATCH is 204. */
  prefersMinimal?: boolean;
  /** Called when the credential has been checked, unless the directory is unknown. The last call counts. */
  onAccess?: (access: SeenAccess) => void;
}

export interface ScimResponse {
  status: number;
  headers: Record<string, string>;
  /** Null for a response without a body. */
  data: JsonObject | null;
}

/** Limits of requests; `ServiceProviderConfig` announces page sizes and those of bulk. */
export interface ScimLimits extends SearchLimits {
  pageSizeDefault: number;
  pageSizeMax: number;
  /** A page ends early at this size of its resources, but has at least one. */
  pageBytesMax: number;
  filterCostMax: number;
  bulkOperationsMax: number;
  bulkBytesMax: number;
}

/** Dependencies of SCIM services, the same for all requests. */
export interface ScimEngine {
  readonly sql: TransactionalSql;
  /** For queries other than look-ups. */
  readonly searches: Searches;
  readonly quotas: Quotas;
  readonly guard: Guard;
  readonly directories: DirectoryRepository;
  readonly limits: ScimLimits;
  readonly cursorKey: Buffer;
  /** Turns of writes that wait for each other; absent where there is one writer. */
  readonly turns?: { run<T>(directoryId: string, write: () => Promise<T>): Promise<T> };
  readonly logger: SyncLogger;
}

/** How one request is carried out. */
export interface ScimCall {
  /** The SCIM address of the directory, without a trailing slash. */
  readonly baseUrl: string;
  /** The revision the directory must still have, if it came from the cache; otherwise null. */
  readonly revision: number | null;
  /** The user that the request names, read together with the directory. */
  readonly prefetchedUser?: UserRow;
  /** The user that the request names, as this process last wrote it. */
  readonly cachedUser?: UserRow;
  /** Whether the caller wants the events of its writes. */
  readonly wantsEvents: boolean;
  /** The work that the operations of a bulk request may cause in total. */
  readonly budget?: PatchBudget;
}

/** An authenticated request's directory, and everything the services need to work on it. */
export interface ScimScope {
  readonly directory: DirectoryAccess;
  readonly call: ScimCall;
  readonly engine: ScimEngine;
}

/** Carries out an authenticated request and records in `log` what it commits. */
export type ScimHandler = (
  scope: ScimScope,
  request: ScimRequest,
  log: WriteLog,
) => Promise<ScimResponse>;

import type { JsonObject } from '@gatehouse/scim';
import type { Database } from '../../database/database.js';
import type {
  DirectoryAccess,
  DirectoryRepository,
} from '../../directories/directory.repository.js';
import type { EventRow } from '../../events/event.types.js';
import type { SyncLogger } from '../../management/result.js';
import type { UserRow } from '../../users/user.types.js';
import type { Remembered } from '../requests/directory-cache.js';

export type ResourceName = 'User' | 'Group';

/** What a SCIM request is aimed at, below a directory's base address. */
export type ScimTarget =
  | { kind: 'collection'; resource: ResourceName }
  | { kind: 'resource'; resource: ResourceName; id: string }
  | { kind: 'search'; resource?: ResourceName }
  | { kind: 'root' }
  | { kind: 'bulk' }
  | { kind: 'me' }
  | { kind: 'discovery'; document: DiscoveryDocument; id?: string }
  | { kind: 'unknown' };

export type DiscoveryDocument = 'ServiceProviderConfig' | 'ResourceTypes' | 'Schemas';

/** A SCIM request, independent of how it came in. */
export interface ScimCall {
  directoryId: string;
  /** The bearer credential; an empty text stands for none. */
  apiSecret: string;
  method: string;
  target: ScimTarget;
  query: Record<string, unknown>;
  /** Parsed JSON, or undefined for no body at all. */
  body?: unknown;
  /** Size of the body as it came in, where it is known; bulk requests have a limit of their own. */
  bodyBytes?: number;
  ifMatch?: string;
  ifNoneMatch?: string;
  /** `Prefer: return=minimal`: a PATCH is answered with 204. */
  prefersMinimal?: boolean;
}

export interface ScimAnswer {
  status: number;
  headers: Record<string, string>;
  /** Null where the answer has no body. */
  data: JsonObject | null;
}

/** Page sizes and bulk limits; `ServiceProviderConfig` announces them. */
export interface ScimLimits {
  pageSizeDefault: number;
  pageSizeMax: number;
  bulkOperationsMax: number;
  bulkBytesMax: number;
}

/** One authenticated call on its way: the directory, and the events that it has written so far. */
export interface ScimContext {
  database: Database;
  directories: DirectoryRepository;
  directory: DirectoryAccess;
  /** The directory's own SCIM address, without a slash at the end. */
  baseUrl: string;
  limits: ScimLimits;
  /** The revision that the directory must have still, where it was not read with this call. */
  revision: number | null;
  /** The user that the address names, read with the directory; whoever needs it takes it once. */
  userAhead?: UserRow | undefined;
  /** The same user where it was not read, but is what this process wrote last. */
  userRemembered?: UserRow | undefined;
  remembered: Remembered;
  /** The events written so far, only where `wantsEvents` is set. */
  events: EventRow[];
  wantsEvents: boolean;
  /** Set by any write: the directory's lane has something to deliver. */
  hasWritten: boolean;
  cursorKey: Buffer;
  logger: SyncLogger;
}

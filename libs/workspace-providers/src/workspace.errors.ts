export type WorkspaceErrorKind =
  /** Access was never granted, or it was revoked: an administrator must connect the directory. */
  | 'needs_authorization'
  /** The account may not read the directory, or the API is not switched on. */
  | 'forbidden'
  | 'rate_limited'
  /** Not reached, too slow, or 5xx even after the retries. */
  | 'unavailable'
  /** The provider does not know what was asked for, such as a group that was deleted meanwhile. */
  | 'not_found'
  /** The page token is too old: the listing must begin again. */
  | 'page_expired'
  /** An answer that does not follow the reference of the provider. */
  | 'invalid_response';

/**
 * A provider did not do what it was asked. `message` is for an administrator of the workspace: it says
 * what to do, and never contains a credential.
 */
export class WorkspaceError extends Error {
  override readonly name = 'WorkspaceError';

  constructor(
    readonly kind: WorkspaceErrorKind,
    message: string,
    /** When the provider wants the next request, if it said so. */
    readonly retryAfterSeconds: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

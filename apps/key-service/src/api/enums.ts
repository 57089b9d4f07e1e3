/** Enums that only requests and answers have. The position of a name is its number; callers may send either. */

export const TOKEN_ALGORITHMS = [
  'TOKEN_ALGORITHM_UNSPECIFIED',
  'TOKEN_ALGORITHM_JWT',
  'TOKEN_ALGORITHM_MACAROON',
] as const;
export type TokenAlgorithm = (typeof TOKEN_ALGORITHMS)[number];

export const BATCH_IMPORT_ERRORS = [
  'BATCH_CREATE_IMPORTED_API_KEYS_ERROR_UNSPECIFIED',
  'BATCH_CREATE_IMPORTED_API_KEYS_ERROR_INVALID_ARGUMENT',
  'BATCH_CREATE_IMPORTED_API_KEYS_ERROR_ALREADY_EXISTS',
  'BATCH_CREATE_IMPORTED_API_KEYS_ERROR_FAILED_PRECONDITION',
  'BATCH_CREATE_IMPORTED_API_KEYS_ERROR_INTERNAL',
  'BATCH_CREATE_IMPORTED_API_KEYS_ERROR_RESOURCE_EXHAUSTED',
] as const;
export type BatchImportErrorCode = (typeof BATCH_IMPORT_ERRORS)[number];

/** Records that a search finds, in the order of its hits. */
export const SEARCH_KINDS = [
  'issued_api_key',
  'imported_api_key',
  'trust_rule',
  'actor',
  'webhook_endpoint',
  'portal_session',
  'event',
] as const;

/** Why a key is paused or has ended; `unknown` if the audit event of the change is no longer there. */
export const STATE_CAUSES = [
  'administrator',
  'directory',
  'expiry',
  'holder',
  'identity',
  'leak_report',
  'portal',
  'rotation',
  'unknown',
] as const;

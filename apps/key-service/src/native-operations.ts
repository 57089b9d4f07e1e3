import { type KeyServiceConfig } from './config.js';
import { BATCH_IMPORT_OPERATIONS } from './keys/imported/batch-import.routes.js';
import { GITHUB_LEAK_OPERATIONS } from './keys/leaks/github-leaks.routes.js';
import { type NativeKeyOperation } from './api/openapi/operation.js';
import { DERIVE_OPERATIONS } from './keys/tokens/derive.routes.js';
import { TOKEN_EXCHANGE_OPERATIONS } from './keys/exchange/token-exchange.routes.js';
import { AUTHORIZE_OPERATIONS } from './verification/authorize.routes.js';
import { VERIFICATION_OPERATIONS } from './verification/verification.routes.js';

/** Describes the native routes of the surface that this process serves. */
export function nativeOperationsOf(
  surface: KeyServiceConfig['surface'],
): readonly NativeKeyOperation[] {
  const ofPublic =
    surface === 'admin' ? [] : [...GITHUB_LEAK_OPERATIONS, ...TOKEN_EXCHANGE_OPERATIONS];
  if (surface === 'public') return ofPublic;
  return [
    ...ofPublic,
    ...VERIFICATION_OPERATIONS,
    ...AUTHORIZE_OPERATIONS,
    ...DERIVE_OPERATIONS,
    ...BATCH_IMPORT_OPERATIONS,
  ];
}

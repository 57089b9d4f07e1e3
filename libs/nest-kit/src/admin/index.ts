export {
  AdminAuth,
  type AdminCaller,
  AdminDeniedError,
  type AdminScheme,
  type AuthorizeOptions,
  type CredentialHolder,
  type CredentialVerifier,
  mayUse,
  requireScope,
} from './admin-auth.js';
export { AdminCalls } from './admin-calls.js';
export { adminCallerOf } from './admin-gate.js';
export {
  AdminConfig,
  AdminKeysConfig,
  AuditConfig,
  ClientsConfig,
  VerdictsConfig,
} from './admin.config.js';
export { type Judgment, verdictSigner } from './admin-verdict.js';
export { AdminModule, adminOptionsOf } from './admin.module.js';
export { RemoteAdminVerifier } from './remote-admin.verifier.js';
export { IsPrivateVerdictKey } from './verdict-key.constraint.js';

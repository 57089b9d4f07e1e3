import { VerificationKey, type VerificationRow } from '../src/store/keys/verification-key.js';

/** A row of an issued key without limits, as the database answers a verification. */
export function verificationRow(fields: Partial<VerificationRow> = {}): VerificationRow {
  return {
    key_id: 'k',
    kind: 'issued',
    actor_id: 'a',
    scopes: '[]',
    metadata: '{}',
    visibility: 1,
    expire_ms: null,
    revoked: false,
    paused: false,
    left: false,
    rate_quota: null,
    rate_unit: null,
    rate_window_seconds: null,
    rate_limits: null,
    credit_account: null,
    allowed_cidrs: null,
    tags: null,
    secret_hash: '',
    hash_key_id: null,
    ...fields,
  };
}

export function verificationKey(fields?: Partial<VerificationRow>): VerificationKey {
  return new VerificationKey(verificationRow(fields), 'test');
}

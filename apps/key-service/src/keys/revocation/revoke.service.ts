import { Injectable } from '@nestjs/common';
import { credentialKind } from '@gatehouse/crypto';
import { KeyEvents, type VerificationErrorCode } from '@gatehouse/schemas';
import { DomainError } from '@gatehouse/kit/errors';
import { credentialOf } from '../../verification/credentials/credential.js';
import { FailureSampler } from '../../verification/failure-sampler.js';
import { refused } from '../../verification/verification-result.js';
import { KeyResolver } from '../../verification/key-resolver.js';
import { type CallContext } from '../../api/call-context.js';
import { invalidField } from '@gatehouse/kit/input';
import { KeyChanges, type TransactionGuard } from '../key-changes.js';
import { type KeyKind, type RevocationReason } from '../../store/keys/key.types.js';
import { KeysRepository } from '../../store/keys/keys.repository.js';
import { type VerificationKey } from '../../store/keys/verification-key.js';
import { SelfRevocationLimit } from '../attempt-limits.js';
import { KeyErrors } from '../../errors.js';

export interface Revocation {
  readonly reason: RevocationReason;
  readonly description: string;
}

/** How long a revocation can be undone. */
export const UNDELETE_MS = 3_600_000;

@Injectable()
export class RevokeService {
  constructor(
    private readonly changes: KeyChanges,
    private readonly keys: KeysRepository,
    private readonly resolver: KeyResolver,
    private readonly failures: FailureSampler,
    private readonly limit: SelfRevocationLimit,
  ) {}

  /** Revokes a key; see `UndeleteService`. Of concurrent revocations exactly one succeeds. */
  async revoke(
    keyId: string,
    kinds: readonly KeyKind[],
    revocation: Revocation,
    context: CallContext,
    guard?: TransactionGuard,
  ): Promise<void> {
    await this.changes.commit(context, async (sql, record) => {
      await guard?.(sql);
      const isExposed = revocation.reason === 'REVOCATION_REASON_KEY_COMPROMISE';
      const undeleteUntil = isExposed ? null : new Date(Date.now() + UNDELETE_MS);
      const key = await this.keys.revoke(sql, { keyId, kinds, ...revocation, undeleteUntil });
      if (!key) {
        const found = await this.keys.find(keyId, sql);
        throw found && kinds.includes(found.kind)
          ? new DomainError(KeyErrors.API_KEY_ALREADY_REVOKED)
          : new DomainError(KeyErrors.API_KEY_NOT_FOUND);
      }
      record({ type: KeyEvents.revoked, key, details: { reason: revocation.reason } });
    });
  }

  /**
   * Revokes the key of its holder. Idempotent. Anyone may call it, so an expired key is answered as
   * an unknown one.
   */
  async revokeByHolder(
    credential: string,
    reason: RevocationReason,
    context: CallContext,
  ): Promise<void> {
    const kind = credentialKind(credential);
    if (kind === 'jwt' || kind === 'macaroon') {
      throw invalidField('credential', 'must be a key, not a derived token');
    }
    await this.limit.countAttempt(context.ip);
    const resolved = await this.resolver.fromStore(credentialOf(credential), 'bypass');
    if (typeof resolved === 'string') throw this.miss(resolved, null, context);
    const { key } = resolved;
    if (key.isRevoked) return;
    if (key.expireAtMs <= Date.now()) {
      throw this.miss('VERIFICATION_ERROR_EXPIRED', key, context);
    }
    await this.changes.commit(context, async (sql, record) => {
      const revocation = {
        keyId: key.keyId,
        kinds: [key.kind],
        reason,
        description: '',
        undeleteUntil: null,
      };
      const revoked = await this.keys.revoke(sql, revocation);
      if (!revoked) return;
      record({ type: KeyEvents.revoked, key: revoked, details: { reason, by: 'holder' } });
    });
  }

  /** Records a sample of the attempts that fail. */
  private miss(
    error: VerificationErrorCode,
    key: VerificationKey | null,
    context: CallContext,
  ): DomainError {
    this.failures.sample({ ...refused(error, 'SKIP'), key }, () => context, 'selfRevoke');
    return new DomainError(KeyErrors.API_KEY_NOT_FOUND);
  }
}

import { Injectable } from '@nestjs/common';
import { KeyEvents } from '@gatehouse/schemas';
import { type CallContext } from '../../api/call-context.js';
import { requireGrant } from '../grants.js';
import { KeyChanges, type TransactionGuard } from '../key-changes.js';
import { type KeyRecord, type NewKey } from '../../store/keys/key.record.js';
import { KeysRepository } from '../../store/keys/keys.repository.js';
import { SecretMinter } from '../secret-minter.js';
import { KeyErrors } from '../../errors.js';
import { DomainError } from '@gatehouse/kit/errors';
import { type SqlExecutor } from '@gatehouse/kit/sql';

/** Fields that the new key does not inherit. */
export type RotationOverrides = Partial<
  Pick<
    NewKey,
    | 'name'
    | 'scopes'
    | 'metadata'
    | 'tags'
    | 'rateLimitPolicy'
    | 'rateLimits'
    | 'allowedCidrs'
    | 'expiringThresholds'
    | 'visibility'
  >
> & {
  readonly prefix?: string | undefined;
  /** The id of a request that may be repeated. */
  readonly requestId?: string;
};

export interface Rotation {
  readonly key: KeyRecord;
  /** '' for a repeated request. */
  readonly secret: string;
  readonly oldKey: KeyRecord;
}

@Injectable()
export class RotateService {
  constructor(
    private readonly changes: KeyChanges,
    private readonly keys: KeysRepository,
    private readonly minter: SecretMinter,
  ) {}

  /**
   * Replaces an active key by a new one. The old key is revoked, or stays valid for the grace
   * period. Of concurrent rotations of one key exactly one succeeds. A repeated request ID returns the
   * key of the first request without its secret.
   */
  async rotate(
    keyId: string,
    { prefix, requestId, ...overrides }: RotationOverrides,
    graceSeconds: number | undefined,
    context: CallContext,
    guard?: TransactionGuard,
  ): Promise<Rotation> {
    return this.changes.commit(context, async (sql, record) => {
      // A concurrent request with the same ID waits here, and finds the key of the first.
      const before = await this.keys.findForUpdate(sql, keyId);
      const first = before && (await this.repeated(requestId, sql));
      if (first) return { key: first, secret: '', oldKey: before };
      await guard?.(sql);
      if (before?.kind !== 'issued') throw new DomainError(KeyErrors.API_KEY_NOT_FOUND);
      const visibility = overrides.visibility ?? before.visibility;
      const { secret, identity } = this.minter.mint(
        visibility,
        prefix ?? this.minter.inheritedPrefix(visibility, before.keyPreview),
      );
      const createTime = new Date();
      const aliveUntil =
        graceSeconds === undefined ? null : new Date(createTime.getTime() + graceSeconds * 1000);
      const oldKey = await this.keys.replace(sql, keyId, identity.keyId, aliveUntil);
      if (!oldKey) throw new DomainError(KeyErrors.API_KEY_NOT_ACTIVE);
      // Only the expiry is that of `before`: the grace period has shortened it in the row.
      const inherited = {
        name: oldKey.name,
        actorId: oldKey.actorId,
        scopes: oldKey.scopes,
        metadata: oldKey.metadata,
        tags: oldKey.tags,
        visibility: oldKey.visibility,
        rateLimitPolicy: oldKey.rateLimitPolicy,
        rateLimits: oldKey.rateLimits,
        creditAccount: oldKey.creditAccount,
        allowedCidrs: oldKey.allowedCidrs,
        expiringThresholds: oldKey.expiringThresholds,
        expireTime: before.expireTime,
      };
      const fields = { ...inherited, ...overrides };
      requireGrant({ kind: 'issued', ...fields, former: oldKey.scopes }, context);
      const [key] = await this.keys.insert(sql, [
        { ...fields, ...identity, requestId: requestId ?? null, createTime, rotatedFrom: keyId },
      ]);
      if (!key) throw new Error('a new key id was already taken');
      const details = graceSeconds === undefined ? {} : { grace_period: `${graceSeconds}s` };
      record({ type: KeyEvents.rotated, key, oldKeyId: keyId, details });
      return { key, secret, oldKey };
    });
  }

  private async repeated(
    requestId: string | undefined,
    sql: SqlExecutor,
  ): Promise<KeyRecord | undefined> {
    if (requestId === undefined) return undefined;
    return (await this.keys.findByRequestIds([requestId], sql)).get(requestId);
  }
}

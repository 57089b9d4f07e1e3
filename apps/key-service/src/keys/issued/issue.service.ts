import { Injectable } from '@nestjs/common';
import { KeyEvents } from '@gatehouse/schemas';
import { type CallContext } from '../../api/call-context.js';
import { requireGrant } from '../grants.js';
import { KeyChanges, type TransactionGuard } from '../key-changes.js';
import { type IssueInput } from '../key-input.js';
import { KeyLimit } from '../key-limit.js';
import { type KeyRecord } from '../../store/keys/key.record.js';
import { KeysRepository } from '../../store/keys/keys.repository.js';
import { SecretMinter } from '../secret-minter.js';
import { KeyErrors } from '../../errors.js';
import { DomainError } from '@gatehouse/kit/errors';
import { type SqlExecutor } from '@gatehouse/kit/sql';

export interface IssuedKey {
  readonly key: KeyRecord;
  /** '' for a repeated request: the secret is returned once and not stored. */
  readonly secret: string;
}

@Injectable()
export class IssueService {
  constructor(
    private readonly changes: KeyChanges,
    private readonly keys: KeysRepository,
    private readonly limit: KeyLimit,
    private readonly minter: SecretMinter,
  ) {}

  /**
   * Issues a key. A repeated request_id returns the key of the first request without its secret.
   *
   * @param guard refuses by throwing, within the transaction
   */
  async issue(
    input: IssueInput,
    context: CallContext,
    guard?: TransactionGuard,
  ): Promise<IssuedKey> {
    requireGrant({ kind: 'issued', ...input }, context);
    const { ttlSeconds, prefix, ...fields } = input;
    const { secret, identity } = this.minter.mint(input.visibility, prefix);
    const createTime = new Date();
    const expireTime = this.minter.expireTime(createTime, ttlSeconds);
    const made = await this.changes.commit(context, async (sql, record) => {
      if (await this.repeated(input, sql)) return undefined;
      await guard?.(sql);
      const { left, error } = await this.limit.room(sql);
      if (left < 1 && error) throw error;
      const [key] = await this.keys.insert(sql, [
        { ...fields, ...identity, createTime, expireTime },
      ]);
      if (key) record({ type: KeyEvents.issued, key, details: { name: key.name } });
      return key;
    });
    if (made) return { key: made, secret };
    const first = await this.repeated(input);
    if (first?.kind !== 'issued') throw new DomainError(KeyErrors.REQUEST_ID_TAKEN);
    requireGrant({ ...first, former: first.scopes }, context);
    return { key: first, secret: '' };
  }

  private async repeated(
    { requestId }: IssueInput,
    sql?: SqlExecutor,
  ): Promise<KeyRecord | undefined> {
    if (requestId === null) return undefined;
    return (await this.keys.findByRequestIds([requestId], sql)).get(requestId);
  }
}

import { Injectable } from '@nestjs/common';
import { KeyEvents } from '@gatehouse/schemas';
import { type CallContext } from '../../api/call-context.js';
import { requireGrant } from '../grants.js';
import { KeyChanges, type TransactionGuard } from '../key-changes.js';
import { type IssueInput, type KeyInput, type TrustInput } from '../key-input.js';
import { KeyLimit } from '../key-limit.js';
import { type KeyRecord, type NewKey } from '../../store/keys/key.record.js';
import { TRUST_RULES_MAX } from '../../store/keys/keys.sql.js';
import { KeysRepository } from '../../store/keys/keys.repository.js';
import { type KeyIdentity, SecretMinter } from '../secret-minter.js';
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
    const { prefix, ...fields } = input;
    const { secret, identity } = this.minter.mint(input.visibility, prefix);
    const { key, isNew } = await this.add({ ...fields, ...identity }, context, guard);
    return { key, secret: isNew ? secret : '' };
  }

  /** Creates a trust rule. A repeated request_id returns the first one. */
  async createTrustRule(input: TrustInput, context: CallContext): Promise<KeyRecord> {
    const identity = this.minter.withoutSecret('trust');
    const { key } = await this.add({ ...input, ...identity }, context, async (sql) => {
      const rules = await this.keys.listTrustRules(sql);
      if (rules.length >= TRUST_RULES_MAX) {
        throw new DomainError(KeyErrors.TRUST_RULES_LIMIT_REACHED);
      }
    });
    return key;
  }

  private async add(
    input: KeyInput & KeyIdentity & Pick<NewKey, 'trust'>,
    context: CallContext,
    guard?: TransactionGuard,
  ): Promise<{ key: KeyRecord; isNew: boolean }> {
    requireGrant(input, context);
    const { ttlSeconds, ...fields } = input;
    const createTime = new Date();
    const expireTime = this.minter.expireTime(createTime, ttlSeconds);
    const made = await this.changes.commit(context, async (sql, record) => {
      if (await this.repeated(input, sql)) return undefined;
      await guard?.(sql);
      const { left, error } = await this.limit.room(sql);
      if (left < 1 && error) throw error;
      const [key] = await this.keys.insert(sql, [{ ...fields, createTime, expireTime }]);
      if (key) record({ type: KeyEvents.issued, key, details: { name: key.name } });
      return key;
    });
    if (made) return { key: made, isNew: true };
    const first = await this.repeated(input);
    if (first?.kind !== input.kind) throw new DomainError(KeyErrors.REQUEST_ID_TAKEN);
    requireGrant({ ...first, former: first.scopes }, context);
    return { key: first, isNew: false };
  }

  private async repeated(
    { requestId }: Pick<KeyInput, 'requestId'>,
    sql?: SqlExecutor,
  ): Promise<KeyRecord | undefined> {
    if (requestId === null) return undefined;
    return (await this.keys.findByRequestIds([requestId], sql)).get(requestId);
  }
}

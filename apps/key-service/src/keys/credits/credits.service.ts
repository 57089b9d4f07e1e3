import { KeyEvents } from '@gatehouse/schemas';
import { DomainError } from '@gatehouse/kit/errors';
import { uuidv7 } from '@gatehouse/kit/ids';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { Injectable } from '@nestjs/common';
import { type Credits } from '../../store/credits/credit.types.js';
import { CreditSpender } from '../../store/credits/credit-spender.js';
import { CreditsRepository } from '../../store/credits/credits.repository.js';
import { KeyErrors } from '../../errors.js';
import { type KeyRecord } from '../../store/keys/key.record.js';
import { KeysRepository } from '../../store/keys/keys.repository.js';
import { type CallContext } from '../../api/call-context.js';
import { requireGrant } from '../grants.js';
import { KeyChanges } from '../key-changes.js';

/** Changes the credits of keys, of any status: a balance is worth something also while a key is not. */
@Injectable()
export class CreditsService {
  constructor(
    private readonly changes: KeyChanges,
    private readonly keys: KeysRepository,
    private readonly credits: CreditsRepository,
    private readonly spender: CreditSpender,
  ) {}

  /** Adds to the balance. A repeated request id adds nothing. */
  async add(
    keyId: string,
    amount: number,
    requestId: string | null,
    context: CallContext,
  ): Promise<KeyRecord> {
    return this.change(keyId, context, async (sql, { creditAccount }) => {
      if (creditAccount === null) throw new DomainError(KeyErrors.API_KEY_WITHOUT_CREDITS);
      const outcome = await this.credits.add(sql, creditAccount, amount, requestId);
      if (outcome === 'full') throw new DomainError(KeyErrors.CREDITS_LIMIT_REACHED);
      return outcome === 'added';
    });
  }

  /** Replaces the balance and its refill. A key without credits gets a balance of its own. */
  async set(keyId: string, credits: Credits, context: CallContext): Promise<KeyRecord> {
    return this.change(keyId, context, async (sql, { creditAccount, replacedBy }) => {
      // The successor of a key may spend the balance that has its id.
      const accountId = creditAccount ?? (replacedBy === '' ? keyId : uuidv7());
      await this.credits.set(sql, accountId, credits);
      if (creditAccount === null) await this.keys.setCreditAccount(sql, keyId, accountId);
      return true;
    });
  }

  /** Lets the key be verified without credits. Other keys of the balance keep it. */
  async remove(keyId: string, context: CallContext): Promise<KeyRecord> {
    return this.change(keyId, context, async (sql, { creditAccount }) => {
      if (creditAccount !== null) await this.keys.setCreditAccount(sql, keyId, null);
      return creditAccount !== null;
    });
  }

  /** @param work returns whether it has changed anything */
  private async change(
    keyId: string,
    context: CallContext,
    work: (sql: SqlExecutor, key: KeyRecord) => Promise<boolean>,
  ): Promise<KeyRecord> {
    const changed = await this.changes.commit(context, async (sql, record) => {
      const before = await this.keys.findForUpdate(sql, keyId);
      if (!before) throw new DomainError(KeyErrors.API_KEY_NOT_FOUND);
      requireGrant({ ...before, former: before.scopes }, context);
      if (!(await work(sql, before))) return before;
      const key = (await this.keys.find(keyId, sql)) ?? before;
      record({ type: KeyEvents.updated, key, details: { fields: ['credits'] } });
      return key;
    });
    if (changed.creditAccount !== null) this.spender.allow(changed.creditAccount);
    return changed;
  }
}

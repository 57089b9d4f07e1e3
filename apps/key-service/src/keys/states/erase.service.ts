import { Injectable } from '@nestjs/common';
import { KeyEvents } from '@gatehouse/schemas';
import { DomainError } from '@gatehouse/kit/errors';
import { KeyErrors } from '../../errors.js';
import { type KeyRecord, statusOf } from '../../store/keys/key.record.js';
import { KeysRepository } from '../../store/keys/keys.repository.js';
import { type CallContext } from '../../api/call-context.js';
import { KeyChanges } from '../key-changes.js';

/**
 * Removes the personal data of a key that has ended. The record stays, so that its credential is still
 * answered as revoked or expired; `PersonalDataErasure` removes the data from everything else.
 */
@Injectable()
export class EraseService {
  constructor(
    private readonly changes: KeyChanges,
    private readonly keys: KeysRepository,
  ) {}

  async erase(keyId: string, context: CallContext): Promise<KeyRecord> {
    return this.changes.commit(context, async (sql, record) => {
      const before = await this.keys.findForUpdate(sql, keyId);
      if (!before) throw new DomainError(KeyErrors.API_KEY_NOT_FOUND);
      const status = statusOf(before);
      if (status !== 'KEY_STATUS_REVOKED' && status !== 'KEY_STATUS_EXPIRED') {
        throw new DomainError(KeyErrors.API_KEY_NOT_ENDED);
      }
      const key = await this.keys.erase(sql, keyId);
      record({ type: KeyEvents.erased, key });
      return key;
    });
  }
}

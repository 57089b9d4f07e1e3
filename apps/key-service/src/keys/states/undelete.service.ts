import { Injectable } from '@nestjs/common';
import { KeyEvents } from '@gatehouse/schemas';
import { DomainError } from '@gatehouse/kit/errors';
import { KeyErrors } from '../../errors.js';
import { type KeyRecord, statusOf } from '../../store/keys/key.record.js';
import { KeysRepository } from '../../store/keys/keys.repository.js';
import { type CallContext } from '../../api/call-context.js';
import { requireGrant } from '../grants.js';
import { KeyChanges } from '../key-changes.js';
import { KeyLimit } from '../key-limit.js';

/**
 * Takes back a revocation by an administrator, within the hour after it. Not one for exposure, by the
 * holder or by a rotation: what others know, or what another key has replaced, stays revoked.
 */
@Injectable()
export class UndeleteService {
  constructor(
    private readonly changes: KeyChanges,
    private readonly keys: KeysRepository,
    private readonly limit: KeyLimit,
  ) {}

  async undelete(keyId: string, context: CallContext): Promise<KeyRecord> {
    return this.changes.commit(context, async (sql, record) => {
      const before = await this.keys.findForUpdate(sql, keyId);
      if (!before) throw new DomainError(KeyErrors.API_KEY_NOT_FOUND);
      requireGrant({ ...before, former: before.scopes }, context);
      if (statusOf(before) !== 'KEY_STATUS_REVOKED') {
        throw new DomainError(KeyErrors.API_KEY_NOT_REVOKED);
      }
      const { left, error } = await this.limit.room(sql);
      if (left < 1 && error) throw error;
      const key = await this.keys.undelete(sql, keyId);
      if (!key) throw new DomainError(KeyErrors.REVOCATION_FINAL);
      record({ type: KeyEvents.undeleted, key });
      return key;
    });
  }
}

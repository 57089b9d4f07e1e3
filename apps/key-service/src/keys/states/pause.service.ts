import { Injectable } from '@nestjs/common';
import { KeyEvents } from '@gatehouse/schemas';
import { DomainError } from '@gatehouse/kit/errors';
import { KeyErrors } from '../../errors.js';
import { type KeyRecord, statusOf } from '../../store/keys/key.record.js';
import { KeysRepository } from '../../store/keys/keys.repository.js';
import { type CallContext } from '../../api/call-context.js';
import { requireGrant } from '../grants.js';
import { KeyChanges } from '../key-changes.js';

/** Pauses and resumes keys. Both are idempotent, and refused for a key that has ended. */
@Injectable()
export class PauseService {
  constructor(
    private readonly changes: KeyChanges,
    private readonly keys: KeysRepository,
  ) {}

  async pause(keyId: string, context: CallContext): Promise<KeyRecord> {
    return this.changes.commit(context, async (sql, record) => {
      const before = endless(await this.keys.findForUpdate(sql, keyId));
      // From now on, the return of a person does not resume it.
      if (before.pauseTime !== null && before.leaver === null) return before;
      const key = await this.keys.setPaused(sql, keyId, true);
      record({ type: KeyEvents.paused, key });
      return key;
    });
  }

  /** Gives access back, so it needs the same rights as granting the scopes of the key. */
  async resume(keyId: string, context: CallContext): Promise<KeyRecord> {
    return this.changes.commit(context, async (sql, record) => {
      const before = endless(await this.keys.findForUpdate(sql, keyId));
      requireGrant({ ...before, former: before.scopes }, context);
      if (before.pauseTime === null) return before;
      const key = await this.keys.setPaused(sql, keyId, false);
      record({ type: KeyEvents.resumed, key });
      return key;
    });
  }
}

/** @throws DomainError if the key does not exist, is revoked or has expired */
function endless(key: KeyRecord | undefined): KeyRecord {
  if (!key) throw new DomainError(KeyErrors.API_KEY_NOT_FOUND);
  const status = statusOf(key);
  if (status === 'KEY_STATUS_REVOKED') throw new DomainError(KeyErrors.API_KEY_ALREADY_REVOKED);
  if (status === 'KEY_STATUS_EXPIRED') throw new DomainError(KeyErrors.API_KEY_NOT_ACTIVE);
  return key;
}

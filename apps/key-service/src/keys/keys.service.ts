import { Inject, Injectable } from '@nestjs/common';
import { type KeyRing } from '@gatehouse/crypto';
import { KeyEvents } from '@gatehouse/schemas';
import { DomainError } from '@gatehouse/kit/errors';
import { type InputReader } from '@gatehouse/kit/input';
import { type Page, type PageRequest, PageTokens, readPageRequest } from '@gatehouse/kit/paging';
import { HMAC_RING } from '../key-rings.js';
import { type CallContext } from '../api/call-context.js';
import { requireGrant } from './grants.js';
import { KeyChanges } from './key-changes.js';
import { type KeyKind } from '../store/keys/key.types.js';
import {
  type KeyFilter,
  type KeyRecord,
  type KeyUpdate,
  positionOf,
} from '../store/keys/key.record.js';
import { readKeyFilter } from './key-filter.js';
import { KeysRepository } from '../store/keys/keys.repository.js';
import { type RefusalView, RefusalsRepository } from '../store/refusals/refusals.repository.js';
import { KeyErrors } from '../errors.js';

/** Reads, lists and updates keys of one kind. */
@Injectable()
export class KeysService {
  private readonly pageTokens: PageTokens;

  constructor(
    @Inject(HMAC_RING) ring: KeyRing,
    private readonly changes: KeyChanges,
    private readonly keys: KeysRepository,
    private readonly refusals: RefusalsRepository,
  ) {
    this.pageTokens = PageTokens.fromRing(ring);
  }

  async get(kind: KeyKind, keyId: string): Promise<KeyRecord> {
    const key = await this.keys.find(keyId);
    if (key?.kind !== kind) throw new DomainError(KeyErrors.API_KEY_NOT_FOUND);
    return key;
  }

  async list(kind: KeyKind, query: InputReader): Promise<Page<KeyRecord>> {
    const page = readPageRequest(query);
    const filter = readKeyFilter(query.string('filter'), kind);
    query.throwIfInvalid();
    return this.page(kind, filter, page);
  }

  page(kind: KeyKind, filter: KeyFilter, page: PageRequest): Promise<Page<KeyRecord>> {
    return this.pageTokens.page(JSON.stringify([kind, filter]), page, {
      fetch: (after, limit) => this.keys.list({ kind, filter, after, limit }),
      positionOf: (key) => positionOf(key, filter),
    });
  }

  /** Why a key of any kind was refused, the last refusal first. */
  async refusalsOf(keyId: string): Promise<RefusalView[]> {
    if (!(await this.keys.find(keyId))) throw new DomainError(KeyErrors.API_KEY_NOT_FOUND);
    return this.refusals.list(keyId);
  }

  /** Sets the given fields; without any, the key stays unchanged. */
  async update(
    kind: KeyKind,
    keyId: string,
    update: KeyUpdate,
    context: CallContext,
  ): Promise<KeyRecord> {
    const fields = Object.keys(update);
    return this.changes.commit(context, async (sql, record) => {
      const before = await this.keys.findForUpdate(sql, keyId);
      if (before?.kind !== kind) throw new DomainError(KeyErrors.API_KEY_NOT_FOUND);
      const { visibility, scopes: former } = before;
      const scopes = update.scopes ?? former;
      requireGrant({ kind, visibility, scopes, former }, context);
      if (fields.length === 0) return before;
      const key = await this.keys.update(sql, kind, keyId, update);
      if (!key) throw new DomainError(KeyErrors.API_KEY_NOT_FOUND);
      record({ type: KeyEvents.updated, key, details: { fields } });
      return key;
    });
  }
}

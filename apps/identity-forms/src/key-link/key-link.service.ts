import { adminEventOf } from '@gatehouse/kit/audit';
import { type CallContext } from '@gatehouse/kit/clients';
import { DomainError } from '@gatehouse/kit/errors';
import { LINK_ACTIONS } from '@gatehouse/schemas';
import { Injectable } from '@nestjs/common';
import { FormsErrors } from '../errors.js';
import { bodyReader, STRICT } from '../http/json-body.js';
import { KeyLinkRepository, type KeyLinkRow } from './key-link.repository.js';

const PREFIX = { max: 128 };

/** Which actors of keys the identities are, and what happens to their keys when they are deleted. */
@Injectable()
export class KeyLinkService {
  constructor(private readonly links: KeyLinkRepository) {}

  /** @throws DomainError `not_found` */
  async get(): Promise<KeyLinkRow> {
    const link = await this.links.find();
    if (!link) throw new DomainError(FormsErrors.KEY_LINK_NOT_FOUND);
    return link;
  }

  /** Makes or replaces the link. @throws DomainError 400 */
  put(body: unknown, call: CallContext): Promise<KeyLinkRow> {
    const input = bodyReader(body, STRICT);
    const link = {
      actor_prefix: input.text('actor_prefix', PREFIX),
      on_delete:
        input.oneOf('on_delete', LINK_ACTIONS) ??
        input.addViolation('on_delete', 'is required', 'off'),
    };
    input.throwIfInvalid();
    const details = { fields: Object.keys(body as object) };
    return this.links.put(link, adminEventOf({ type: 'key_link.updated', details }, call));
  }

  /** Keys stay as they are. @throws DomainError `not_found` */
  async delete(call: CallContext): Promise<void> {
    const isDeleted = await this.links.delete(adminEventOf({ type: 'key_link.deleted' }, call));
    if (!isDeleted) throw new DomainError(FormsErrors.KEY_LINK_NOT_FOUND);
  }
}

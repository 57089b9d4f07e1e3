import { Injectable } from '@nestjs/common';
import { type CallContext } from '../../api/call-context.js';
import { KeysRepository } from '../../store/keys/keys.repository.js';
import { type IssueInput } from '../key-input.js';
import { IssueService } from './issue.service.js';

/** A person or program with access to the process and its settings. */
const OPERATOR: CallContext = {
  caller: 'operator',
  ip: '',
  requestId: '',
  admin: { kind: 'static-key', id: 'operator' },
};

const ADMIN_KEY: IssueInput = {
  name: 'Administrator',
  actorId: 'operator',
  scopes: ['keys:admin', 'dsync:admin', 'forms:admin'],
  // It does not expire: there may be no other way in.
  ttlSeconds: 0,
  metadata: {},
  tags: [],
  rateLimitPolicy: null,
  rateLimits: [],
  allowedCidrs: [],
  expiringThresholds: null,
  visibility: 'KEY_VISIBILITY_SECRET',
  prefix: undefined,
  requestId: null,
};

/** Issues keys that administer all services, to an operator. */
@Injectable()
export class AdminKeys {
  constructor(
    private readonly keys: KeysRepository,
    private readonly issuing: IssueService,
  ) {}

  /** @returns the secret of a new key */
  async issue(): Promise<string> {
    const { secret } = await this.issuing.issue(ADMIN_KEY, OPERATOR);
    return secret;
  }

  /** Issues the first key of a database. @returns its secret; undefined if there are keys, or were */
  async issueFirst(): Promise<string | undefined> {
    if (await this.keys.hasAny()) return undefined;
    // Of several processes, one gets the secret.
    const first = { ...ADMIN_KEY, requestId: 'first-admin-key' };
    const { secret } = await this.issuing.issue(first, OPERATOR);
    return secret || undefined;
  }
}

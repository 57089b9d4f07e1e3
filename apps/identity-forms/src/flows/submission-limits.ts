/**
 * Limits how often forms are submitted: by client address, by flow, and by identifier. They slow
 * down programs that probe which identifiers exist, or that fill the tables.
 */
import { createHash } from 'node:crypto';
import { ClientAddresses, clientNetwork } from '@gatehouse/kit/clients';
import { DomainError, KitErrors } from '@gatehouse/kit/errors';
import { type Exchange, type WindowCounter } from '@gatehouse/kit/exchange';
import { EXCHANGE } from '@gatehouse/nest-kit/exchange';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { IdentityFormsConfig } from '../config.js';
import { FormsErrors } from '../errors.js';
import { type ValidatedTraits } from '../identities/validated-traits.js';
import { type Flow } from './flow.types.js';

/** Within which submissions are counted. */
const WINDOW_MS = 600_000;

type Subject = 'address' | 'flow' | 'identifier';

@Injectable()
export class SubmissionLimits {
  private readonly counter: WindowCounter;
  private readonly quotas: Readonly<Record<Subject, number>>;

  constructor(
    private readonly config: IdentityFormsConfig,
    private readonly addresses: ClientAddresses,
    @Inject(EXCHANGE) { counters }: Exchange,
  ) {
    this.counter = counters.windows('forms:submissions:', config.submissions.onError);
    this.quotas = {
      address: config.submissions.perAddress,
      flow: config.submissions.perFlow,
      identifier: config.submissions.perIdentifier,
    };
  }

  /** Counts a submission, before its form is read. @throws DomainError `rate_limited` */
  async countSubmission(request: FastifyRequest, flow: Flow): Promise<void> {
    const address = this.addresses.peerOf(request);
    await Promise.all([
      this.count('address', clientNetwork(address ?? 'unknown')),
      this.count('flow', flow.id),
    ]);
  }

  /** Counts the identifiers of a valid form, before they are compared. @throws as above */
  async countIdentifiers({ schemaId, identifiers }: ValidatedTraits): Promise<void> {
    const keys = new Set(identifiers.map(({ value }) => `${schemaId}:${value}`));
    await Promise.all([...keys].map((key) => this.count('identifier', key)));
  }

  private async count(subject: Subject, key: string): Promise<void> {
    const quota = this.quotas[subject];
    if (quota === 0) return;
    // Redis gets no personal data.
    const digest = createHash('sha256').update(key).digest('base64url').slice(0, 22);
    const counted = await this.counter.count(`${subject}:${digest}`, WINDOW_MS);
    if (!counted) {
      if (this.config.submissions.onError === 'open') return;
      throw new DomainError(KitErrors.UNAVAILABLE, { retryAfterSeconds: 1 });
    }
    if (counted.count <= BigInt(quota)) return;
    throw new DomainError(FormsErrors.TOO_MANY_SUBMISSIONS, {
      retryAfterSeconds: Math.max(1, Math.ceil(counted.leftMs / 1000)),
      metadata: { limit: String(quota), by: subject },
    });
  }
}

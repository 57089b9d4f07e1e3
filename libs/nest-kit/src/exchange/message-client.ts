import { DomainError, KitErrors } from '@gatehouse/kit/errors';
import { type Exchange, NoReplyError } from '@gatehouse/kit/exchange';
import { type MessagePayloads } from '@gatehouse/schemas';
import { Inject, Injectable } from '@nestjs/common';
import { EXCHANGE } from './exchange.token.js';

const DEFAULT_TIMEOUT_MS = 2_000;
/** More requests than this at once are refused: each holds memory here and work elsewhere. */
const REQUESTS_MAX = 500;

type PayloadsByPattern = Record<string, { request: unknown; reply: unknown }>;

/** Sends requests to other services. */
@Injectable()
export class MessageClient<Payloads extends PayloadsByPattern = MessagePayloads> {
  private pending = 0;

  constructor(@Inject(EXCHANGE) private readonly exchange: Pick<Exchange, 'messages'>) {}

  /** @throws DomainError `unavailable` if it cannot be sent, `deadline_exceeded` without a response */
  async request<Pattern extends keyof Payloads & string>(
    pattern: Pattern,
    payload: Payloads[Pattern]['request'],
    { timeoutMs = DEFAULT_TIMEOUT_MS }: { timeoutMs?: number } = {},
  ): Promise<Payloads[Pattern]['reply']> {
    if (this.pending >= REQUESTS_MAX) throw unreachable();
    this.pending += 1;
    try {
      return await this.exchange.messages.request(pattern, payload, timeoutMs);
    } catch (cause) {
      if (cause instanceof NoReplyError) {
        throw new DomainError(KitErrors.NO_ANSWER, { cause });
      }
      throw unreachable(cause);
    } finally {
      this.pending -= 1;
    }
  }
}

function unreachable(cause?: unknown): DomainError {
  const message = 'A service cannot be reached.';
  return new DomainError(KitErrors.UNAVAILABLE, { message, cause, retryAfterSeconds: 1 });
}

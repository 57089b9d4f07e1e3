/** Sends signed webhooks to one endpoint. */
import { randomUUID } from 'node:crypto';
import { type WebhookKeys, webhookKeys } from '@gatehouse/crypto';
import {
  type OutboundClient,
  OutboundError,
  type Received,
  recordAnswer,
  requestAttributes,
} from '@gatehouse/kit/outbound';
import { continuedTraceparent, inContinuation } from '@gatehouse/kit/tracing';
import { type Span } from '@opentelemetry/api';
import { LRUCache } from 'lru-cache';
import { webhookHeaders } from '../signing/webhook-headers.js';
import { type DeliverySystem } from '../system.js';
import { type Verdict, verdictOf } from './endpoint-health.js';
import { type Attempt, type LeasedEndpoint } from './lane.types.js';

const LOGGED_RESPONSE_BYTES = 2_048;
/** Endpoints whose opened secrets stay in memory. */
const OPENED_MAX = 5_000;

/** The endpoint data that a sender needs. */
export type Receiver = Pick<
  LeasedEndpoint,
  'id' | 'url' | 'secretSealed' | 'previousSecretSealed' | 'headersSealed' | 'logsAttempts'
>;

export interface Message {
  /** The same for every attempt. */
  id: string;
  body: string;
  /** The number of events in the body. */
  events: number;
  /** The traces in which these were logged. */
  traceparents: readonly (string | null)[];
}

export interface Sent {
  verdict: Verdict;
  attempt: Attempt;
  retryAfter: string | undefined;
}

/** The decrypted secrets, as keys, and headers of an endpoint. */
interface Opened {
  keys: readonly WebhookKeys[];
  headers: Readonly<Record<string, string>>;
}

export class Sender {
  /** By what was sealed, so that changed secrets and headers count at once. */
  private readonly opened = new LRUCache<string, Opened>({ max: OPENED_MAX });

  constructor(
    private readonly system: Pick<DeliverySystem, 'open'>,
    private readonly outbound: OutboundClient,
    private readonly timeoutMs: number,
  ) {}

  /**
   * POSTs a message once, in the trace of its first event that has one.
   *
   * @throws OutboundClosed if the client was closed meanwhile, which says nothing of the endpoint
   */
  send(receiver: Receiver, message: Message): Promise<Sent> {
    return inContinuation({ name: 'POST', kind: 'client' }, message.traceparents, (span) => {
      const { id, events } = message;
      const counts = { 'messaging.batch.message_count': events, 'gatehouse.webhook.id': id };
      span?.setAttributes({ ...requestAttributes('POST', receiver.url), ...counts });
      return this.post(receiver, message, span);
    });
  }

  private async post(
    receiver: Receiver,
    { id, body, traceparents }: Message,
    span: Span | undefined,
  ): Promise<Sent> {
    const startedAt = performance.now();
    const at = new Date();
    const bytes = Buffer.from(body);
    const { keys, headers: own } = this.openedOf(receiver);
    const traceparent = continuedTraceparent(traceparents);
    const headers = {
      ...own,
      ...webhookHeaders(id, bytes, keys),
      ...(traceparent === undefined ? {} : { traceparent }),
    };
    let answer: Received | undefined;
    let error: string | null = null;
    try {
      answer = await this.outbound.post(receiver.url, headers, bytes, this.timeoutMs);
    } catch (thrown) {
      if (!(thrown instanceof OutboundError)) throw thrown;
      error = thrown.message;
    }
    const verdict = verdictOf(answer);
    recordAnswer(span, answer?.status);
    if (answer && verdict !== 'delivered') error = `the endpoint answered ${answer.status}`;
    const { logsAttempts } = receiver;
    const attempt = {
      url: receiver.url,
      at,
      statusCode: answer?.status ?? null,
      durationMs: Math.round(performance.now() - startedAt),
      error,
      payload: logsAttempts ? body : null,
      response: logsAttempts && answer ? cleanText(answer.text) : null,
    };
    const retryAfter = answer?.headers['retry-after'];
    return {
      verdict,
      attempt,
      retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    };
  }

  /** Sends a signed `webhook.ping`, which changes nothing at the receiver. */
  ping(receiver: Receiver): Promise<Sent> {
    const id = randomUUID();
    const body = JSON.stringify({
      event: 'webhook.ping',
      data: { endpoint_id: receiver.id },
      id,
      created_at: new Date().toISOString(),
    });
    return this.send(receiver, { id, body, events: 1, traceparents: [] });
  }

  private openedOf(receiver: Receiver): Opened {
    const { id, secretSealed, previousSecretSealed, headersSealed } = receiver;
    const sealed = JSON.stringify([id, secretSealed, previousSecretSealed, headersSealed]);
    let opened = this.opened.get(sealed);
    if (opened === undefined) {
      opened = this.open(receiver);
      this.opened.set(sealed, opened);
    }
    return opened;
  }

  private open({ id, secretSealed, previousSecretSealed, headersSealed }: Receiver): Opened {
    const keys = [secretSealed, previousSecretSealed]
      .filter((sealed) => sealed !== null)
      .map((sealed) => webhookKeys(this.system.open(id, 'secret', sealed)));
    const headers = headersSealed === null ? '{}' : this.system.open(id, 'headers', headersSealed);
    return { keys, headers: JSON.parse(headers) as Record<string, string> };
  }
}

/** The start of a response, without the NUL characters that PostgreSQL cannot store. */
function cleanText(text: string): string {
  const start = Buffer.from(text).subarray(0, LOGGED_RESPONSE_BYTES).toString('utf8');
  return start.replaceAll('\0', '');
}

import { randomBytes } from 'node:crypto';
import { type ReceivedWebhook, startWebhookReceiver } from '@gatehouse/testing';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

export interface SyncEvent {
  id: string;
  event: string;
  sequence: number;
  data: Record<string, unknown>;
  previous?: Record<string, unknown>;
}

const TIMEOUT_MS = 15_000;

export interface Receiver {
  readonly url: string;
  readonly secret: string;
  /** While it is, all requests are answered 503. */
  isDown: boolean;
  close(): Promise<void>;
  /** Resolves to the next accepted events, in the order of their arrival. */
  next(count: number): Promise<ReceivedEvent[]>;
  /** The number of webhooks that no step expected, or whose signature was wrong. */
  unexpected(): number;
}

export interface ReceivedEvent {
  event: SyncEvent;
  id: string | string[] | undefined;
  /** Whether a changed copy of it is refused. */
  refusesChange: boolean;
}

/**
 * A webhook receiver as a customer writes one: it checks each signature with the public library
 * and answers 204, or 400 when the signature is wrong.
 */
export async function startReceiver(): Promise<Receiver> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const webhook = new Webhook(secret);
  const receiver = await startWebhookReceiver();
  const accepted: ReceivedWebhook[] = [];
  const refused: ReceivedWebhook[] = [];
  let taken = 0;
  const isSigned = (body: string, headers: ReceivedWebhook['headers']) => {
    try {
      webhook.verify(body, headers as Record<string, string>);
      return true;
    } catch (error) {
      if (error instanceof WebhookVerificationError) return false;
      throw error;
    }
  };
  receiver.respond((one) => {
    if (started.isDown) return { status: 503 };
    const isAccepted = isSigned(one.body, one.headers);
    (isAccepted ? accepted : refused).push(one);
    return { status: isAccepted ? 204 : 400 };
  });
  const started: Receiver = {
    isDown: false,
    url: `${receiver.url}/events`,
    secret,
    close: () => receiver.close(),
    next: async (count) => {
      await receiver.waitFor(() => accepted.length >= taken + count, TIMEOUT_MS);
      const next = accepted.slice(taken, taken + count);
      taken += count;
      return next.map(({ body, headers }) => ({
        event: JSON.parse(body) as SyncEvent,
        id: headers['webhook-id'],
        refusesChange: !isSigned(body.replace('"event"', '"Event"'), headers),
      }));
    },
    unexpected: () => accepted.length - taken + refused.length,
  };
  return started;
}

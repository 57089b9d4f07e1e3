import { randomBytes } from 'node:crypto';
import { type ReceivedWebhook, startWebhookReceiver } from '@gatehouse/testing';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

export interface SyncEvent {
  id: string;
  event: string;
  sequence: string;
  data: Record<string, unknown>;
  previous?: Record<string, unknown>;
}

const TIMEOUT_MS = 15_000;

/**
 * A webhook receiver as a customer writes one: it checks each signature with the public library
 * and answers 204, or 400 when the signature is wrong.
 */
export async function startReceiver() {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const webhook = new Webhook(secret);
  const receiver = await startWebhookReceiver();
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
    if (isSigned(one.body, one.headers)) return { status: 204 };
    refused.push(one);
    return { status: 400 };
  });
  return {
    url: `${receiver.url}/events`,
    secret,
    close: () => receiver.close(),
    /** Resolves to the next events, in the order of their arrival. */
    next: async (count: number) => {
      const all = await receiver.waitFor(taken + count, TIMEOUT_MS);
      const next = all.slice(taken, taken + count);
      taken += count;
      return next.map(({ body, headers }) => ({
        event: JSON.parse(body) as SyncEvent,
        id: headers['webhook-id'],
        /** Whether a changed copy of it is refused. */
        refusesChange: !isSigned(body.replace('"event"', '"Event"'), headers),
      }));
    },
    /** The number of webhooks that no step expected, or whose signature was wrong. */
    unexpected: () => receiver.received.length - taken + refused.length,
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

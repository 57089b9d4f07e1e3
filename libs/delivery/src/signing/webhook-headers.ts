import { signPolisWebhook, signStandardWebhook, type WebhookKeys } from '@gatehouse/crypto';

const USER_AGENT = 'Gatehouse/1.0';

/**
 * Headers of a webhook: those of Standard Webhooks, and the signature under the two names that
 * receivers of Ory Polis and BoxyHQ expect. All keys sign, so a receiver may use any of them.
 *
 * @param body the exact request body
 */
export function webhookHeaders(
  id: string,
  body: string | Uint8Array,
  keys: readonly WebhookKeys[],
  nowMs = Date.now(),
): Record<string, string> {
  const headers = { 'content-type': 'application/json', 'user-agent': USER_AGENT };
  if (keys.length === 0) return headers;
  const polis = signPolisWebhook({ timestampMs: nowMs, body, keys });
  return {
    ...headers,
    ...signStandardWebhook({ id, timestampSeconds: Math.floor(nowMs / 1000), body, keys }),
    'boxyhq-signature': polis,
    'ory-polis-signature': polis,
  };
}

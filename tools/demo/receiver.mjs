// @ts-check
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { until } from './http.mjs';

/**
 * @typedef {object} Received
 * @property {any} event
 * @property {string} text
 * @property {Record<string, string>} headers
 */

/**
 * A webhook receiver as a customer writes one: it checks each signature with the public library
 * and answers 204, or 400 when the signature is wrong.
 */
export async function startReceiver() {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const webhook = new Webhook(secret);
  /** @type {Received[]} */
  const received = [];
  /** @type {string[]} */
  const refused = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      const headers = /** @type {Record<string, string>} */ (request.headers);
      try {
        const event = webhook.verify(text, headers);
        received.push({ event, text, headers });
        response.writeHead(204).end();
      } catch (error) {
        refused.push(error instanceof Error ? error.message : String(error));
        response.writeHead(400).end();
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  let taken = 0;
  return {
    url: `http://127.0.0.1:${port}/events`,
    secret,
    refused,
    /** @param {Received} one whether a changed copy of it is refused */
    refusesChanged: ({ text, headers }) => {
      try {
        webhook.verify(text.replace('"event"', '"Event"'), headers);
        return false;
      } catch (error) {
        return error instanceof WebhookVerificationError;
      }
    },
    /**
     * The next events, in the order in which they came.
     *
     * @param {number} count
     * @returns {Promise<Received[]>}
     */
    next: async (count) => {
      await until(() => (received.length >= taken + count ? true : undefined), {
        what: `the arrival of ${count} webhooks (${received.length - taken} came, ${refused.length} had a wrong signature)`,
        timeoutMs: 15_000,
      });
      taken += count;
      return received.slice(taken - count, taken);
    },
    /** How many came that nobody asked for. */
    get left() {
      return received.length - taken;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.once('close', resolve));
    },
  };
}

/** @typedef {Awaited<ReturnType<typeof startReceiver>>} Receiver */

import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type SecureContextOptions } from 'node:tls';
import { checkEvent, type SeenEvent } from './events.js';
import { listenOnLoopback } from './loopback.js';

export interface ReceivedWebhook {
  path: string;
  headers: IncomingHttpHeaders;
  /** The exact bytes that were signed, as text. */
  body: string;
  receivedAtMs: number;
  /** The status of the answer, once it has been sent or the connection has ended after its head. */
  answered?: number;
}

export interface WebhookAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  delayMs?: number;
  /** Closes the connection instead of answering. */
  hangUp?: boolean;
  /** Answers in its own way, or never. */
  answerBy?: (response: ServerResponse) => void;
}

export interface WebhookReceiverOptions {
  /** Throws for a wrong event; by default one that does not match its catalog. */
  check?: (event: SeenEvent) => void;
  /** For HTTPS. */
  certificate?: SecureContextOptions;
}

export interface WebhookReceiver {
  url: string;
  received: ReceivedWebhook[];
  /** Sets the answers from now on; the default is 200. */
  respond(answer: (webhook: ReceivedWebhook, index: number) => WebhookAnswer): void;
  /** Presents another certificate from now on. */
  present(certificate: SecureContextOptions): void;
  /**
   * Resolves when that many webhooks have arrived, or when the condition holds. Rejects if one of
   * them was wrong, or if none arrives for `timeoutMs` (default 10 s).
   */
  waitFor(
    condition: number | ((received: ReceivedWebhook[]) => boolean),
    timeoutMs?: number,
  ): Promise<ReceivedWebhook[]>;
  /** Rejects if a webhook was wrong. */
  close(): Promise<void>;
}

/** An HTTP or HTTPS server on loopback that records the webhooks it receives. */
export async function startWebhookReceiver({
  check = checkEvent,
  certificate,
}: WebhookReceiverOptions = {}): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const watchers = new Set<() => void>();
  let fault: Error | undefined;
  let answerOf: (webhook: ReceivedWebhook, index: number) => WebhookAnswer = () => ({});

  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const webhook: ReceivedWebhook = {
        path: request.url ?? '/',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        receivedAtMs: Date.now(),
      };
      received.push(webhook);
      response.once('close', () => {
        if (response.headersSent) webhook.answered = response.statusCode;
      });
      try {
        for (const event of eventsOf(webhook)) check(event);
      } catch (error) {
        fault ??= error as Error;
      }
      const answer = answerOf(webhook, received.length - 1);
      for (const watcher of watchers) watcher();
      if (answer.hangUp) {
        request.socket.destroy();
        return;
      }
      if (answer.answerBy) {
        answer.answerBy(response);
        return;
      }
      setTimeout(() => {
        response.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? '');
      }, answer.delayMs ?? 0);
    });
  };
  const tlsServer = certificate && createTlsServer(certificate, listener);
  const server = tlsServer ?? createServer(listener);
  const port = await listenOnLoopback(server);

  return {
    url: `${tlsServer ? 'https' : 'http'}://127.0.0.1:${port}`,
    received,
    respond: (answer) => {
      answerOf = answer;
    },
    present: (other) => tlsServer?.setSecureContext(other),
    waitFor: (condition, timeoutMs = 10_000) => {
      const isMet = () =>
        typeof condition === 'number' ? received.length >= condition : condition(received);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          watchers.delete(watch);
          reject(new Error(`${received.length} webhooks arrived, then none for ${timeoutMs} ms`));
        }, timeoutMs);
        const watch = () => {
          if (!isMet() && fault === undefined) {
            timer.refresh();
            return;
          }
          clearTimeout(timer);
          watchers.delete(watch);
          if (fault) reject(fault);
          else resolve(received);
        };
        watchers.add(watch);
        watch();
      });
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (fault) throw fault;
    },
  };
}

/** The one event of a request, or those of a batch. */
function eventsOf({ body }: ReceivedWebhook): SeenEvent[] {
  const content = JSON.parse(body) as SeenEvent | SeenEvent[];
  return Array.isArray(content) ? content : [content];
}

import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo } from 'node:net';

export interface ReceivedWebhook {
  path: string;
  headers: IncomingHttpHeaders;
  /** The exact bytes that were signed, as text. */
  body: string;
  receivedAtMs: number;
}

export interface WebhookAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  delayMs?: number;
  /** Closes the connection instead of answering. */
  hangUp?: boolean;
}

export interface WebhookReceiver {
  url: string;
  received: ReceivedWebhook[];
  /** Sets the answers from now on; the default is 200. */
  respond(answer: (webhook: ReceivedWebhook, index: number) => WebhookAnswer): void;
  /** Resolves when that many webhooks have arrived, or when the condition holds. */
  waitFor(
    condition: number | ((received: ReceivedWebhook[]) => boolean),
    timeoutMs?: number,
  ): Promise<ReceivedWebhook[]>;
  close(): Promise<void>;
}

/** An HTTP server on loopback that records the webhooks it receives. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const watchers = new Set<() => void>();
  let answerOf: (webhook: ReceivedWebhook, index: number) => WebhookAnswer = () => ({});

  const server = createServer((request, response) => {
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
      const answer = answerOf(webhook, received.length - 1);
      for (const watcher of watchers) watcher();
      if (answer.hangUp) {
        request.socket.destroy();
        return;
      }
      setTimeout(() => {
        response.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? '');
      }, answer.delayMs ?? 0);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    respond: (answer) => {
      answerOf = answer;
    },
    waitFor: (condition, timeoutMs = 10_000) => {
      const isMet = () =>
        typeof condition === 'number' ? received.length >= condition : condition(received);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          watchers.delete(check);
          reject(new Error(`only ${received.length} webhooks arrived in ${timeoutMs} ms`));
        }, timeoutMs);
        const check = () => {
          if (!isMet()) return;
          clearTimeout(timer);
          watchers.delete(check);
          resolve(received);
        };
        watchers.add(check);
        check();
      });
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

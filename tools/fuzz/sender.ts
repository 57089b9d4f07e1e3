import { Agent, request } from 'node:http';
import { type Answer } from '@gatehouse/testing';
import { type Encoded } from './draft.js';

const TIMEOUT_MS = 20_000;
/** A service may close the connection on a body that is too large while it is being sent. */
const CUT_BODY_BYTES_MIN = 60_000;

export type Outcome = { answer: Answer } | { fault: string } | { unsent: string };

/** Sends requests that other clients would correct or refuse. */
export class Sender {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 16 });

  async send(url: string, encoded: Encoded): Promise<Outcome> {
    try {
      return { answer: await this.exchange(url, encoded) };
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      // The client refuses the request, or an answer to HEAD that the parser gave a body.
      if (/^(ERR|HPE)_/.test(code)) return { unsent: code };
      const isCut = code === 'ECONNRESET' || code === 'EPIPE';
      if (isCut && (encoded.body?.length ?? 0) >= CUT_BODY_BYTES_MIN) return { unsent: code };
      return { fault: `no answer: ${code || message}` };
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private exchange(
    url: string,
    { method, target, headers, body }: Encoded,
    isRepeated = false,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(url);
      const length = body === undefined ? {} : { 'content-length': body.length };
      const sent = request(
        {
          agent: this.agent,
          hostname,
          port,
          method,
          path: target,
          timeout: TIMEOUT_MS,
          headers: { ...headers, ...length },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            const names = new Headers();
            for (const [name, value] of Object.entries(response.headersDistinct)) {
              for (const each of value ?? []) names.append(name, each);
            }
            resolve({
              status: response.statusCode ?? 0,
              headers: names,
              text,
              body: parsed(names, text),
            });
          });
        },
      );
      // A service may end the connection after its answer, while the rest of a body is being sent.
      sent.on('socket', (socket) => socket.off('error', ignore).on('error', ignore));
      sent.on('timeout', () => sent.destroy(new Error(`none within ${TIMEOUT_MS / 1000} s`)));
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The service closed an idle connection at the moment in which it was used again.
        if (sent.reusedSocket && error.code === 'ECONNRESET' && !isRepeated) {
          this.exchange(url, { method, target, headers, body }, true).then(resolve, reject);
        } else reject(error);
      });
      sent.end(body);
    });
  }
}

function ignore(): void {}

function parsed(headers: Headers, text: string): unknown {
  if (text === '') return undefined;
  if (!/\bjson\b/.test(headers.get('content-type') ?? '')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

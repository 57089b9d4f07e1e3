import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { listenOnLoopback } from './loopback.js';

export interface FakeGithubKeys {
  /** Where the keys are published; the path is that of GitHub. */
  url: string;
  /** How often they were read. */
  readonly reads: number;
  /** The headers with which GitHub sends a body. */
  headersFor(body: string | Uint8Array): Record<string, string>;
  /** Signs with a new key from now on; the former ones stay published. */
  rotate(curve?: 'P-256' | 'P-384'): void;
  /** Publishes and signs with a new key alone from now on. */
  withdraw(): void;
  /** Answers in another way from now on; undefined publishes the keys again. */
  answerBy(answer: ((response: ServerResponse) => void) | undefined): void;
  close(): Promise<void>;
}

const PATH = '/meta/public_keys/secret_scanning';

interface PublishedKey {
  id: string;
  pem: string;
  privateKey: KeyObject;
}

/** Publishes keys as GitHub does for its secret scanning partners, and signs with the newest. */
export async function startFakeGithubKeys(): Promise<FakeGithubKeys> {
  const keys: PublishedKey[] = [];
  let reads = 0;
  let answer: ((response: ServerResponse) => void) | undefined;
  const rotate: FakeGithubKeys['rotate'] = (curve = 'P-256') => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: curve });
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    keys.unshift({ id: createHash('sha256').update(pem).digest('hex'), pem, privateKey });
  };
  rotate();
  const server = createServer((request, response) => {
    // GitHub refuses clients that do not name themselves.
    if (request.url !== PATH || !request.headers['user-agent']) {
      response.writeHead(403).end();
      return;
    }
    reads += 1;
    if (answer) return answer(response);
    const list = keys.map(({ id, pem }, index) => ({
      key_identifier: id,
      key: pem,
      is_current: index === 0,
    }));
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify({ public_keys: list }));
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    get reads() {
      return reads;
    },
    headersFor: (body) => {
      const [{ id, privateKey }] = keys as [PublishedKey];
      const signature = sign('sha256', Buffer.from(body), privateKey).toString('base64');
      return {
        'github-public-key-identifier': id,
        'github-public-key-signature': signature,
      };
    },
    rotate,
    withdraw: () => {
      keys.length = 0;
      rotate();
    },
    answerBy: (other) => {
      answer = other;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

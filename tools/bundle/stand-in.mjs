// @ts-check
/**
 * What a service starts with while it is built, where there are no stores: settings, and so much of
 * PostgreSQL that each statement has an answer. Nothing listens as Redis.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const HOST = '127.0.0.1';
const LENGTH_BYTES = 4;

const READY = message('Z', 'I');
const WELCOME = Buffer.concat([message('R', '\0'.repeat(LENGTH_BYTES)), READY]);
/** One row with one column, the version, which TypeORM reads. */
const ANSWER = Buffer.concat([
  message('T', `\0\x01version${'\0'.repeat(19)}`),
  message('D', '\0\x01\0\0\0\x0215'),
  message('C', 'SELECT 1\0'),
  READY,
]);

/** Settings of all services. */
export async function startSettings() {
  const key = randomBytes(32).toString('base64');
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const unused = createServer();
  const port = await listeningPort(unused);
  unused.close();
  return {
    NODE_ENV: 'production',
    HOST,
    PORT: String(port),
    METRICS_PORT: '0',
    ADMIN_API_KEYS: key,
    API_KEYS: key,
    ENCRYPTION_KEYS: key,
    HMAC_SECRETS: key,
    MESSAGE_KEYS: key,
    VERDICT_SIGNING_KEY: privateKey,
    VERDICT_PUBLIC_KEYS: publicKey,
    EXTERNAL_URL: `http://${HOST}`,
    PUBLIC_URL: `http://${HOST}`,
    DATABASE_URL: `postgres://postgres@${HOST}:${await startPostgres()}/postgres`,
    REDIS_URL: `redis://${HOST}:1`,
  };
}

async function startPostgres() {
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    // The first message of a connection has no type.
    let typeBytes = 0;
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      while (received.length >= typeBytes + LENGTH_BYTES) {
        const type = received.toString('latin1', 0, typeBytes);
        if (type === '') socket.write(WELCOME);
        // A statement, or the end of one with values.
        if (type === 'Q' || type === 'S') socket.write(ANSWER);
        received = received.subarray(typeBytes + received.readInt32BE(typeBytes));
        typeBytes = 1;
      }
    });
  });
  return listeningPort(server);
}

/** @param {import('node:net').Server} server */
async function listeningPort(server) {
  await once(server.listen(0, HOST), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return port;
}

/**
 * @param {string} type
 * @param {string} content
 */
function message(type, content) {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeInt32BE(LENGTH_BYTES + content.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(content, 'latin1')]);
}

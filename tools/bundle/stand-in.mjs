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
const BOOLEAN = '\x10';
/** One row: the version, which TypeORM reads, and that locks are taken, which the process of all services needs. */
const ANSWER = Buffer.concat([
  message(
    'T',
    `\0\x03${column('version')}${column('isTaken', BOOLEAN)}${column('locked', BOOLEAN)}`,
  ),
  message('D', `\0\x03\0\0\0\x0215${'\0\0\0\x01t'.repeat(2)}`),
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
    ADMIN_PORT: '0',
    GATEHOUSE_SECRET: key,
    ADMIN_API_KEYS: key,
    API_KEYS: key,
    ENCRYPTION_KEYS: key,
    HMAC_SECRETS: key,
    MESSAGE_KEYS: key,
    VERDICT_SIGNING_KEY: privateKey,
    VERDICT_PUBLIC_KEYS: publicKey,
    EXTERNAL_URL: `http://${HOST}`,
    PUBLIC_URL: `http://${HOST}`,
    GATEHOUSE_URL: `http://${HOST}`,
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

/** @param {string} name */
function column(name, type = '\0') {
  return `${name}${'\0'.repeat(10)}${type}${'\0'.repeat(8)}`;
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

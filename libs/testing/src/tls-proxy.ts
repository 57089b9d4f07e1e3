import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { listenOnLoopback } from './loopback.js';

export interface TestAuthority {
  /** The certificate of the authority, as PEM. */
  ca: string;
  key: string;
  /** For the name `localhost`, and for no address. */
  certificate: string;
}

/** An authority of its own, and a certificate for `localhost`, made with openssl. */
export function testAuthority(): TestAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'authority-'));
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  try {
    const root = ['-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Test CA'];
    openssl('req', '-x509', ...newKey, ...root);
    openssl('req', ...newKey, '-keyout', 'key.pem', '-out', 'csr.pem', '-subj', '/CN=store');
    writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost\n');
    const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2'];
    const names = ['-extfile', 'names', '-out', 'cert.pem'];
    openssl('x509', '-req', '-in', 'csr.pem', ...signed, ...names);
    return { ca: read('ca.pem'), key: read('key.pem'), certificate: read('cert.pem') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The SSLRequest of a PostgreSQL client, and the answer that accepts it. */
const SSL_REQUEST_BYTES = 8;
const SSL_ACCEPTED = 'S';

/**
 * Offers a Redis or a PostgreSQL over TLS.
 * @returns its port, and a function that closes it
 */
export async function tlsProxy(
  targetUrl: string,
  { key, certificate }: TestAuthority,
): Promise<{ port: number; close: () => Promise<void> }> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const beyond = connect(Number(target.port), target.hostname);
    const encrypt = () => {
      const secure = new TLSSocket(socket, { isServer: true, key, cert: certificate });
      for (const end of [socket, secure, beyond]) {
        sockets.add(end);
        end.on('error', () => end.destroy());
      }
      secure.on('close', () => beyond.destroy());
      beyond.on('close', () => secure.destroy());
      secure.pipe(beyond).pipe(secure);
    };
    if (target.protocol === 'redis:') return encrypt();
    socket.once('readable', () => {
      socket.read(SSL_REQUEST_BYTES);
      socket.write(SSL_ACCEPTED);
      encrypt();
    });
  });
  const port = await listenOnLoopback(server);
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { port, close };
}

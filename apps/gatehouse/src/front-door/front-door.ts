/**
 * The front door of the process: the public and the admin surface, as the gateway (deploy/gateway) has
 * them in front of services that run apart. It makes no authorization decisions; every service
 * authenticates its own callers.
 */
import { once } from 'node:events';
import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type ClientAddressOptions, ClientAddresses } from '@gatehouse/kit/clients';
import { createHttpServer, HttpDrain, UNCHECKED_HTTP } from '@gatehouse/nest-kit/http';
import { type Logger } from 'pino';
import { ClientLimits } from './client-limits.js';
import { OwnAnswers } from './own-answers.js';
import { type Ready, type Serve, Surface, type SurfaceContext } from './surface.js';
import { UnsentBytes } from './unsent-bytes.js';

/** How long a request may take to arrive; the same as in a service. */
const REQUEST_TIMEOUT_MS = 65_000;
/** How long the head of a request may take to arrive; the same as in the gateway, as are the connections. */
const HEAD_TIMEOUT_MS = 10_000;
const CONNECTIONS_MAX = 4_096;
const READY_MAX_AGE_MS = 1_000;
/** Load balancers must close idle connections first, and those of Google do so after 600 s. */
const KEEP_ALIVE_TIMEOUT_MS = 620_000;

export { type Serve };

export interface FrontDoorOptions {
  readonly host: string;
  /** Port of the public surface; 0 takes any that is free, also below. */
  readonly port: number;
  readonly adminPort: number;
  readonly services: SurfaceContext['services'];
  /** The answer of /health/ready. */
  readonly ready: Ready;
  /** Where client addresses come from (CLIENT_IP_SOURCE, TRUSTED_PROXIES). */
  readonly clients: ClientAddressOptions;
  readonly logger: Logger;
  readonly headTimeoutMs?: number;
  /** Beyond this, idle connections of the public surface are closed. */
  readonly connectionsMax?: number;
  /** How long an answer of `ready` is kept. */
  readonly readyMaxAgeMs?: number;
}

export interface FrontDoor {
  readonly publicUrl: string;
  readonly adminUrl: string;
  /**
   * Stops listening, and waits until the requests in flight are answered.
   *
   * @param idleMs how long connections without a request may stay open
   * @returns false if some had to be cut off after `timeoutMs`
   */
  close(timeoutMs: number, idleMs: number): Promise<boolean>;
}

/**
 * Listens on both surfaces.
 * @throws Error if a port cannot be taken; nothing listens then
 */
export async function openFrontDoor(options: FrontDoorOptions): Promise<FrontDoor> {
  const { host, port, adminPort, services, ready, clients, logger } = options;
  const { headTimeoutMs = HEAD_TIMEOUT_MS, connectionsMax = CONNECTIONS_MAX } = options;
  const { readyMaxAgeMs = READY_MAX_AGE_MS } = options;
  const drain = new HttpDrain();
  const addresses = new ClientAddresses(clients);
  const answers = new OwnAnswers(logger, addresses, drain);
  const unsent = new UnsentBytes(logger);
  const context = {
    services,
    ready: sharing(ready, readyMaxAgeMs),
    answers,
    drain,
    addresses,
    unsent,
  };
  const limits = new ClientLimits();
  const publicSurface = new Surface({ ...context, name: 'public', limits });
  const adminSurface = new Surface({ ...context, name: 'admin' });
  const publicServer = serverOf(publicSurface, answers, drain, headTimeoutMs);
  closeIdleBeyond(connectionsMax, publicServer);
  const adminServer = serverOf(adminSurface, answers, drain, headTimeoutMs);
  try {
    const publicUrl = await listen(publicServer, host, port);
    const adminUrl = await listen(adminServer, host, adminPort);
    return { publicUrl, adminUrl, close: (timeoutMs, idleMs) => drain.close(timeoutMs, idleMs) };
  } catch (error) {
    await drain.close(0);
    throw error;
  }
}

function serverOf(
  surface: Surface,
  answers: OwnAnswers,
  drain: HttpDrain,
  headersTimeout: number,
): Server {
  const server = createHttpServer(surface.serve.bind(surface), drain, {
    ...UNCHECKED_HTTP,
    headersTimeout,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  });
  server.on('clientError', answers.clientError);
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // One for each request that the client has sent ahead.
  server.on('connection', (socket) => socket.setMaxListeners(0));
  return server;
}

/** Closes idle connections of a server while more than these are open. */
function closeIdleBeyond(connectionsMax: number, server: Server): void {
  let open = 0;
  server.on('connection', (socket) => {
    open += 1;
    socket.once('close', () => (open -= 1));
    if (open > connectionsMax) server.closeIdleConnections();
  });
}

/** @returns the URL */
async function listen(server: Server, host: string, wantedPort: number): Promise<string> {
  server.listen(wantedPort, host);
  await once(server, 'listening');
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Callers share a look at the stores, also for a while after it. */
function sharing(ready: Ready, maxAgeMs: number): Ready {
  let look: ReturnType<Ready> | undefined;
  const forget = () => setTimeout(() => (look = undefined), maxAgeMs).unref();
  return () => (look ??= ready().finally(forget));
}

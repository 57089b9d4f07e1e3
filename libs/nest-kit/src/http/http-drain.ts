/**
 * Ends the HTTP service so that clients behind a load balancer lose no request. First everything is
 * served as before, until the load balancer has noticed that the service is not ready. Then the service
 * stops listening, and each response closes its connection; connections that are idle stay open, for
 * their clients may be sending already. Idle connections are closed last. A request is cut off only
 * if it outlives the shutdown.
 */
import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as SocketServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type FastifyInstance } from 'fastify';

/** A turn of the event loop in which the process did next to nothing. */
const QUIET_TURN_MS = 0.25;
const QUIET_WAIT_MS = 200;

export class HttpDrain {
  private isClosing = false;
  /** How many connections have been accepted. */
  private connections = 0;
  private readonly servers: Server[] = [];
  /** Connections without a request so far. Node waits for them as if they had one. */
  private readonly unused = new Set<Socket>();
  private readonly followed = new Set<ServerResponse>();

  /** Follows the connections of a server; a host name with two addresses has two servers. */
  watch(server: Server): void {
    this.servers.push(server);
    server.on('connection', (socket) => {
      this.connections += 1;
      this.unused.add(socket);
      socket.once('close', () => this.unused.delete(socket));
    });
  }

  /** Covers requests that were in flight when closing began. */
  register(fastify: FastifyInstance): void {
    fastify.addHook('onSend', (_request, reply, _payload, done) => {
      this.beforeResponse(reply.raw);
      done();
    });
  }

  /**
   * Covers a request that is in flight when closing begins, where no hook runs before its response.
   * @returns what to call when the response has ended
   */
  follow(response: ServerResponse): () => void {
    this.followed.add(response);
    return () => this.followed.delete(response);
  }

  /** Call it for each request, before anything is done with it. */
  onRequest(request: IncomingMessage, response: ServerResponse): void {
    if (this.unused.size > 0) this.unused.delete(request.socket);
    this.beforeResponse(response);
  }

  /** Call it before the head of a response is written. */
  beforeResponse(response: ServerResponse): void {
    if (this.isClosing) response.shouldKeepAlive = false;
  }

  /**
   * Stops listening, and waits until all requests in flight have been answered.
   *
   * @param idleMs how long connections without a request may stay open
   * @returns false if connections had to be cut after `timeoutMs`
   */
  async close(timeoutMs: number, idleMs = 0): Promise<boolean> {
    await this.quietTurn();
    let areCut = false;
    const closed = Promise.all(
      this.servers.map((server) => new Promise<void>((resolve) => stopListening(server, resolve))),
    );
    // Not before: each closed connection makes a client open another, which the listener would reset.
    this.isClosing = true;
    for (const response of this.followed) this.beforeResponse(response);
    const idle = setTimeout(() => this.closeIdle(), idleMs);
    const cut = setTimeout(() => {
      areCut = true;
      for (const server of this.servers) server.closeAllConnections();
    }, timeoutMs);
    await closed;
    clearTimeout(idle);
    clearTimeout(cut);
    return !areCut;
  }

  private closeIdle(): void {
    for (const socket of this.unused) socket.destroy();
    for (const server of this.servers) server.closeIdleConnections();
  }

  /**
   * A connection that waits to be accepted is reset when its listener closes. In a short turn of the
   * event loop that accepts none, there is hardly time for one to arrive.
   */
  private async quietTurn(): Promise<void> {
    const startedAt = performance.now();
    let now = startedAt;
    let isQuiet = false;
    while (!isQuiet && now - startedAt < QUIET_WAIT_MS) {
      const [before, connections] = [now, this.connections];
      await nextTurn();
      now = performance.now();
      isQuiet = connections === this.connections && now - before < QUIET_TURN_MS;
    }
  }
}

/** Unlike `close` of an HTTP server, leaves idle connections open. */
function stopListening(server: Server, onClosed: () => void): void {
  SocketServer.prototype.close.call(server, onClosed);
}

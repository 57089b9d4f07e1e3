/**
 * The end of the HTTP service, in three phases: serving, draining, closed. While draining, all
 * requests are served, because load balancers and clients need time to notice; each response closes
 * its connection, so that the next request goes to another replica. Then the servers stop listening,
 * and the requests in flight finish. No request is reset, unless it outlives the shutdown.
 */
import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type FastifyInstance } from 'fastify';

/** A turn of the event loop in which the process did next to nothing. */
const QUIET_TURN_MS = 0.25;
const QUIET_WAIT_MS = 200;

export class HttpDrain {
  private isDraining = false;
  /** How many connections have been accepted. */
  private connections = 0;
  private readonly servers: Server[] = [];
  /** Connections without a request so far. Node waits for them as if they had one. */
  private readonly unused = new Set<Socket>();

  /** Follows the connections of a server; a host name with two addresses has two servers. */
  watch(server: Server): void {
    this.servers.push(server);
    server.on('connection', (socket) => {
      this.connections += 1;
      this.unused.add(socket);
      socket.once('close', () => this.unused.delete(socket));
    });
  }

  /** Covers requests that were in flight when draining began. */
  register(fastify: FastifyInstance): void {
    fastify.addHook('onSend', (_request, reply, _payload, done) => {
      this.beforeResponse(reply.raw);
      done();
    });
  }

  /** Call it for each request, before anything is done with it. */
  onRequest(request: IncomingMessage, response: ServerResponse): void {
    if (this.unused.size > 0) this.unused.delete(request.socket);
    this.beforeResponse(response);
  }

  /** Call it before the head of a response is written. */
  beforeResponse(response: ServerResponse): void {
    if (this.isDraining) response.shouldKeepAlive = false;
  }

  /** Serves everything for `ms` milliseconds, and closes each connection after its response. */
  async drain(ms: number): Promise<void> {
    this.isDraining = true;
    await sleep(ms);
  }

  /**
   * Stops listening, and waits until all requests in flight have been answered.
   *
   * @returns false if connections had to be cut after `timeoutMs`
   */
  async close(timeoutMs: number): Promise<boolean> {
    await this.quietTurn();
    let areCut = false;
    const closed = this.servers.map(
      (server) => new Promise<void>((resolve) => server.close(() => resolve())),
    );
    for (const socket of this.unused) socket.destroy();
    const cut = setTimeout(() => {
      areCut = true;
      for (const server of this.servers) server.closeAllConnections();
    }, timeoutMs);
    await Promise.all(closed);
    clearTimeout(cut);
    return !areCut;
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

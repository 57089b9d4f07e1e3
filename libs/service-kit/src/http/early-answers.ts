/**
 * An answer may be ready before the body of its request has come in: the caller may not call, the
 * body is too large, its type is refused. A connection that is closed with bytes unread is reset,
 * and a client that is still sending then sees a broken pipe in place of its answer. So what is
 * still on its way is read and thrown away, up to 16 MiB and for 10 seconds; a client that goes on
 * after that is cut off, and has had its answer in hand all the while.
 */
import { type IncomingMessage } from 'node:http';
import { NotFoundException } from '@nestjs/common';
import { type FastifyInstance } from 'fastify';

const THROWN_AWAY_BYTES_MAX = 16 * 1024 * 1024;
const THROWN_AWAY_MS_MAX = 10_000;

/** Lets clients that are still sending hear answers that need no body. */
export function hearOutBodies(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    if (!request.raw.complete && hasBody(request.raw)) {
      // Fastify closes the connection when it stops reading a body.
      reply.removeHeader('connection');
      throwAwayRest(request.raw);
    }
    done();
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function throwAwayRest(request: IncomingMessage): void {
  const { socket } = request;
  const closeWhenWritten = socket.destroySoon.bind(socket);
  const cutOff = () => socket.destroy();
  let bytes = 0;
  const timer = setTimeout(cutOff, THROWN_AWAY_MS_MAX);
  timer.unref();
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > THROWN_AWAY_BYTES_MAX) cutOff();
  });
  // Node calls this after the last answer of a connection: at once would be too early.
  socket.destroySoon = () => {
    socket.end();
    request.once('close', closeWhenWritten);
  };
  request.once('close', () => {
    clearTimeout(timer);
    socket.destroySoon = closeWhenWritten;
  });
  request.resume();
}

/** Says that there is nothing at an address without looking at the body that was sent there. */
export function refuseUnknownAddresses(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? new NotFoundException() : undefined);
  });
}

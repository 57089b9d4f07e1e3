/**
 * A response may be ready before the request body has arrived: the caller is not authorized, the body
 * is too large, or its type is refused. Closing a connection with unread bytes resets it, and a client
 * that is still sending then sees a broken pipe instead of the response. So the rest of the body is
 * read and discarded, up to 16 MiB and for 10 seconds; only then is the connection cut.
 */
import { type IncomingMessage } from 'node:http';
import { NotFoundException } from '@nestjs/common';
import { type FastifyInstance } from 'fastify';

const DISCARDED_BYTES_MAX = 16 * 1024 * 1024;
const DISCARDED_MS_MAX = 10_000;

/** Discards the unread rest of a body once the response is sent. */
export function drainUnreadBodies(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    if (discardUnreadBody(request.raw)) {
      // Fastify closes the connection when it stops reading a body.
      reply.removeHeader('connection');
    }
    done();
  });
}

/** Discards the rest of a body. Call it before the response is sent. @returns whether there is a rest */
export function discardUnreadBody(request: IncomingMessage): boolean {
  const isUnread = !request.complete && hasBody(request);
  if (isUnread) discardRest(request);
  return isUnread;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function discardRest(request: IncomingMessage): void {
  const { socket } = request;
  const closeWhenWritten = socket.destroySoon.bind(socket);
  const cutOff = () => socket.destroy();
  let bytes = 0;
  const timer = setTimeout(cutOff, DISCARDED_MS_MAX);
  timer.unref();
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DISCARDED_BYTES_MAX) cutOff();
  });
  // Node calls this after the last response of a connection, which is before the body has ended.
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

/** Answers 404, or 405 if only the method is wrong, without reading the body of the request. */
export function refuseUnknownAddresses(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? new NotFoundException() : undefined);
  });
}

import { type FastifyInstance } from 'fastify';

const DRAINED_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Lets a client that is still sending hear that its body is too large. Fastify closes the
 * connection with the answer, and a connection that is closed with bytes unread is reset: what the
 * client then sees is a broken pipe. A body of a moderate, known length is read to its end and
 * thrown away instead, which Node does for every answer that leaves the connection open.
 */
export function hearOutOversizedBodies(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    const isKnownAndModerate = () => Number(request.headers['content-length']) <= DRAINED_BYTES_MAX;
    if (reply.statusCode === 413 && isKnownAndModerate()) reply.removeHeader('connection');
    done();
  });
}

/**
 * Bounds the request bodies that the process holds at once. A body takes several times its size of
 * the heap while it is parsed and processed, so a few dozen large ones in parallel would exhaust it.
 * A body that does not fit is answered 503 with `Retry-After`, before it is read.
 */
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { DomainError } from '@gatehouse/kit/errors';
import { KitErrors } from '@gatehouse/kit/errors';

const MEBIBYTE = 1024 * 1024;
/** Smaller bodies are not counted: thousands of them fit, and they are most of the traffic. */
const COUNTED_BYTES_MIN = 16 * 1024;

export class BodyBudget {
  private heldBytes = 0;
  private readonly held = new WeakMap<FastifyRequest, number>();

  constructor(private readonly mebibytesMax: number) {}

  /** Counts each large body from before it is read until the response has ended. */
  register(fastify: FastifyInstance): void {
    fastify.addHook('preParsing', (request, _reply, _payload, done) => {
      done(this.admit(request) ? null : tooManyBodies());
    });
    fastify.addHook('onSend', (request, reply, _payload, done) => {
      const bytes = this.held.get(request);
      if (bytes !== undefined) {
        this.held.delete(request);
        const release = () => void (this.heldBytes -= bytes);
        // If the client has disconnected, 'close' was emitted earlier and will not be again.
        if (reply.raw.closed) release();
        else reply.raw.once('close', release);
      }
      done();
    });
  }

  private admit(request: FastifyRequest): boolean {
    const bytes = bytesOf(request);
    if (bytes < COUNTED_BYTES_MIN) return true;
    // A body that is larger than the whole budget is served alone.
    const fits = this.heldBytes === 0 || this.heldBytes + bytes <= this.mebibytesMax * MEBIBYTE;
    if (!fits) return false;
    this.heldBytes += bytes;
    this.held.set(request, bytes);
    return true;
  }
}

/** The length of the body; the limit of the route if the length is not known in advance. */
function bytesOf(request: FastifyRequest): number {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.raw.headers;
  if (length !== undefined) return Number(length);
  return encoding === undefined ? 0 : request.routeOptions.bodyLimit;
}

function tooManyBodies(): DomainError {
  const message = 'Too many large requests are being processed. Try again later.';
  return new DomainError(KitErrors.UNAVAILABLE, { message });
}

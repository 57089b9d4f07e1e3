/**
 * Bounds the request bodies that the process holds at once. A body takes several times its size of
 * the heap while it is parsed and processed, so a few dozen large ones in parallel would exhaust it.
 *
 * - A body counts for the bytes that have arrived, from then until the response has ended. Announcing
 *   a body takes nothing from others.
 * - All bodies of one owner have a share: of a directory, of an administrator, otherwise of a client
 *   address. One tenant cannot use up the budget.
 * - A body that does not fit is answered 503 with `Retry-After`, before it is read if possible. One
 *   that hardly arrives is answered 408, and its connection closes.
 */
import { type IncomingMessage } from 'node:http';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type ClientAddresses, clientNetwork } from '@gatehouse/kit/clients';
import { DomainError } from '@gatehouse/kit/errors';
import { KitErrors } from '@gatehouse/kit/errors';
import { onceEnded } from './response-end.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The proven owner of the body, such as a directory; undefined: an administrator or the address. */
    bodyOwner: string | undefined;
  }
}

const MEBIBYTE = 1024 * 1024;
/** Smaller bodies are not counted: thousands of them fit, and they are most of the traffic. */
const COUNTED_BYTES_MIN = 16 * 1024;
/** Each owner may hold the budget divided by this, or else a single body. */
const SHARES = 4;
const PACE_INTERVAL_MS = 5_000;
/** How much of a counted body has to arrive in each interval after its first. */
const PACE_BYTES_MIN = 20 * 1024;

interface Body {
  readonly raw: IncomingMessage;
  readonly owner: string;
  bytes: number;
  /** `bytes` at the last check of the pace. */
  checkedBytes: number;
  isRefused: boolean;
}

export interface BodyBudgetOptions {
  readonly mebibytesMax: number;
  /** Of clients; without it, the other ends of connections count. */
  readonly addresses?: ClientAddresses;
  readonly paceIntervalMs?: number;
}

export class BodyBudget {
  private readonly bytesMax: number;
  private heldBytes = 0;
  private readonly heldByOwner = new Map<string, number>();
  private readonly bodies = new WeakMap<FastifyRequest, Body>();
  private readonly arriving = new Set<Body>();
  private paceTimer: NodeJS.Timeout | undefined;

  constructor(private readonly options: BodyBudgetOptions) {
    this.bytesMax = options.mebibytesMax * MEBIBYTE;
  }

  /** Counts each large body from its first byte until the response has ended. */
  register(fastify: FastifyInstance): void {
    fastify.decorateRequest('bodyOwner', undefined);
    fastify.addHook('preParsing', (request, _reply, _payload, done) => {
      done(this.admit(request) ? null : tooManyBodies());
    });
    fastify.addHook('onSend', (request, reply, _payload, done) => {
      const body = this.bodies.get(request);
      if (body !== undefined) {
        this.bodies.delete(request);
        if (body.isRefused) void reply.header('connection', 'close');
        onceEnded(body.raw, reply.raw, () => this.release(body));
      }
      done();
    });
  }

  private admit(request: FastifyRequest): boolean {
    const { raw } = request;
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
    const announced = Number(length ?? 0);
    if (announced < COUNTED_BYTES_MIN && encoding === undefined) return true;
    const owner = this.ownerOf(request);
    const body = { raw, owner, bytes: 0, checkedBytes: -Infinity, isRefused: false };
    if (!this.fits(body, announced)) return false;
    this.bodies.set(request, body);
    this.hold(body, raw.readableLength);
    if (!raw.complete) this.follow(body);
    return true;
  }

  private ownerOf({ bodyOwner, adminCaller, raw }: FastifyRequest): string {
    const { addresses } = this.options;
    const address = addresses ? addresses.peerOf({ raw }) : raw.socket.remoteAddress;
    return bodyOwner ?? adminCaller?.id ?? clientNetwork(address ?? '');
  }

  /** A body that is larger than the share or the whole budget is served alone. */
  private fits({ owner, bytes }: Body, more: number): boolean {
    const ofOwner = this.heldByOwner.get(owner) ?? 0;
    return (
      (this.heldBytes === bytes || this.heldBytes + more <= this.bytesMax) &&
      (ofOwner === bytes || ofOwner + more <= this.bytesMax / SHARES)
    );
  }

  private hold(body: Body, bytes: number): void {
    body.bytes += bytes;
    this.heldBytes += bytes;
    const ofOwner = (this.heldByOwner.get(body.owner) ?? 0) + bytes;
    if (ofOwner > 0) this.heldByOwner.set(body.owner, ofOwner);
    else this.heldByOwner.delete(body.owner);
  }

  private release(body: Body): void {
    this.arriving.delete(body);
    this.hold(body, -body.bytes);
  }

  /** Sees what arrives without reading it, which a listener would. */
  private follow(body: Body): void {
    const { raw } = body;
    this.arriving.add(body);
    this.paceTimer ??= setInterval(
      // After what has arrived while the process was busy is read.
      () => setImmediate(() => this.checkPace()),
      this.options.paceIntervalMs ?? PACE_INTERVAL_MS,
    ).unref();
    const push = raw.push.bind(raw);
    raw.push = (chunk: Buffer | null, encoding) => {
      if (chunk === null) this.arriving.delete(body);
      else if (this.arriving.has(body)) this.take(body, chunk.length);
      return push(chunk, encoding);
    };
  }

  private take(body: Body, bytes: number): void {
    if (this.fits(body, bytes)) this.hold(body, bytes);
    else this.refuse(body, tooManyBodies());
  }

  private checkPace(): void {
    for (const body of this.arriving) {
      const isSlow = body.bytes - body.checkedBytes < PACE_BYTES_MIN;
      body.checkedBytes = body.bytes;
      // What has arrived and is not read yet is no fault of the client.
      if (isSlow && body.raw.readableLength === 0) {
        this.refuse(body, new DomainError(KitErrors.REQUEST_TIMEOUT));
      }
    }
    if (this.arriving.size > 0) return;
    clearInterval(this.paceTimer);
    this.paceTimer = undefined;
  }

  /** Ends the reading of a body. Without a reader, it is not kept. */
  private refuse(body: Body, fault: DomainError): void {
    if (body.raw.listenerCount('error') === 0) return;
    body.isRefused = true;
    this.release(body);
    body.raw.unpipe();
    body.raw.emit('error', fault);
  }
}

function tooManyBodies(): DomainError {
  const message = 'Too many large requests are being processed. Try again later.';
  return new DomainError(KitErrors.UNAVAILABLE, { message });
}

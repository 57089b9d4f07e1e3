/**
 * Nest's Redis transport is pub/sub: every replica receives every request, and all would respond.
 * Here one replica claims each request (`SET claim:<id> NX PX`) and the others ignore it. Events go
 * to every replica on purpose: they are hints, and a lost hint costs time, never data.
 *
 * Redis is not trusted: all data is sealed (`SealedMessages`), and what does not open is ignored.
 *
 * Client and server start without Redis and connect when it is available. A namespace separates
 * stacks that share one Redis.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ClientRedis,
  type PacketId,
  type ReadPacket,
  ServerRedis,
  type WritePacket,
} from '@nestjs/microservices';
import { type Redis } from 'ioredis';
import { type Logger } from 'pino';
import {
  closeRedis,
  type RedisClient,
  redisConnection,
  type RedisSettings,
} from '@gatehouse/kit/redis';
import { errorType, fail, inEntry } from '@gatehouse/kit/tracing';
import { envelopeOf } from './envelope.js';
import { MessageContext } from './message-context.js';
import { messageSpan } from './message-span.js';
import { type SealedMessages } from './sealed-messages.js';

export interface TransportOptions extends RedisSettings {
  readonly namespace: string;
}

/** A separate command for each message would cost three times as much as the rest of the work. */
const PUBLISH_ALL = `for i = 1, #ARGV, 2 do redis.call('PUBLISH', ARGV[i], ARGV[i + 1]) end`;

/** More events of one pattern are split over several messages. */
const EVENTS_PER_MESSAGE_MAX = 100;

export interface ServiceEvent {
  pattern: string;
  payload: object;
}

/** Without wildcards, Redis passes the channel and the text. */
type MessageListener = (channel: string, text: string) => void;

/** Longer than any caller waits for a response, so that a slow replica still finds the claim. */
const CLAIM_TTL_MS = 60_000;
/** Callers wait no longer for a response. */
const ANSWER_TIME_MS = 2_000;
const NO_REF = { ref: false };

export class ClaimedRedisServer extends ServerRedis {
  private readonly replicaId = randomUUID();
  private subscriber: Redis | undefined;
  private publisher: RedisClient | undefined;
  /** Requests that were accepted and are not answered yet. */
  private readonly inFlight = new Set<Promise<void>>();

  constructor(
    private readonly transport: TransportOptions,
    private readonly messages: SealedMessages,
    private readonly log: Logger,
  ) {
    super({});
  }

  override listen(callback: (error?: unknown) => void): Promise<void> {
    this.subscriber = redisConnection(this.transport, 'subscriber', this.log);
    this.publisher = redisConnection(this.transport, 'producer', this.log);
    this.bindEvents(this.subscriber, this.publisher);
    callback();
    return Promise.resolve();
  }

  override bindEvents(subscriber: Redis, publisher: RedisClient): void {
    const channels = [...this.messageHandlers.keys()].map((pattern) => this.channelOf(pattern));
    if (channels.length === 0) return;
    const onMessage = this.getMessageHandler(publisher) as unknown as MessageListener;
    subscriber.on('message', onMessage);
    subscriber.subscribe(...channels).catch((error: Error) => {
      this.log.warn({ reason: error.message }, 'subscribing to messages failed');
    });
  }

  override async handleMessage(
    channel: string,
    text: string,
    publisher: RedisClient,
  ): Promise<void> {
    const pattern = channel.slice(this.transport.namespace.length);
    const { id, sealed } = envelopeOf(text);
    if (id === undefined) return this.handleEvents(pattern, sealed);
    const message = this.messages.openRequest(pattern, id, sealed);
    if (message === undefined) return this.ignore(pattern);
    const { sender, data, traceparent } = message;
    const context = new MessageContext([pattern, sender]);
    const handler = this.getHandlerByPattern(pattern);
    if (!handler || !(await this.claim(publisher, id))) return;
    const answered = inEntry(messageSpan(pattern, 'server'), [traceparent], (span) => {
      return new Promise<void>((resolve) => {
        const reply = async (packet: WritePacket) => {
          if (packet.err !== undefined) fail(span, errorType(packet.err));
          const response = this.messages.sealReply(pattern, id, sender, packet);
          await publisher.publish(this.getReplyPattern(pattern), JSON.stringify({ id, response }));
          if (packet.isDisposed) resolve();
        };
        this.handleRequest(
          context,
          async () => this.transformToObservable(await handler(data, context)),
          reply,
        );
      });
    });
    this.inFlight.add(answered);
    await answered;
    this.inFlight.delete(answered);
  }

  override getReplyPattern(pattern: string): string {
    return this.channelOf(`${pattern}.reply`);
  }

  /** Accepts no more requests, and answers those that it accepted. */
  override async close(): Promise<void> {
    if (this.subscriber) await closeRedis(this.subscriber);
    await Promise.race([Promise.all(this.inFlight), sleep(ANSWER_TIME_MS, undefined, NO_REF)]);
    if (this.publisher) await closeRedis(this.publisher);
  }

  /** The handler gets each event by itself. */
  private async handleEvents(pattern: string, sealed: unknown): Promise<void> {
    const events = this.messages.openEvents(pattern, sealed);
    if (events.length === 0) return this.ignore(pattern);
    const handled = events.map(({ sender, data }): Promise<unknown> =>
      this.handleEvent(pattern, { pattern, data }, new MessageContext([pattern, sender])),
    );
    await Promise.all(handled);
  }

  private ignore(pattern: string): void {
    this.log.debug({ pattern }, 'message ignored: it was not sealed here, is late or repeated');
  }

  private async claim(publisher: RedisClient, requestId: string): Promise<boolean> {
    const key = `${this.transport.namespace}claim:${requestId}`;
    return (await publisher.set(key, this.replicaId, 'PX', CLAIM_TTL_MS, 'NX')) === 'OK';
  }

  private channelOf(pattern: string): string {
    return this.transport.namespace + pattern;
  }
}

export class NamespacedRedisClient extends ClientRedis {
  private readonly connections: RedisClient[] = [];

  constructor(
    private readonly transport: TransportOptions,
    private readonly messages: SealedMessages,
    private readonly log: Logger,
  ) {
    const serialize = ({ pattern, id, data }: ReadPacket & PacketId) => ({
      id,
      data: messages.sealRequest(pattern as string, id, data),
    });
    super({ serializer: { serialize } });
  }

  /** Replies are bound to this id; Nest's own ids can be guessed. */
  override assignPacketId(packet: ReadPacket): ReadPacket & PacketId {
    return Object.assign(packet, { id: randomUUID() });
  }

  /** A reply that does not open is ignored, so that a forged one does not end the request. */
  override createResponseCallback(): (channel: string, text: string) => Promise<void> {
    const suffixLength = '.reply'.length;
    return (channel, text) => {
      const pattern = channel.slice(this.transport.namespace.length, -suffixLength);
      const { id, sealed } = envelopeOf(text);
      if (id !== undefined && this.routingMap.has(id)) {
        const reply = this.messages.openReply(pattern, id, sealed);
        const answer = this.routingMap.get(id) as (packet: unknown) => void;
        if (reply !== undefined) answer(reply.data);
      }
      return Promise.resolve();
    };
  }

  /**
   * A reply channel stays subscribed: unsubscribing after the last reply would overtake the
   * subscription of a request that is just being sent, whose reply would be lost.
   */
  override unsubscribeFromChannel(channel: string): void {
    this.subscriptionsCount.set(
      channel,
      Math.max(1, (this.subscriptionsCount.get(channel) ?? 1) - 1),
    );
  }

  /** Nest creates the client that publishes first. */
  override createClient(): Promise<Redis> {
    const purpose = this.pubClient ? 'subscriber' : 'publisher';
    const client = redisConnection(this.transport, purpose, this.log, { lazyConnect: true });
    client.once('end', () => this.connections.splice(this.connections.indexOf(client), 1));
    this.connections.push(client);
    // Nest uses what a Cluster has too.
    return Promise.resolve(client as Redis);
  }

  override getRequestPattern(pattern: string): string {
    return this.transport.namespace + pattern;
  }

  override getReplyPattern(pattern: string): string {
    return `${this.transport.namespace}${pattern}.reply`;
  }

  /** Publishes events in order in one command, those of one pattern in one message. */
  async publishEvents(events: readonly ServiceEvent[]): Promise<void> {
    await this.connect();
    const sent = runsOf(events).flatMap(({ pattern, payloads }) => [
      this.transport.namespace + pattern,
      JSON.stringify({ data: this.messages.sealEvents(pattern, payloads) }),
    ]);
    await (this.pubClient as RedisClient).eval(PUBLISH_ALL, 0, ...sent);
  }

  override registerErrorListener(): void {
    // `redisConnection` logs an outage once; Nest's listener would log every attempt.
  }

  /** Nest's `close` would wait for an unavailable Redis. */
  override async close(): Promise<void> {
    this.isManuallyClosed = true;
    this.handleClose();
    await Promise.all([...this.connections].map(closeRedis));
  }
}

/** The events in order, with those of one pattern together that follow each other. */
function runsOf(events: readonly ServiceEvent[]): { pattern: string; payloads: object[] }[] {
  const runs: { pattern: string; payloads: object[] }[] = [];
  for (const { pattern, payload } of events) {
    const last = runs.at(-1);
    const fits = last?.pattern === pattern && last.payloads.length < EVENTS_PER_MESSAGE_MAX;
    if (fits) last.payloads.push(payload);
    else runs.push({ pattern, payloads: [payload] });
  }
  return runs;
}

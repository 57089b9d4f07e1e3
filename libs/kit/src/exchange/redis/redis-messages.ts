/**
 * Messages by pub/sub: every replica receives every request. One of them claims it
 * (`SET claim:<id> NX PX`), and the others ignore it. Hints go to every replica on purpose.
 *
 * Redis is not trusted: all data is sealed (`SealedMessages`), and what does not open is ignored. A namespace
 * separates stacks that share one Redis.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from 'pino';
import { type RedisClient, type RedisSettings } from '../../redis/redis-connection.js';
import { errorType, fail, inEntry, inSpan } from '../../tracing/traces.js';
import { type Hint, type HintListener, type Messages, type RequestHandler } from '../exchange.js';
import { messageSpan } from '../message-span.js';
import { within } from '../within.js';
import { envelopeOf } from './envelope.js';
import { RedisSubscriptions } from './redis-subscriptions.js';
import { type OpenedMessage, type SealedMessages } from './sealed-messages.js';

/** A separate command for each message would cost three times as much as the rest of the work. */
const PUBLISH_ALL = `for i = 1, #ARGV, 2 do redis.call('PUBLISH', ARGV[i], ARGV[i + 1]) end`;
/** More hints of one pattern are split over several messages. */
const HINTS_PER_MESSAGE_MAX = 100;
/** Longer than any caller waits for a response, so that a slow replica still finds the claim. */
const CLAIM_TTL_MS = 60_000;
/** The name of Channels.keysInvalidate. */
const INVALIDATIONS = 'keys.invalidate';
/** Callers wait no longer for a response. */
const ANSWER_TIME_MS = 2_000;

interface Reply {
  readonly response?: unknown;
  readonly err?: unknown;
}

export class RedisMessages implements Messages {
  private readonly replicaId = randomUUID();
  private readonly subscriptions: RedisSubscriptions;
  private readonly handlers = new Map<string, RequestHandler>();
  private readonly listeners = new Map<string, HintListener>();
  /** Whether replies to requests of a pattern are heard. */
  private readonly hearing = new Map<string, Promise<void>>();
  /** Requests of this process that are not answered yet, by id. */
  private readonly asked = new Map<string, (reply: Reply) => void>();
  /** Requests that were accepted and are not answered yet. */
  private readonly inFlight = new Set<Promise<void>>();
  private connecting: Promise<unknown> | undefined;

  /** @param redis a shared producer connection */
  constructor(
    private readonly redis: RedisClient,
    settings: RedisSettings,
    private readonly namespace: string,
    private readonly sealed: SealedMessages,
    private readonly logger: Logger,
  ) {
    this.subscriptions = new RedisSubscriptions(settings, logger);
  }

  async request(pattern: string, payload: unknown, timeoutMs: number): Promise<unknown> {
    const id = randomUUID();
    const replied = new Promise<Reply>((resolve) => this.asked.set(id, resolve));
    try {
      const { err, response } = await inSpan(messageSpan('redis', pattern, 'client'), () => {
        const sent = this.ask(id, pattern, payload);
        return within(
          sent.then(() => replied),
          timeoutMs,
        );
      });
      if (err !== undefined) throw new Error('the service answered with an error', { cause: err });
      return response;
    } finally {
      this.asked.delete(id);
    }
  }

  serve(pattern: string, handler: RequestHandler): void {
    this.handlers.set(pattern, handler);
    this.subscribe(pattern);
  }

  listen(pattern: string, listener: HintListener): void {
    this.listeners.set(pattern, listener);
    this.subscribe(pattern);
  }

  async publish(hints: readonly Hint[]): Promise<void> {
    await this.connected();
    const sent = runsOf(hints).flatMap(({ pattern, payloads }) => [
      this.namespace + pattern,
      textOf(pattern, this.sealed.sealEvents(pattern, payloads)),
    ]);
    await this.redis.eval(PUBLISH_ALL, 0, ...sent);
  }

  async stop(): Promise<void> {
    await this.subscriptions.close();
    const late = sleep(ANSWER_TIME_MS, undefined, { ref: false });
    await Promise.race([Promise.all(this.inFlight), late]);
  }

  private async ask(id: string, pattern: string, payload: unknown): Promise<void> {
    await this.connected();
    await this.hearReplies(pattern);
    const data = this.sealed.sealRequest(pattern, id, payload);
    await this.redis.publish(this.namespace + pattern, JSON.stringify({ id, data }));
  }

  private hearReplies(pattern: string): Promise<void> {
    const known = this.hearing.get(pattern);
    if (known) return known;
    const hearing = new Promise<void>((resolve) => {
      this.subscriptions.add(this.replyChannelOf(pattern), {
        receive: (text) => this.onReply(pattern, text),
        subscribed: resolve,
      });
    });
    this.hearing.set(pattern, hearing);
    return hearing;
  }

  /** A reply that does not open is ignored, so that a forged one does not end the request. */
  private onReply(pattern: string, text: string): void {
    const { id, sealed } = envelopeOf(text);
    const answer = id === undefined ? undefined : this.asked.get(id);
    if (id === undefined || !answer) return;
    const reply = this.sealed.openReply(pattern, id, sealed);
    if (reply !== undefined) answer(reply.data as Reply);
  }

  private subscribe(pattern: string): void {
    this.subscriptions.add(this.namespace + pattern, {
      receive: (text) => this.onMessage(pattern, text),
      subscribed: () => this.listeners.get(pattern)?.restored?.(),
    });
  }

  private onMessage(pattern: string, text: string): void {
    const { id, sealed } = envelopeOf(text);
    if (id === undefined) return this.onHints(pattern, sealed ?? text);
    const handler = this.handlers.get(pattern);
    const message = handler && this.sealed.openRequest(pattern, id, sealed);
    if (!message) return this.ignore(pattern);
    const answered = this.answer(pattern, id, message, handler).catch((error: unknown) => {
      this.logger.debug({ pattern, reason: String(error) }, 'a request was not answered');
    });
    this.inFlight.add(answered);
    void answered.finally(() => this.inFlight.delete(answered));
  }

  private async answer(
    pattern: string,
    id: string,
    { sender, data, traceparent }: OpenedMessage,
    handler: RequestHandler,
  ): Promise<void> {
    if (!(await this.claim(id))) return;
    await inEntry(messageSpan('redis', pattern, 'server'), [traceparent], async (span) => {
      let reply: Reply;
      try {
        reply = { response: await handler(data, sender) };
      } catch (err) {
        fail(span, errorType(err));
        reply = { err };
      }
      const response = this.sealed.sealReply(pattern, id, sender, { ...reply, isDisposed: true });
      await this.redis.publish(this.replyChannelOf(pattern), JSON.stringify({ id, response }));
    });
  }

  private onHints(pattern: string, sealed: string | undefined): void {
    const hints = this.sealed.openEvents(pattern, sealed);
    if (hints.length === 0) return this.ignore(pattern);
    const listener = this.listeners.get(pattern);
    for (const { data, sender } of hints) listener?.receive(data, sender);
  }

  private ignore(pattern: string): void {
    this.logger.debug({ pattern }, 'message ignored: it was not sealed here, is late or repeated');
  }

  private async claim(requestId: string): Promise<boolean> {
    const key = `${this.namespace}claim:${requestId}`;
    return (await this.redis.set(key, this.replicaId, 'PX', CLAIM_TTL_MS, 'NX')) === 'OK';
  }

  private replyChannelOf(pattern: string): string {
    return `${this.namespace}${pattern}.reply`;
  }

  /** Waits for a connection that is being made. @throws while Redis is away */
  private async connected(): Promise<void> {
    const { redis } = this;
    if (redis.status === 'connecting' || redis.status === 'connect') {
      this.connecting ??= settled(redis).finally(() => (this.connecting = undefined));
      await this.connecting;
    }
    if (redis.status !== 'ready') throw new Error('Redis is not connected');
  }
}

/** Replicas of the version before have invalidations without an envelope. */
function textOf(pattern: string, data: string): string {
  return pattern === INVALIDATIONS ? data : JSON.stringify({ data });
}

/** Resolves when an attempt to connect has ended. @throws when it has failed */
async function settled(redis: RedisClient): Promise<void> {
  const end = new AbortController();
  const { signal } = end;
  try {
    await Promise.race([once(redis, 'ready', { signal }), once(redis, 'close', { signal })]);
  } finally {
    end.abort();
  }
}

/** The hints in order, with those of one pattern together that follow each other. */
function runsOf(hints: readonly Hint[]): { pattern: string; payloads: unknown[] }[] {
  const runs: { pattern: string; payloads: unknown[] }[] = [];
  for (const { pattern, payload } of hints) {
    const last = runs.at(-1);
    const fits = last?.pattern === pattern && last.payloads.length < HINTS_PER_MESSAGE_MAX;
    if (fits) last.payloads.push(payload);
    else runs.push({ pattern, payloads: [payload] });
  }
  return runs;
}

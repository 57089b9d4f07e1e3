/**
 * Contains the faults of a hostile Redis: a bad reply may end its connection, never the process. ioredis
 * hands decoder faults to the connection, but throws three kinds outside of every handler: a null reply
 * that no command waits for; a message whose channel is null; and an exception of a listener. It also
 * sends commands of its own after a reconnection, handles no refusal, and forgets a subscription that is not
 * confirmed; `missingSubscriptions` names those.
 * The methods in question are replaced for all connections at once, because Sentinel, Cluster and BullMQ
 * open some of their own.
 */
import { type Command, Redis } from 'ioredis';
import ReplyHandlers, { type DataHandledable } from 'ioredis/built/DataHandler.js';
import { Decoder } from 'ioredis/built/resp/decoder.js';
import { ReplyScanner, UnreadableReply } from './reply-scanner.js';

interface ReplyHandler {
  redis: DataHandledable;
  dispatch(handle: () => void): void;
  shiftCommand(): unknown;
  returnReply: (this: ReplyHandler, reply: unknown) => void;
  handleSubscriberReply(reply: unknown): unknown;
  returnPush(reply: unknown): void;
}

interface Subscriptions {
  channels(command: 'subscribe'): string[];
}

const handlers = (ReplyHandlers as unknown as { default: { prototype: ReplyHandler } }).default
  .prototype;
const decoders: { write: (this: Decoder, chunk: Uint8Array) => void } = Decoder.prototype;
const decode = decoders.write;

const connections: { sendCommand: (this: Redis, command: Command, stream?: never) => unknown } =
  Redis.prototype;
const { sendCommand } = connections;

const SUBSCRIBE = /^[ps]?subscribe$/;
const PUBLISHED = /^[ps]?(?:message|(?:un)?subscribe)$/;
const UNSUBSCRIBE = /^[ps]?unsubscribe$/i;
const SENT_BY_IOREDIS = /^(select|[ps]?subscribe)$/i;

/** By decoder; none if a reply could not be read, after which nothing more is. */
const scanners = new WeakMap<Decoder, ReplyScanner | 'ended'>();
/** Handlers whose connection is being closed. */
const ended = new WeakSet<ReplyHandler>();

/** The channels to which a connection ever subscribed; nothing here unsubscribes. */
const channels = new WeakMap<Redis, Set<string>>();

const HANDLERS_OF_PUSHES = ['handleSubscriberReply', 'returnPush'] as const;

for (const method of ['dispatch', 'shiftCommand', 'returnReply', ...HANDLERS_OF_PUSHES] as const) {
  if (typeof handlers[method] !== 'function') throw new Error(`ioredis has no ${method}`);
}

decoders.write = function write(this: Decoder, chunk: Uint8Array): void {
  const scanner = scanners.get(this) ?? new ReplyScanner();
  if (scanner === 'ended') return;
  scanners.set(this, 'ended');
  scanner.scan(chunk);
  decode.call(this, chunk);
  scanners.set(this, scanner);
};

handlers.dispatch = function dispatch(this: ReplyHandler, handle: () => void): void {
  if (ended.has(this)) return;
  try {
    handle();
  } catch (error) {
    ended.add(this);
    const fault =
      error instanceof UnreadableReply
        ? error
        : new UnreadableReply((error as Error).message, { cause: error });
    this.redis.recoverFromFatalError(fault, fault, { offlineQueue: false });
  }
};

handlers.shiftCommand = function shiftCommand(this: ReplyHandler): unknown {
  const item = this.redis.commandQueue.shift();
  if (item === undefined) throw new UnreadableReply('no command waits for it');
  return item;
};

// An end of a subscription that no command asked for would leave its connection deaf, also after it is
// opened again: ioredis subscribes again only to what it believes to be subscribed to.
for (const method of HANDLERS_OF_PUSHES) {
  const handle = handlers[method];
  handlers[method] = function handleAsked(this: ReplyHandler, reply: unknown): unknown {
    const next = this.redis.commandQueue.peekFront()?.command.name ?? '';
    if (endsSubscription(reply) && !UNSUBSCRIBE.test(next)) {
      throw new UnreadableReply('no command ended the subscription');
    }
    return handle.call(this, reply);
  };
}

const { returnReply } = handlers;
handlers.returnReply = function returnConfirmed(this: ReplyHandler, reply: unknown): void {
  const command = this.redis.commandQueue.peekFront()?.command;
  if (command !== undefined && SUBSCRIBE.test(command.name) && !isPublished(reply)) {
    throw new UnreadableReply('it confirms no subscription');
  }
  returnReply.call(this, reply);
};

/** The channels that a connection asked for, and that are not confirmed. */
export function missingSubscriptions(connection: Redis): string[] {
  const { subscriber } = (connection.condition ?? {}) as { subscriber?: Subscriptions | false };
  const confirmed = new Set((subscriber || undefined)?.channels('subscribe'));
  return [...(channels.get(connection) ?? [])].filter((channel) => !confirmed.has(channel));
}

connections.sendCommand = function send(this: Redis, command, stream): unknown {
  // Callers still receive the fault of a command that they sent.
  if (SENT_BY_IOREDIS.test(command.name)) {
    command.promise.catch(() => undefined);
    if (command.name === 'subscribe') keepChannels(this, command);
  }
  return sendCommand.call(this, command, stream);
};

function keepChannels(connection: Redis, { args }: Pick<Command, 'args'>): void {
  const kept = channels.get(connection) ?? new Set();
  for (const channel of args) kept.add(String(channel));
  channels.set(connection, kept);
}

function isPublished(reply: unknown): boolean {
  return PUBLISHED.test(typeOf(reply));
}

function endsSubscription(reply: unknown): boolean {
  return UNSUBSCRIBE.test(typeOf(reply));
}

/** The first text of an array, such as `message`; empty for any other reply. */
function typeOf(reply: unknown): string {
  if (!Array.isArray(reply)) return '';
  const [type] = reply as unknown[];
  return Buffer.isBuffer(type) || typeof type === 'string' ? type.toString() : '';
}

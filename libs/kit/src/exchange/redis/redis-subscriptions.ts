import { type Redis } from 'ioredis';
import { type Logger } from 'pino';
import { closeRedis, redisConnection, type RedisSettings } from '../../redis/redis-connection.js';

export interface ChannelListener {
  receive(text: string): void;
  /** The channel is subscribed, for the first time or again. */
  subscribed(): void;
}

/** The subscriptions of a process, on a connection of their own, which the first one opens. */
export class RedisSubscriptions {
  private readonly listeners = new Map<string, ChannelListener>();
  private connection: Redis | undefined;

  constructor(
    private readonly settings: RedisSettings,
    private readonly logger: Logger,
  ) {}

  /** Subscribes to a channel, also whenever the connection is opened again. */
  add(channel: string, listener: ChannelListener): void {
    this.listeners.set(channel, listener);
    this.connection ??= this.connect();
    if (this.connection.status === 'ready') this.subscribe(this.connection, channel, listener);
  }

  async close(): Promise<void> {
    if (this.connection) await closeRedis(this.connection);
  }

  private connect(): Redis {
    const { settings, logger } = this;
    const connection = redisConnection(settings, 'subscriber', logger, { autoResubscribe: false });
    connection.on('message', (channel, text) => this.listeners.get(channel)?.receive(text));
    connection.on('ready', () => {
      for (const [channel, listener] of this.listeners) {
        this.subscribe(connection, channel, listener);
      }
    });
    return connection;
  }

  private subscribe(connection: Redis, channel: string, listener: ChannelListener): void {
    connection.subscribe(channel).then(
      () => listener.subscribed(),
      ({ message }: Error) => {
        this.logger.warn({ channel, reason: message }, 'subscribing to messages failed');
      },
    );
  }
}

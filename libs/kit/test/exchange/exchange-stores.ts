/** What all exchanges have in common is tested on both kinds. */
import { createTestDatabase, eventually, testRedis } from '@gatehouse/testing';
import { pino } from 'pino';
import {
  type Exchange,
  LocalExchanges,
  migrateQueues,
  redisExchange,
} from '../../src/exchange/index.js';

export interface ExchangeStore {
  readonly url: string;
  /** A process, perhaps with its own way to the store. */
  start(url?: string): ExchangeProcess;
  /** Waits until so many exchanges serve or hear a pattern. */
  subscribed(pattern: string, exchanges: number): Promise<void>;
  /** Also closes the processes. */
  close(): Promise<void>;
}

export interface ExchangeProcess {
  /** The exchange of a service, when it is connected. */
  open(service?: string): Promise<Exchange>;
  close(): Promise<void>;
}

/** Opens a store of each kind. */
export const STORES: [kind: string, open: () => Promise<ExchangeStore>][] = [
  ['Redis', openRedisStore],
  ['one process', openLocalStore],
];

function openRedisStore(): Promise<ExchangeStore> {
  const redis = testRedis();
  const { namespace } = redis;
  const logger = pino({ level: 'silent' });
  const messageKeys = ['m'.repeat(32)];
  const exchanges: Exchange[] = [];
  const closeAll = async (some: Exchange[]) => {
    await Promise.all(some.map((exchange) => exchange.close()));
  };
  return Promise.resolve({
    url: redis.url,
    start(url = redis.url) {
      const own: Exchange[] = [];
      return {
        async open(service = 'tests') {
          const exchange = redisExchange({
            redis: { url, namespace },
            service,
            messageKeys,
            logger,
          });
          own.push(exchange);
          exchanges.push(exchange);
          await eventually(() => expect(exchange.queues.isReady).toBe(true));
          return exchange;
        },
        close: () => closeAll(own),
      };
    },
    async subscribed(pattern, count) {
      const channel = namespace + pattern;
      await eventually(async () =>
        expect(await redis.client.pubsub('NUMSUB', channel)).toEqual([channel, count]),
      );
    },
    async close() {
      await closeAll(exchanges);
      await redis.cleanup();
    },
  });
}

async function openLocalStore(): Promise<ExchangeStore> {
  const database = await createTestDatabase();
  await migrateQueues(database.url);
  const processes = new Set<LocalExchanges>();
  return {
    url: database.url,
    start(url = database.url) {
      const exchanges = new LocalExchanges(url);
      processes.add(exchanges);
      return {
        open: (service = 'tests') => Promise.resolve(exchanges.of(service)),
        async close() {
          if (processes.delete(exchanges)) await exchanges.close();
        },
      };
    },
    subscribed: () => Promise.resolve(),
    async close() {
      await Promise.all([...processes].map((exchanges) => exchanges.close()));
      await database.drop();
    },
  };
}

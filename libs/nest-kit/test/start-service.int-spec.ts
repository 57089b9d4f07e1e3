import { Controller, Get, Module, Post, Body } from '@nestjs/common';
import { MessagePattern, EventPattern } from '@nestjs/microservices';
import {
  createTestDatabase,
  eventually,
  freePort,
  type TestDatabase,
  testRedis,
  type TestRedis,
} from '@gatehouse/testing';
import { exchange, statusesIn } from './raw-exchange.js';
import { loadConfig } from '@gatehouse/kit/settings';
import { ServiceConfig } from '../src/config/service.config.js';
import { DatabaseModule } from '../src/database/database.module.js';
import { createLogger } from '../src/logging/logger.js';
import { EventPublisher } from '../src/exchange/event-publisher.js';
import { MessageClient } from '../src/exchange/message-client.js';
import { type RunningService, startService } from '../src/http/start-service.js';

type TestPayloads = {
  'test.answer': { request: { n: number }; reply: { n: number } };
  'test.slow': { request: object; reply: { ok: boolean } };
};

const heard: string[] = [];
let finishSlow: () => void;
const slowIsFinished = new Promise<void>((resolve) => (finishSlow = resolve));

@Controller()
class EchoController {
  @Get('echo')
  echo() {
    return { ok: true };
  }

  @Post('echo')
  post(@Body() body: unknown) {
    return body;
  }

  @MessagePattern('test.answer')
  answer(question: { n: number }) {
    heard.push(`answer ${question.n}`);
    return { n: question.n + 1 };
  }

  @MessagePattern('test.slow')
  async slow() {
    heard.push('slow');
    await slowIsFinished;
    return { ok: true };
  }

  @EventPattern('test.happened')
  happened(event: { n: number }) {
    heard.push(`event ${event.n}`);
  }
}

let database: TestDatabase;
let redis: TestRedis;
const replicas: RunningService[] = [];

const definition = (
  redisUrl: string,
  settings: Record<string, string>,
  requestTimeoutMs?: number,
) => {
  const config = loadConfig(ServiceConfig, {
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.url,
    REDIS_URL: redisUrl,
    REDIS_NAMESPACE: redis.namespace,
    DRAIN_TIME: '0',
    ...settings,
  });
  @Module({
    imports: [DatabaseModule.forRoot({ config, schema: 'kit_test', entities: [], migrations: [] })],
    controllers: [EchoController],
  })
  class TestModule {}
  return {
    name: 'kit-test',
    config,
    module: TestModule,
    health: { database: true, exchange: 'required' as const },
    microservice: true,
    messages: { keys: ['m'.repeat(32)] },
    requestTimeoutMs,
  };
};

const start = async (
  redisUrl = redis.url,
  settings: Record<string, string> = {},
  requestTimeoutMs?: number,
) => {
  const replica = await startService(
    definition(redisUrl, settings, requestTimeoutMs),
    createLogger('kit-test', 'silent'),
  );
  replicas.push(replica);
  return replica;
};

beforeAll(async () => {
  database = await createTestDatabase();
  redis = testRedis();
});

afterEach(async () => {
  heard.length = 0;
  await Promise.all(replicas.splice(0).map((replica) => replica.close()));
});

afterAll(async () => {
  await redis.cleanup();
  await database.drop();
});

const get = async (replica: RunningService, path: string, headers: Record<string, string> = {}) =>
  fetch((await replica.app.getUrl()) + path, { headers });

/** The connection to Redis comes up in the background. */
const eventuallyAnswers = (replica: RunningService, path: string, status: number, body: object) =>
  eventually(async () => {
    const response = await get(replica, path);
    expect([response.status, await response.json()]).toEqual([status, body]);
  });

describe('a running service', () => {
  it('echoes a usable request id, makes one otherwise, and sends security headers', async () => {
    const replica = await start();
    const given = await get(replica, '/echo', { 'x-request-id': 'abc-1' });
    expect(given.headers.get('x-request-id')).toBe('abc-1');
    expect(given.headers.get('x-content-type-options')).toBe('nosniff');
    const made = await get(replica, '/echo', { 'x-request-id': 'a'.repeat(129) });
    expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}-\d+$/);
  });

  it('is alive and ready, and says its version', async () => {
    const replica = await start();
    for (const path of ['/health/alive', '/health/ready']) {
      await eventuallyAnswers(replica, path, 200, { status: 'ok' });
    }
    expect(await (await get(replica, '/version')).json()).toEqual({
      version: expect.any(String),
      revision: 'development',
    });
  });

  it('starts without Redis, serves, and names it as not ready', async () => {
    const replica = await start(`redis://127.0.0.1:${await freePort()}`);
    expect((await get(replica, '/echo')).status).toBe(200);
    const response = await get(replica, '/health/ready');
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({
      status: 'unavailable',
      errors: { redis: 'not reachable' },
    });
  });

  it('is ready without the store that the question excludes, and still names it', async () => {
    const replica = await start(`redis://127.0.0.1:${await freePort()}`);
    const response = await get(replica, '/health/ready?exclude=redis&exclude=unknown');
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: 'degraded', errors: { redis: 'not reachable' } },
    ]);
    expect((await get(replica, '/health/ready?exclude=database')).status).toBe(503);
  });

  it('cuts off a body that takes longer to arrive than a request may', async () => {
    const replica = await start(redis.url, {}, 1_000);
    const { port } = new URL(await replica.app.getUrl());
    const startedAt = performance.now();
    const head = 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    const { received } = await exchange(Number(port), (socket) => {
      socket.write(`${head}Content-Length: 100\r\n\r\n{`);
    });
    expect(statusesIn(received)).toEqual([408]);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it('lets one replica answer a request, and sends an event to all', async () => {
    const [replica] = [await start(), await start(), await start()];
    const client = replica.app.get<MessageClient<TestPayloads>>(MessageClient);
    // Subscriptions come up in the background: ask until all three listen.
    await eventually(async () => {
      const channel = `${redis.namespace}test.answer`;
      const [, count] = (await redis.client.pubsub('NUMSUB', channel)) as [string, number];
      expect(count).toBe(3);
    });
    for (let n = 0; n < 20; n++) {
      expect(await client.request('test.answer', { n })).toEqual({ n: n + 1 });
    }
    replica.app.get(EventPublisher).publish('test.happened', { n: 7 });
    await eventually(() => {
      expect(heard.filter((entry) => entry === 'event 7')).toHaveLength(3);
    });
    expect(heard.filter((entry) => entry.startsWith('answer'))).toHaveLength(20);
  });

  it('publishes the events of one turn together, and each handler gets each of them in order', async () => {
    const replica = await start();
    const channel = `${redis.namespace}test.happened`;
    await eventually(async () => {
      expect(await redis.client.pubsub('NUMSUB', channel)).toEqual([channel, 1]);
    });
    const messages: string[] = [];
    const subscriber = redis.client.duplicate();
    subscriber.on('message', (_channel, text) => messages.push(text));
    await subscriber.subscribe(channel);
    const events = Array.from({ length: 250 }, (_, n) => `event ${n}`);
    const publisher = replica.app.get(EventPublisher);
    events.forEach((_, n) => publisher.publish('test.happened', { n }));
    await eventually(() => expect(heard).toEqual(events));
    await eventually(() => expect(messages).toHaveLength(3));
    subscriber.disconnect();
  });

  it('answers every one of many callers that ask at different times', async () => {
    const [replica, other] = [await start(), await start()];
    await eventually(async () => {
      const channel = `${redis.namespace}test.answer`;
      expect(await redis.client.pubsub('NUMSUB', channel)).toEqual([channel, 2]);
    });
    const client = other.app.get<MessageClient<TestPayloads>>(MessageClient);
    const caller = async (start: number) => {
      for (let n = start; n < start + 100; n++) {
        expect(await client.request('test.answer', { n })).toEqual({ n: n + 1 });
        await new Promise((resolve) => setTimeout(resolve, n % 3));
      }
    };
    await Promise.all([caller(0), caller(1000), caller(2000)]);
    await replica.close({ urgent: true });
  });

  it('answers a request that it accepted, also when it is stopped meanwhile', async () => {
    const [replica, other] = [await start(), await start()];
    const channel = `${redis.namespace}test.slow`;
    await eventually(async () => {
      expect(await redis.client.pubsub('NUMSUB', channel)).toEqual([channel, 2]);
    });
    const answers = [1, 2, 3].map(() =>
      other.app.get<MessageClient<TestPayloads>>(MessageClient).request('test.slow', {}),
    );
    await eventually(() => expect(heard).toHaveLength(3));
    const stopped = replica.close({ urgent: true });
    finishSlow();
    expect(await Promise.all(answers)).toEqual([{ ok: true }, { ok: true }, { ok: true }]);
    await stopped;
  });

  it('fails a request at once, with a clear error, when Redis is away', async () => {
    const replica = await start(`redis://127.0.0.1:${await freePort()}`);
    const client = replica.app.get<MessageClient<TestPayloads>>(MessageClient);
    await expect(client.request('test.answer', { n: 1 })).rejects.toMatchObject({
      kind: 'unavailable',
    });
    expect(() => replica.app.get(EventPublisher).publish('test.happened', {})).not.toThrow();
  });
});

/** Two processes on one database and one Redis stay consistent. */
import { KeyRing } from '@gatehouse/crypto';
import { type Exchange, redisExchange, SealedMessages } from '@gatehouse/kit/exchange';
import { createLogger } from '@gatehouse/nest-kit/logging';
import { Channels } from '@gatehouse/schemas';
import {
  type Answer,
  checkPayload,
  CONTROL_PLANE,
  eventually,
  tcpProxy,
  type TcpProxy,
} from '@gatehouse/testing';
import { Redis } from 'ioredis';
import { type KeyServiceStack, startKeyService } from './key-stack.js';

let service: KeyServiceStack;

beforeAll(async () => {
  service = await startKeyService({}, 2);
});
afterAll(() => service.close());

/** Generous for a busy machine. Without the event it takes CACHE_TTL (30 s), or 5 s if unknown. */
const HINT_MS_MAX = 4_000;

const verifyOn = (replica: number, secret: string) => service.verify(secret, {}, { replica });
const cacheOn = async (replica: number, secret: string) =>
  (await verifyOn(replica, secret)).headers.get('x-cache');
const countSubscribers = async () => {
  const channel = service.redis.namespace + Channels.keysInvalidate;
  const counts = (await service.redis.client.call('PUBSUB', 'NUMSUB', channel)) as unknown[];
  return Number(counts[1]);
};

describe('two replicas', () => {
  it('both refuse a key as soon as it is revoked on one of them', async () => {
    const { secret, key } = await service.issue();
    for (const replica of [0, 1, 0, 1]) await verifyOn(replica, secret);
    expect([await cacheOn(0, secret), await cacheOn(1, secret)]).toEqual(['HIT', 'HIT']);
    await service.admin('POST', `/apiKeys/${key.key_id}:revoke`, {});
    await eventually(
      async () => {
        for (const replica of [0, 1]) {
          expect((await verifyOn(replica, secret)).body.error_code).toBe(
            'VERIFICATION_ERROR_REVOKED',
          );
        }
      },
      { timeoutMs: HINT_MS_MAX },
    );
  });

  it.each([
    ['update', (keyId: string) => service.admin('PATCH', `/issuedApiKeys/${keyId}`, { name: 'x' })],
    ['rotation', (keyId: string) => service.admin('POST', `/issuedApiKeys/${keyId}:rotate`, {})],
  ])('both drop a key after its %s', async (_, change) => {
    const { secret, key } = await service.issue();
    await verifyOn(1, secret);
    await change(key.key_id as string);
    await eventually(async () => expect(await cacheOn(1, secret)).toBe('MISS'), {
      timeoutMs: HINT_MS_MAX,
    });
  });

  it('both accept a raw key as soon as it is imported, though one had cached it as unknown', async () => {
    const raw_key = 'replicas-raw-key-0123456789';
    expect((await verifyOn(1, raw_key)).body.is_valid).toBe(false);
    await service.admin('POST', '/importedApiKeys', { raw_key, name: 'x', actor_id: 'x' });
    await eventually(async () => expect((await verifyOn(1, raw_key)).body.is_valid).toBe(true), {
      timeoutMs: HINT_MS_MAX,
    });
  });

  it('admit 50 of 200 concurrent verifications when the quota is 50', async () => {
    const { secret } = await service.issue({ rate_limit_policy: { quota: 50, window: '10m' } });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => verifyOn(index % 2, secret)),
    );
    const valid = answers.filter(({ body }) => body.is_valid);
    expect(valid).toHaveLength(50);
    const left = valid.map(({ body }) => Number(body.rate_limit_remaining)).sort((a, b) => b - a);
    expect(left).toEqual(Array.from({ length: 50 }, (_, index) => 49 - index));
    const codes = new Set(answers.map(({ body }) => body.error_code as string | undefined));
    expect(codes).toEqual(new Set([undefined, 'VERIFICATION_ERROR_RATE_LIMITED']));
  });

  it('complete exactly one of 20 concurrent rotations of a key', async () => {
    const { key } = await service.issue();
    const answers: Answer[] = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        service.admin('POST', `/issuedApiKeys/${key.key_id}:rotate`, {}, { replica: index % 2 }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  it('sign with one key, and accept the tokens of each other', async () => {
    const sets = await Promise.all(
      [0, 1].map((replica) =>
        service.call('GET', '/v2alpha1/derivedKeys/jwks.json', undefined, { replica }),
      ),
    );
    expect(sets[0]?.body.keys).toHaveLength(1);
    expect(sets[0]?.body).toEqual(sets[1]?.body);
    const { secret } = await service.issue();
    for (const algorithm of [1, 2]) {
      const { body } = await service.admin('POST', '/apiKeys:derive', {
        credential: secret,
        algorithm,
      });
      expect((await verifyOn(1, body.token.token as string)).body.is_valid).toBe(true);
    }
  });

  it('verify cached keys when they lose both stores, and clear their caches when Redis is back', async () => {
    const ways = await Promise.all([service.redis.url, service.database.serviceUrl].map(tcpProxy));
    const [redis, database] = ways as [TcpProxy, TcpProxy];
    try {
      const subscribers = await countSubscribers();
      const lone = await service.start({ REDIS_URL: redis.url, DATABASE_URL: database.url });
      const replica = service.replicas.indexOf(lone);
      const { secret } = await service.issue();
      // A subscription clears the cache, also the first one.
      await eventually(async () => expect(await countSubscribers()).toBe(subscribers + 1));
      await lone.http.send('GET', '/health/ready');
      await verifyOn(replica, secret);
      await Promise.all(ways.map((way) => way.cut()));
      await eventually(async () => {
        const { body } = await lone.http.send('GET', '/health/ready');
        expect(Object.keys(body.errors as object).sort()).toEqual(['database', 'redis']);
      });
      expect((await verifyOn(replica, secret)).body.is_valid).toBe(true);
      expect(await cacheOn(replica, secret)).toBe('HIT');
      await Promise.all(ways.map((way) => way.mend()));
      await eventually(async () => expect(await cacheOn(replica, secret)).toBe('MISS'), {
        timeoutMs: HINT_MS_MAX,
      });
      await lone.stop();
    } finally {
      await Promise.all(ways.map((way) => way.close()));
    }
  });

  it('clear their caches when they were disconnected from Redis', async () => {
    const { secret } = await service.issue();
    await verifyOn(1, secret);
    expect(await cacheOn(1, secret)).toBe('HIT');
    await service.redis.client.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await eventually(async () => expect(await cacheOn(1, secret)).toBe('MISS'), {
      timeoutMs: HINT_MS_MAX,
    });
    await eventually(
      async () => {
        await verifyOn(0, secret);
        await verifyOn(1, secret);
        expect([await cacheOn(0, secret), await cacheOn(1, secret)]).toEqual(['HIT', 'HIT']);
      },
      { timeoutMs: HINT_MS_MAX },
    );
  });
});

describe('over Redis', () => {
  let exchange: Exchange;
  beforeAll(async () => {
    exchange = redisExchange({
      redis: service.redis,
      service: 'tests',
      messageKeys: [CONTROL_PLANE.MESSAGE_KEYS],
      logger: createLogger('test', 'silent'),
    });
    // A message without a subscriber is lost: both replicas must have subscribed again.
    await eventually(async () => {
      const channel = `${service.redis.namespace}keys.verify`;
      expect(await service.redis.client.pubsub('NUMSUB', channel)).toEqual([channel, 2]);
    });
  });
  afterAll(() => exchange.close());
  const ask = async (payload: unknown) => {
    const reply = await exchange.messages.request('keys.verify', payload, 5_000);
    checkPayload('keys.verify', 'request', payload);
    checkPayload('keys.verify', 'reply', reply);
    return reply;
  };

  it('keys.verify gives the result of the HTTP route, from one replica', async () => {
    const { secret } = await service.issue({
      scopes: ['a'],
      rate_limit_policy: { quota: 100, window: '1h' },
    });
    for (let time = 1; time <= 10; time += 1) {
      const result = await ask({ credential: secret });
      expect(result).toMatchObject({
        is_valid: true,
        scopes: ['a'],
        rate_limit_remaining: String(100 - time),
      });
    }
    expect(await ask({ credential: secret, required_scopes: ['b'] })).toMatchObject({
      error_code: 'VERIFICATION_ERROR_INSUFFICIENT_SCOPE',
    });
    expect(await ask({ credential: 'unknown' })).toMatchObject({
      error_code: 'VERIFICATION_ERROR_NOT_FOUND',
    });
  });

  it('keys.verify has no address, so it refuses keys that are bound to one', async () => {
    const { secret, key } = await service.issue({
      ip_restriction: { allowed_cidrs: ['0.0.0.0/0'] },
    });
    const error_code = 'VERIFICATION_ERROR_IP_NOT_ALLOWED';
    expect(await ask({ credential: secret })).toMatchObject({ is_valid: false, error_code });
    await eventually(async () => {
      const { body } = await service.admin('GET', `/apiKeys/${key.key_id}/refusals`);
      expect(body.refusals).toMatchObject([{ error_code, network: '', count: '1' }]);
    });
  });

  it.each([{}, { credential: 7 }, [], 'text'])('keys.verify refuses %j', async (payload) => {
    await expect(ask(payload)).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/^(credential|body): must/) },
    });
  });

  it('every change is published after its commit, under its type', async () => {
    const subscriber = new Redis(service.redis.url);
    const { namespace } = service.redis;
    const sealed = new SealedMessages(KeyRing.fromTexts([CONTROL_PLANE.MESSAGE_KEYS]), 'tests');
    const events: { pattern: string; data: { type: string; key_id: string } }[] = [];
    subscriber.on('pmessage', (_pattern, channel: string, text: string) => {
      const pattern = channel.slice(namespace.length);
      const { data } = JSON.parse(text) as { data: string };
      for (const event of sealed.openEvents(pattern, data)) {
        events.push({ pattern, data: event.data as { type: string; key_id: string } });
      }
    });
    await subscriber.psubscribe(`${namespace}key.*`, `${namespace}token.*`);

    const { secret, key } = await service.issue();
    const path = `/issuedApiKeys/${key.key_id}`;
    await service.admin('PATCH', path, { name: 'x' });
    await service.admin('POST', '/apiKeys:derive', { credential: secret });
    const { body } = await service.admin('POST', `${path}:rotate`, {});
    const made = body.issued_api_key.key_id as string;
    await service.admin('POST', `/apiKeys/${made}:revoke`, {});
    const fields = { raw_key: 'published-raw-key', name: 'x', actor_id: 'x' };
    const imported = await service.admin('POST', '/importedApiKeys', fields);
    await service.admin('DELETE', `/importedApiKeys/${imported.body.key_id}`);
    await service.admin('PATCH', path, { scopes: ['white space'] });

    await eventually(() => expect(events).toHaveLength(7));
    expect(events.map(({ data }) => [data.type, data.key_id])).toEqual([
      ['key.issued', key.key_id],
      ['key.updated', key.key_id],
      ['token.derived', key.key_id],
      ['key.rotated', made],
      ['key.revoked', made],
      ['key.imported', imported.body.key_id],
      ['key.deleted', imported.body.key_id],
    ]);
    for (const { data } of events) checkPayload(data.type, 'event', data);
    expect(events.map(({ pattern }) => pattern)).toEqual(events.map(({ data }) => data.type));
    await subscriber.quit();
  });
});

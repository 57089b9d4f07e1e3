/** Behavior while Redis or PostgreSQL is unavailable. */
import { eventually, orClose, type TcpProxy, tcpProxy } from '@gatehouse/testing';
import { Client } from 'pg';
import { type KeyServiceStack, startKeyService } from './key-stack.js';

const wayToRedis = () => tcpProxy(process.env.TEST_REDIS_URL ?? '');

const limited = { rate_limit_policy: { quota: 1, window: '1h' } };

describe.each(['open', 'closed'])('without Redis, RATE_LIMIT_ON_ERROR=%s', (onError) => {
  let redis: TcpProxy;
  let service: KeyServiceStack;
  beforeAll(async () => {
    redis = await wayToRedis();
    const settings = {
      REDIS_URL: redis.url,
      RATE_LIMIT_ON_ERROR: onError,
      CACHE_TTL: '2s',
    };
    service = await orClose(redis.close, () => startKeyService(settings));
  });
  afterAll(async () => {
    await service.close();
    await redis.close();
  });

  it('all key operations work, and health names the missing store', async () => {
    const known = await service.issue();
    await service.verify(known.secret);
    await redis.cut();
    await eventually(async () => {
      const ready = await service.call('GET', '/health/ready');
      expect(ready.status).toBe(503);
      expect(Object.keys(ready.body.errors as object)).toEqual(['redis']);
    });
    expect((await service.call('GET', '/health/alive')).status).toBe(200);
    const { secret, key } = await service.issue();
    expect((await service.verify(secret)).body.is_valid).toBe(true);
    const derived = await service.admin('POST', '/apiKeys:derive', { credential: secret });
    expect(derived.status).toBe(200);
    expect((await service.admin('POST', `/apiKeys/${key.key_id}:revoke`, {})).status).toBe(204);
    expect((await service.verify(secret)).body.error_code).toBe('VERIFICATION_ERROR_REVOKED');
  });

  it('holders can revoke their keys, with a limit of attempts', async () => {
    const { secret } = await service.issue();
    const guesses = Array.from({ length: 30 }, (_, index) => `guess-${index}`);
    const statuses: number[] = [];
    for (const credential of [secret, ...guesses, secret]) {
      const path = '/v2alpha1/apiKeys:selfRevoke';
      statuses.push((await service.call('POST', path, { credential })).status);
    }
    expect(statuses).toEqual([200, ...guesses.slice(1).map(() => 404), 429, 429]);
  });

  it('each named limit fails as it says, and credits are spent as before', async () => {
    const limit = { name: 'l', quota: 1, window: '1h' };
    const isValid = async (on_error: string, more = {}) => {
      const fields = { rate_limits: [{ ...limit, on_error }], credits: { remaining: 1 } };
      const { secret } = await service.issue(fields);
      const { body, headers } = await service.verify(secret, more);
      expect(body.rate_limits).toEqual([
        {
          name: 'l',
          quota: '1',
          reset_time: null,
          exceeded: body.is_valid !== true,
          ...(body.is_valid !== true && { retry_after: '1s' }),
        },
      ]);
      expect(headers.get('retry-after')).toBe(body.is_valid === true ? null : '1');
      return [body.is_valid, body.credits?.remaining] as unknown;
    };
    expect(await isValid('allow')).toEqual([true, '0']);
    expect(await isValid('deny')).toEqual([false, undefined]);
    expect(await isValid('deny', { limits: [{ name: 'l', cost: 0 }] })).toEqual([true, '0']);
  });

  it(`rate limits fail ${onError}, and count again when Redis is back`, async () => {
    const { secret } = await service.issue(limited);
    for (let time = 0; time < 3; time += 1) {
      const { status, headers, body } = await service.verify(secret);
      expect([status, body.is_valid]).toEqual([200, onError === 'open']);
      expect(body).not.toHaveProperty('rate_limit_remaining');
      expect(headers.get('retry-after')).toBe(onError === 'open' ? null : '1');
    }
    const metrics = await service.replicas[0]?.metrics();
    expect(metrics).toMatch(/key_rate_limit_failures_total [1-9]/);
    await eventually(() =>
      expect(service.replicas[0]?.logs().includes('rate limits are not counted')).toBe(true),
    );
    await redis.mend();
    await eventually(async () => {
      expect((await service.call('GET', '/health/ready')).status).toBe(200);
      expect((await service.verify(secret)).body.error_code).toBe(
        'VERIFICATION_ERROR_RATE_LIMITED',
      );
    });
  });
});

describe('when Redis stops responding', () => {
  let redis: TcpProxy;
  let service: KeyServiceStack;
  beforeAll(async () => {
    redis = await wayToRedis();
    service = await orClose(redis.close, () => startKeyService({ REDIS_URL: redis.url }));
  });
  afterAll(async () => {
    await service.close();
    await redis.close();
  });

  const secondsOf = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    return (performance.now() - startedAt) / 1000;
  };

  it('one rate-limited verification at a time waits for it, and a change does not', async () => {
    const { secret, key } = await service.issue({ rate_limit_policy: { quota: 9, window: '1h' } });
    const verify = () => secondsOf(() => service.verify(secret));
    await verify();
    redis.silence();
    const silentSince = performance.now();
    const sent: { afterMs: number; waited: Promise<number> }[] = [];
    while (performance.now() - silentSince < 5_000) {
      sent.push({ afterMs: performance.now() - silentSince, waited: verify() });
      // Sets the pace.
      for (let time = 0; time < 5; time += 1) await service.call('GET', '/health/alive');
    }
    // The first ones wait for the timeout of two seconds, at which the service notices.
    const later = sent.filter(({ afterMs }) => afterMs > 2_500);
    const waits = await Promise.all(later.map(({ waited }) => waited));
    expect(waits.length).toBeGreaterThan(20);
    expect(waits.filter((wait) => wait > 1).length).toBeLessThanOrEqual(2);
    const path = `/apiKeys/${key.key_id}:revoke`;
    expect(await secondsOf(() => service.admin('POST', path, {}))).toBeLessThan(1.5);
  });
});

describe('without Redis, two replicas', () => {
  it('a revocation on one takes effect on the other within CACHE_TTL', async () => {
    const redis = await wayToRedis();
    const settings = { REDIS_URL: redis.url, CACHE_TTL: '2s' };
    const service = await orClose(redis.close, () => startKeyService(settings, 2));
    try {
      await redis.cut();
      const { secret, key } = await service.issue();
      await service.verify(secret, {}, { replica: 1 });
      await service.admin('POST', `/apiKeys/${key.key_id}:revoke`, {});
      const revokedAt = performance.now();
      for (;;) {
        const askedAt = performance.now();
        const { body } = await service.verify(secret, {}, { replica: 1 });
        if (body.error_code === 'VERIFICATION_ERROR_REVOKED') break;
        expect(askedAt - revokedAt).toBeLessThan(2_000);
      }
    } finally {
      await service.close();
    }
  });
});

describe('without Redis, the cache', () => {
  it('keeps its keys for CACHE_TTL, while the service tries to reconnect', async () => {
    const redis = await wayToRedis();
    const service = await orClose(redis.close, () => startKeyService({ REDIS_URL: redis.url }));
    try {
      await redis.cut();
      const { secret } = await service.issue();
      const cache = async () => (await service.verify(secret)).headers.get('x-cache');
      // Clears the cache once, when the connection is lost.
      await eventually(async () => expect(await cache()).toBe('HIT'));
      const until = performance.now() + 3_000;
      while (performance.now() < until) expect(await cache()).toBe('HIT');
    } finally {
      await service.close();
    }
  });
});

/** Terminates every connection to a database and refuses new ones. */
const closeDatabase = async (url: string): Promise<void> => {
  const name = new URL(url).pathname.slice(1);
  const client = new Client(process.env.TEST_DATABASE_URL);
  await client.connect();
  await client.query(`ALTER DATABASE "${name}" WITH ALLOW_CONNECTIONS false`);
  await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
    name,
  ]);
  await client.end();
};

describe('without PostgreSQL', () => {
  it('cached keys verify, others answer INTERNAL, changes answer 503 without details', async () => {
    const service = await startKeyService();
    try {
      const { secret, key } = await service.issue();
      const other = await service.issue();
      await service.verify(secret);
      await closeDatabase(service.database.url);
      expect((await service.verify(secret)).body.is_valid).toBe(true);
      // A wrong checksum and a foreign token need no lookup.
      const [last] = other.secret.slice(-1);
      const tampered = other.secret.slice(0, -1) + (last === 'a' ? 'b' : 'a');
      expect((await service.verify(tampered)).body.error_code).toBe('VERIFICATION_ERROR_NOT_FOUND');
      expect(
        (await service.verify('eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2ln')).body.error_code,
      ).toBe('VERIFICATION_ERROR_SIGNATURE_INVALID');
      const unknown = await service.verify(other.secret);
      expect([unknown.status, unknown.body.error_code]).toEqual([
        200,
        'VERIFICATION_ERROR_INTERNAL',
      ]);
      const gateway = await service.admin('GET', '/apiKeys:authorize', undefined, {
        headers: { 'x-api-key': other.secret },
      });
      expect(gateway.status).toBe(503);
      const revoked = await service.admin('POST', `/apiKeys/${key.key_id}:revoke`, {});
      expect([500, 503]).toContain(revoked.status);
      expect(JSON.stringify(revoked.body)).not.toMatch(/postgres|database|sql/i);
      const ready = await service.call('GET', '/health/ready');
      expect([ready.status, Object.keys(ready.body.errors as object)]).toEqual([503, ['database']]);
    } finally {
      await service.close();
    }
  });
});

describe('when PostgreSQL ends a connection', () => {
  it('during a change: it answers 503, and the process keeps running', async () => {
    const service = await startKeyService();
    const client = new Client(service.database.url);
    await client.connect();
    try {
      await client.query('BEGIN; LOCK TABLE keys.api_keys');
      const issue = () => service.admin('POST', '/issuedApiKeys', { name: 'n', actor_id: 'a' });
      const answer = issue();
      await eventually(async () => {
        const { rowCount } = await client.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        expect(rowCount).toBe(1);
      });
      expect((await answer).status).toBe(503);
      await client.query('ROLLBACK');
      expect((await issue()).status).toBe(201);
    } finally {
      await client.end();
      await service.close();
    }
  });
});

describe('when PostgreSQL stops responding', () => {
  it('a verification times out, and new connections are used', async () => {
    const service = await startKeyService();
    const way = await tcpProxy(service.database.serviceUrl);
    try {
      await service.start({ DATABASE_URL: way.url, DATABASE_POOL_MAX: '1' });
      const { secret } = await service.issue();
      way.silence();
      const lost = await service.verify(secret, {}, { replica: 1 });
      expect(lost.body.error_code).toBe('VERIFICATION_ERROR_INTERNAL');
      expect((await service.verify(secret, {}, { replica: 1 })).body.is_valid).toBe(true);
    } finally {
      await service.close();
      await way.close();
    }
  });

  it('a change answers 503 and releases its connection', async () => {
    const service = await startKeyService();
    const way = await tcpProxy(service.database.serviceUrl);
    try {
      await service.start({ DATABASE_URL: way.url, DATABASE_POOL_MAX: '1' });
      const body = { name: 'n', actor_id: 'a' };
      way.silence();
      const options = { replica: 1 };
      expect((await service.admin('POST', '/issuedApiKeys', body, options)).status).toBe(503);
      expect((await service.admin('POST', '/issuedApiKeys', body, options)).status).toBe(201);
    } finally {
      await service.close();
      await way.close();
    }
  });
});

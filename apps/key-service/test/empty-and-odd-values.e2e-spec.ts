/** Edge cases: empty values, the other spelling of names, malformed HTTP, and concurrent changes. */
import { connect } from 'node:net';
import { eventually } from '@gatehouse/testing';
import { type KeyServiceStack, namedFields, startKeyService } from './key-stack.js';

let service: KeyServiceStack;

beforeAll(async () => {
  service = await startKeyService();
});
afterAll(() => service.close());

const POLICY = { quota: '5', window: '60s' };

describe('rate_limit_policy', () => {
  it.each([undefined, null, {}])('is reset by a mask that names it and by %j', async (empty) => {
    const { key } = await service.issue({ rate_limit_policy: POLICY });
    const body = { issued_api_key: { key_id: key.key_id, rate_limit_policy: empty } };
    const path = `/issuedApiKeys/${key.key_id}?update_mask=rate_limit_policy`;
    const answer = await service.admin('PATCH', path, body);
    expect([answer.status, answer.body.rate_limit_policy]).toEqual([200, null]);
  });

  it.each([{ quota: '5' }, { window: '60s' }, [], ''])(
    'is not set to a part of one: %j',
    async (part) => {
      const { key } = await service.issue({ rate_limit_policy: POLICY });
      const body = { issued_api_key: { rate_limit_policy: part } };
      const path = `/issuedApiKeys/${key.key_id}?update_mask=rate_limit_policy`;
      expect((await service.admin('PATCH', path, body)).status).toBe(400);
    },
  );

  it.each(['', null, undefined])('must have a window: %j', async (window) => {
    const answer = await service.admin('POST', '/issuedApiKeys', {
      name: 'x',
      actor_id: 'x',
      rate_limit_policy: { quota: '5', window },
    });
    expect([answer.status, namedFields(answer)]).toEqual([400, ['rate_limit_policy.window']]);
  });
});

describe('concurrent batches of the same keys in opposite orders', () => {
  it('import each key once, and neither fails because of the other', async () => {
    for (let round = 0; round < 3; round += 1) {
      const requests = Array.from({ length: 600 }, (_, index) => ({
        name: 'x',
        actor_id: 'x',
        raw_key: `batch-${round}-${index}`,
      }));
      const batches = [requests, requests.toReversed(), requests, requests.toReversed()];
      const answers = await Promise.all(
        batches.map((items) =>
          service.admin('POST', '/importedApiKeys:batchCreate', { requests: items }),
        ),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, 409, 409, 409]);
    }
  });
});

describe('custom_claims', () => {
  it('may have any name that is not reserved, in a macaroon too', async () => {
    const { secret, key } = await service.issue();
    const { body } = await service.admin('POST', '/apiKeys:derive', {
      credential: secret,
      algorithm: 'TOKEN_ALGORITHM_MACAROON',
      custom_claims: { root: 'x', claims: { sub: 'x' }, sub: 'dropped' },
    });
    expect(body.token.claims).toMatchObject({ root: 'x', claims: { sub: 'x' }, sub: key.key_id });
    const { body: result } = await service.verify(body.token.token as string);
    expect(result).toMatchObject({ is_valid: true, key_id: key.key_id });
  });
});

describe('the query of a list', () => {
  it.each(['/issuedApiKeys', '/importedApiKeys', '/auditEvents'])(
    '%s takes its names in lowerCamelCase, and any size over the limit',
    async (path) => {
      for (const raw_key of ['odd-list-1', 'odd-list-2']) {
        await service.admin('POST', '/importedApiKeys', { name: 'x', actor_id: 'x', raw_key });
        await service.issue();
      }
      const rows = (body: object) => Object.values(body)[0] as unknown[];
      const { body: all } = await service.admin('GET', `${path}?page_size=${'9'.repeat(9)}`);
      const { body: first } = await service.admin('GET', `${path}?pageSize=1`);
      const next = `${path}?pageSize=1&pageToken=${first.next_page_token}`;
      const { body: second } = await service.admin('GET', next);
      expect([...rows(first), ...rows(second)]).toEqual(rows(all).slice(0, 2));
    },
  );
});

describe('a rotation', () => {
  it('inherits an update that was committed while it waited for the key', async () => {
    const { key } = await service.issue({ scopes: ['read', 'write'] });
    await service.database.query('BEGIN');
    await service.database.query(
      `UPDATE keys.api_keys SET scopes = '{read}', name = 'narrowed' WHERE key_id = $1`,
      [key.key_id],
    );
    const rotated = service.admin('POST', `/issuedApiKeys/${key.key_id}:rotate`, {});
    await eventually(async () => {
      const waiting = await service.database.query(
        'SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))',
      );
      expect(waiting).toHaveLength(1);
    });
    await service.database.query('COMMIT');
    const { status, body } = await rotated;
    expect(status).toBe(201);
    expect(body.issued_api_key).toMatchObject({ scopes: ['read'], name: 'narrowed' });
  });
});

describe('malformed HTTP', () => {
  const answerTo = (text: string) =>
    new Promise<string>((resolve) => {
      const { port } = new URL(service.replicas[0]?.url ?? '');
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(text));
      let received = '';
      socket.on('data', (chunk) => (received += chunk.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(received));
    });

  it.each([
    ['broken syntax', 'NONSENSE\r\n\r\n', 400, 'INVALID_ARGUMENT'],
    ['an invalid length', 'POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n', 400, 'INVALID_ARGUMENT'],
    ['NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n', 400, 'INVALID_ARGUMENT'],
    ['no Host', 'GET /health/alive HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'HOST_MISSING'],
    [
      'an unsupported expectation',
      'GET / HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n',
      417,
      'EXPECTATION_FAILED',
    ],
    [
      'long headers',
      `GET / HTTP/1.1\r\nX-A: ${'a'.repeat(17_000)}\r\n\r\n`,
      431,
      'HEADER_TOO_LARGE',
    ],
  ])('%s: the error body, an id and the security headers', async (_, text, status, reason) => {
    const [head = '', body = ''] = (await answerTo(text)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toMatch(/\r\nx-request-id: [\x21-\x7e]+\r\n/);
    expect(head).toContain('\r\nx-content-type-options: nosniff\r\n');
    expect(JSON.parse(body)).toMatchObject({
      error: { code: status, status: 'INVALID_ARGUMENT', details: [{ reason }] },
    });
  });
});

describe('a body over the limit', () => {
  it('is answered to a client that is still sending, every time', async () => {
    const body = JSON.stringify({ x: 'x'.repeat(6 * 1024 * 1024) });
    for (const path of ['/issuedApiKeys', '/apiKeys:verify', '/importedApiKeys:batchCreate']) {
      for (let round = 0; round < 5; round += 1) {
        expect((await service.admin('POST', path, body)).status).toBe(413);
      }
    }
  });
});

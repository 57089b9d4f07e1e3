/** Properties of every route: names, ids, headers, error bodies, health. */
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { connect } from 'node:net';
import { type KeyServiceStack, namedFields, reasonOf, startKeyService } from './key-stack.js';

let service: KeyServiceStack;

beforeAll(async () => {
  service = await startKeyService();
});
afterAll(() => service.close());

describe('every answer', () => {
  it('carries the security headers and the request id', async () => {
    for (const [method, path, body] of [
      ['GET', '/health/alive', undefined],
      ['POST', '/v2alpha1/admin/apiKeys:verify', { credential: 'x' }],
      ['POST', '/v2alpha1/admin/apiKeys:verify', '{'],
      ['GET', '/nowhere', undefined],
      ['POST', '/nowhere', '{'],
      ['GET', '/%E0%A4%A', undefined],
    ] as const) {
      const { headers } = await service.call(method, path, body, {
        headers: { 'x-request-id': 'my-id_1/2' },
      });
      expect(headers.get('x-request-id')).toBe('my-id_1/2');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('content-type')).toContain('application/json');
    }
  });

  it.each(['', 'white space', 'x'.repeat(129), 'ünïcode'])(
    'has a new request id if the given one is invalid: %j',
    async (id) => {
      const headers = { 'x-request-id': Buffer.from(id).toString('latin1') };
      const answer = await service.call('GET', '/health/alive', undefined, { headers });
      expect(answer.headers.get('x-request-id')).toMatch(/^[\x21-\x7e]{1,128}$/);
      expect(answer.headers.get('x-request-id')).not.toBe(id);
    },
  );

  it.each([
    ['GET', '/', 404],
    ['GET', '/v2alpha1/admin/apiKeys:verify', 405],
    ['PUT', '/v2alpha1/admin/issuedApiKeys', 405],
    ['POST', '/v2alpha1/admin/issuedApiKeys/x:unknown', 404],
    ['POST', '/v2alpha1/admin/issuedApiKeys/x:rotate:rotate', 404],
    ['DELETE', '/v2alpha1/admin/issuedApiKeys/01900000-0000-7000-8000-000000000000', 405],
    ['POST', '/v2alpha1/derivedKeys/jwks.json', 405],
    ['GET', '/v3/admin/issuedApiKeys', 404],
    ['GET', '/metrics', 404],
    ['GET', '/%E0%A4%A', 400],
  ])('%s %s is %d with the error body', async (method, path, status) => {
    const answer = await service.call(method, path);
    expect(answer.status).toBe(status);
    expect(answer.body.error).toEqual({
      code: status,
      status: status === 404 ? 'NOT_FOUND' : 'INVALID_ARGUMENT',
      message: expect.any(String),
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: expect.any(String),
          domain: 'keys.gatehouse',
          metadata: {},
        },
      ],
    });
  });

  it.each([
    ['GET', '/v2alpha1/admin/apiKeys:verify', 'POST'],
    ['PUT', '/v2alpha1/admin/issuedApiKeys', 'GET, HEAD, POST'],
    ['DELETE', '/v2alpha1/admin/issuedApiKeys/x', 'GET, HEAD, PATCH'],
    ['POST', '/v2alpha1/derivedKeys/jwks.json', 'GET, HEAD'],
    ['DELETE', '/health/alive', 'GET, HEAD'],
    ['POST', '/openapi.json', 'GET, HEAD'],
  ])('405 for %s %s, with the methods that are allowed', async (method, path, allow) => {
    const answer = await service.call(method, path);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
    expect(answer.body.error.details[0].reason).toBe('METHOD_NOT_ALLOWED');
  });

  it('404 for an unknown path, with any body', async () => {
    for (const path of [
      '/nowhere',
      '/v2alpha1/admin/nothing',
      '/v2alpha1/admin/apiKeys/x:rotate',
    ]) {
      for (const [body, type] of [
        ['{', 'application/json'],
        ['x'.repeat(5 * 1024 * 1024), 'application/json'],
        ['<x/>', 'application/xml'],
      ] as const) {
        const headers = { 'content-type': type };
        const answer = await service.call('POST', path, body, { headers });
        expect([path, type, answer.status]).toEqual([path, type, 404]);
        expect(answer.body.error.status).toBe('NOT_FOUND');
      }
    }
  });

  it('that contains a secret is kept out of caches', async () => {
    const issued = await service.admin('POST', '/issuedApiKeys', { name: 'x', actor_id: 'x' });
    const { secret, issued_api_key: key } = issued.body;
    // Twice: the second derivation is answered below Fastify.
    const answers = [issued, await service.derive(secret), await service.derive(secret)];
    answers.push(await service.admin('POST', `/issuedApiKeys/${key.key_id}:rotate`, {}));
    expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(
      answers.map(() => 'no-store'),
    );
  });

  it('names fields in a BadRequest detail', async () => {
    const { body } = await service.admin('POST', '/issuedApiKeys', { actor_id: 'x' });
    expect(body.error).toMatchObject({
      code: 400,
      status: 'INVALID_ARGUMENT',
      message: 'name: must not be empty',
      details: [
        { reason: 'INVALID_ARGUMENT' },
        {
          '@type': 'type.googleapis.com/google.rpc.BadRequest',
          field_violations: [{ field: 'name', description: 'must not be empty' }],
        },
      ],
    });
  });
});

it('the message of an error names every fault', async () => {
  const body = { nam: 'x', actor: 'x', scope: [] };
  const { body: refused } = await service.admin('POST', '/issuedApiKeys', body);
  expect(refused.error.message.split('; ')).toEqual([
    'name: must not be empty',
    'actor_id: must not be empty',
    'nam: is not a known field',
    'did you mean "name"?',
    'actor: is not a known field',
    'did you mean "actor_id"?',
    'scope: is not a known field',
    'did you mean "scopes"?',
  ]);
});

it('broken JSON is located, and not repeated', async () => {
  const { secret } = await service.issue();
  for (const path of ['/issuedApiKeys', '/apiKeys:verify', '/apiKeys:derive']) {
    const answer = await service.admin('POST', path, `{\n  "credential": "${secret}",\n}`);
    expect([answer.status, answer.body.error.message]).toEqual([
      400,
      'The body is not valid JSON: line 3, column 1.',
    ]);
  }
});

describe('hostile input', () => {
  const status = (headers: Record<string, string>, body: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const url = `${service.replicas[0]?.url}/v2alpha1/admin/apiKeys:verify`;
      const outgoing = request(url, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });

  it('oversized headers are 431, and the process keeps running', async () => {
    const headers = { 'content-type': 'application/json', 'x-long': 'x'.repeat(20_000) };
    expect(await status(headers, '{}')).toBe(431);
    expect((await service.verify('x')).status).toBe(200);
  });

  it.each([
    ['deep arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['deep objects', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
    ['a deep credential', `{"credential":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    ['many members', `{${Array.from({ length: 50_000 }, (_, i) => `"k${i}":1`).join(',')}}`],
    ['a prototype', '{"credential":"x","constructor":{"prototype":{}}}'],
  ])('%s: 400', async (_, body) => {
    const answer = await service.admin('POST', '/apiKeys:verify', body);
    expect(answer.status).toBe(400);
    const issued = await service.admin('POST', '/issuedApiKeys', body);
    expect(issued.status).toBe(400);
  });

  it('invalid UTF-8 is 400, and never matches the text that it would decode to', async () => {
    const key = 'odd-\ufffd-key';
    const value = createHash('sha256').update(key).digest('hex');
    const hash = { algorithm: 'HASH_ALGORITHM_SHA256', value };
    const fields = { name: key, actor_id: 'x', hash };
    expect((await service.admin('POST', '/importedApiKeys', fields)).status).toBe(201);
    const known = [await service.verify(key), await service.verify(key)];
    expect(known.map(({ headers }) => headers.get('x-cache'))).toEqual(['MISS', 'HIT']);
    const odd = (json: string) => Buffer.from(json.replace('\ufffd', '\u00ff'), 'latin1');
    for (const [path, body] of [
      ['/apiKeys:verify', { credential: key }],
      ['/apiKeys:derive', { credential: key }],
      ['/importedApiKeys', fields],
      ['/issuedApiKeys', { name: key, actor_id: 'x' }],
    ] as const) {
      const url = `${service.replicas[0]?.url}/v2alpha1/admin${path}`;
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(url, { method: 'POST', headers, body: odd(JSON.stringify(body)) });
      expect([path, answer.status]).toEqual([path, 400]);
    }
  });

  it('a number beyond the range of a double is 400 and names the field', async () => {
    for (const [path, rest, field] of [
      ['/issuedApiKeys', '"name":"x","actor_id":"x","metadata"', 'metadata'],
      ['/apiKeys:derive', '"credential":"x","custom_claims"', 'custom_claims'],
    ] as const) {
      const answer = await service.admin('POST', path, `{${rest}:{"a":[{"n":1e400}]}}`);
      expect([answer.status, namedFields(answer)]).toEqual([400, [field]]);
    }
  });

  it('a deep metadata is 400 and names the field', async () => {
    const metadata = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    const body = `{"name":"x","actor_id":"x","metadata":${metadata}}`;
    const answer = await service.admin('POST', '/issuedApiKeys', body);
    expect([answer.status, namedFields(answer)]).toEqual([400, ['metadata']]);
  });

  it('prototype names are plain names in metadata', async () => {
    const metadata = JSON.parse('{"toString":1,"hasOwnProperty":null,"constructor":"c"}') as object;
    const { secret, key } = await service.issue({ metadata });
    expect(key.metadata).toEqual(metadata);
    expect((await service.verify(secret)).body.metadata).toEqual(metadata);
  });

  it('malformed HTTP is 400 and closes the connection', async () => {
    const { port } = new URL(service.replicas[0]?.url ?? '');
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'));
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400/);
  });
});

describe('MAX_KEYS', () => {
  it('402 over the limit, with limit and usage, also for concurrent requests', async () => {
    const limited = await startKeyService({ MAX_KEYS: '5' });
    try {
      const issue = () => limited.admin('POST', '/issuedApiKeys', { name: 'x', actor_id: 'x' });
      const answers = await Promise.all(Array.from({ length: 10 }, issue));
      const made = answers.filter(({ status }) => status === 201);
      expect(made).toHaveLength(5);
      const refused = await issue();
      expect([refused.status, reasonOf(refused)]).toEqual([402, 'API_KEY_LIMIT_REACHED']);
      expect(refused.body.error.status).toBe('PERMISSION_DENIED');
      expect(refused.body.error.details[0].metadata).toEqual({ limit: '5', current_usage: '5' });
      const item = (index: number) => ({ raw_key: `limit-raw-${index}`, name: 'x', actor_id: 'x' });
      const batch = { requests: [item(1), item(2)] };
      expect((await limited.admin('POST', '/importedApiKeys:batchCreate', batch)).status).toBe(402);
      const keyId = made[0]?.body.issued_api_key.key_id as string;
      await limited.admin('POST', `/apiKeys/${keyId}:revoke`, {});
      const partly = await limited.admin('POST', '/importedApiKeys:batchCreate', batch);
      expect(partly.body).toMatchObject({ success_count: 1, failure_count: 1 });
      expect(partly.body.results[1].error_code).toBe(
        'BATCH_CREATE_IMPORTED_API_KEYS_ERROR_RESOURCE_EXHAUSTED',
      );
    } finally {
      await limited.close();
    }
  });
});

describe('health, version and metrics', () => {
  it('200 while all stores are available', async () => {
    for (const path of ['/health/alive', '/health/ready']) {
      expect((await service.call('GET', path)).body).toEqual({ status: 'ok' });
    }
    expect((await service.call('GET', '/version')).body.version).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('metrics are on their own port, without ids', async () => {
    const { secret, key } = await service.issue();
    await service.verify(secret);
    await service.verify('unknown');
    await service.call('GET', '/%E0%A4%A');
    const text = await service.replicas[0]?.metrics();
    expect(text).toMatch(/key_verifications_total\{outcome="valid"\} \d+/);
    expect(text).toMatch(/key_verifications_total\{outcome="not_found"\} \d+/);
    expect(text).toMatch(/key_verifications_total\{outcome="internal"\} 0/);
    expect(text).toMatch(/key_cache_reads_total\{result="miss"\} \d+/);
    expect(text).toMatch(/http_request_duration_seconds_count\{.*apiKeys::verify.*\} \d+/);
    expect(text).toMatch(/_count\{method="GET",route="unmatched",status="400"\} \d+/);
    expect(text).not.toContain(key.key_id as string);
  });
});

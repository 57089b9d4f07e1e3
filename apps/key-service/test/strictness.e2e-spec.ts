/** Unknown fields and query parameters are refused, because ignoring a misspelled limit fails open. */
import { type KeyServiceStack, namedFields, startKeyService } from './key-stack.js';

let service: KeyServiceStack;
let secret: string;
let path: string;

beforeAll(async () => {
  service = await startKeyService();
  const issued = await service.issue();
  secret = issued.secret;
  path = `/issuedApiKeys/${issued.key.key_id}`;
});
afterAll(() => service.close());

const NEW = { name: 'x', actor_id: 'x' };

describe('an unknown field is 400 and named, with the nearest known one', () => {
  it.each([
    ['/apiKeys:verify', { required_scope: ['x'] }, 'required_scope', 'required_scopes'],
    ['/apiKeys:verify', { requiredScope: ['x'] }, 'requiredScope', 'required_scopes'],
    ['/apiKeys:verify', { permissions: ['x'] }, 'permissions', undefined],
    ['/apiKeys:derive', { audiense: 'x' }, 'audiense', 'audience'],
    ['/apiKeys:derive', { tll: '5m' }, 'tll', 'ttl'],
    ['/issuedApiKeys', { ...NEW, ip_restrictions: {} }, 'ip_restrictions', 'ip_restriction'],
    ['/issuedApiKeys', { ...NEW, expires_in: '1h' }, 'expires_in', undefined],
    [
      '/issuedApiKeys',
      { ...NEW, rate_limit_policy: { qouta: 1, window: '1m', quota: 1 } },
      'rate_limit_policy.qouta',
      'quota',
    ],
    [
      '/issuedApiKeys',
      { ...NEW, ip_restriction: { allowed_cidrs: ['10.0.0.0/8'], allowedCidr: [] } },
      'ip_restriction.allowedCidr',
      'allowed_cidrs',
    ],
    ['/importedApiKeys', { ...NEW, raw_key: 'strict-raw-key', scope: [] }, 'scope', 'scopes'],
  ])('POST %s %j', async (target, body, field, nearest) => {
    const credential = target.startsWith('/apiKeys') ? { credential: secret } : {};
    const answer = await service.admin('POST', target, { ...credential, ...body });
    expect([answer.status, namedFields(answer)]).toEqual([400, [field]]);
    const hint = nearest === undefined ? 'is not a known field' : `did you mean "${nearest}"?`;
    expect(answer.body.error.message).toContain(hint);
  });

  it('in each item of a batch', async () => {
    const requests = [{ credential: secret }, { credential: secret, scopes: ['x'] }];
    const verified = await service.admin('POST', '/apiKeys:batchVerify', { requests });
    expect([verified.status, namedFields(verified)]).toEqual([400, ['requests[1].scopes']]);
    const imports = [
      { ...NEW, raw_key: 'strict-batch-1' },
      { ...NEW, raw_key: 'strict-batch-2', expires: 1 },
    ];
    const imported = await service.admin('POST', '/importedApiKeys:batchCreate', {
      requests: imports,
    });
    expect(imported.body).toMatchObject({ success_count: 1, failure_count: 1 });
    expect(imported.body.results[1].error_message).toContain('requests[1].expires');
    const atTop = await service.admin('POST', '/apiKeys:batchVerify', { requests, request: [] });
    expect(atTop.status).toBe(400);
  });

  it('of an update, a rotation and a revocation', async () => {
    const answers = await Promise.all([
      service.admin('PATCH', path, { nmae: 'x' }),
      service.admin('PATCH', path, { issued_api_key: { nmae: 'x' } }),
      service.admin('PATCH', path, { issued_api_key: {}, update_masks: 'x' }),
      service.admin('POST', `${path}:rotate`, { grace: '1h' }),
      service.admin('POST', `${path}:revoke`, { reasons: 1 }),
      service.call('POST', '/v2alpha1/apiKeys:selfRevoke', { credential: secret, why: 1 }),
    ]);
    expect(answers.map((answer) => [answer.status, ...namedFields(answer)])).toEqual([
      [400, 'nmae'],
      [400, 'issued_api_key.nmae'],
      [400, 'update_masks'],
      [400, 'grace'],
      [400, 'reasons'],
      [400, 'why'],
    ]);
    expect((await service.verify(secret)).body.is_valid).toBe(true);
  });
});

describe('a member of a body where no body belongs is 400 and named', () => {
  it.each([
    ['POST', ':pause'],
    ['POST', ':erase'],
    ['DELETE', ''],
  ])('%s of a key, with %s', async (method, suffix) => {
    const raw_key = `no-body-raw-key${suffix}`;
    const { key_id } = (await service.admin('POST', '/importedApiKeys', { ...NEW, raw_key })).body;
    const target = suffix === '' ? `/importedApiKeys/${key_id}` : `/apiKeys/${key_id}${suffix}`;
    const answer = await service.admin(method, target, { reson: 1 });
    expect([answer.status, namedFields(answer)]).toEqual([400, ['reson']]);
    expect((await service.verify(raw_key)).body.is_valid).toBe(true);
    expect((await service.admin(method, target, [])).status).toBe(400);
  });

  it.each([undefined, '', '{}', 'null'])('but not the body %j', async (body) => {
    const { key } = await service.issue();
    const answer = await service.admin('POST', `/apiKeys/${key.key_id}:pause`, body);
    expect(answer.status).toBe(200);
  });
});

describe('an unknown query parameter is 400 and named', () => {
  it.each([
    ['GET', '/issuedApiKeys?actor_id=alice', 'actor_id', undefined],
    ['GET', '/issuedApiKeys?page_sise=1', 'page_sise', 'page_size'],
    ['GET', '/importedApiKeys?filters=x', 'filters', 'filter'],
    ['GET', '/auditEvents?pagetoken=x', 'pagetoken', 'page_token'],
    ['GET', '/issuedApiKeys/01900000-0000-7000-8000-000000000000?x=1', 'x', undefined],
    ['PATCH', '/issuedApiKeys/01900000-0000-7000-8000-000000000000?mask=name', 'mask', undefined],
    ['DELETE', '/importedApiKeys/01900000-0000-7000-8000-000000000000?x=1', 'x', undefined],
    ['POST', '/issuedApiKeys?ttl=1h', 'ttl', undefined],
    ['POST', '/apiKeys:verify?scope=x', 'scope', undefined],
    ['POST', '/apiKeys:batchVerify?scope=x', 'scope', undefined],
    ['POST', '/apiKeys:derive?ttl=1h', 'ttl', undefined],
    ['POST', '/importedApiKeys:batchCreate?dry_run=1', 'dry_run', undefined],
    ['GET', '/apiKeys:authorize?scopes=x', 'scopes', 'scope'],
    ['GET', '/apiKeys:authorize?required_scopes=x', 'required_scopes', undefined],
    ['GET', '/apiKeys:authorize?scope=a&scope=', 'scope[1]', undefined],
    ['GET', '/apiKeys:authorize?audience=a&audience=b', 'audience', undefined],
  ])('%s %s', async (method, target, name, nearest) => {
    const body = method === 'GET' ? undefined : { credential: secret };
    const answer = await service.admin(method, target, body);
    expect([answer.status, namedFields(answer)]).toEqual([400, [name]]);
    if (nearest) expect(answer.body.error.message).toContain(`did you mean "${nearest}"?`);
  });

  it('also of the public key set', async () => {
    const answer = await service.call('GET', '/v2alpha1/derivedKeys/jwks.json?kid=x');
    expect([answer.status, namedFields(answer)]).toEqual([400, ['kid']]);
  });

  it('unless it belongs to the path of the client, which Envoy appends', async () => {
    const headers = { 'x-api-key': secret };
    for (const query of [
      '?path=/orders/7?x=1&scope=b&scopes=c&audience=d',
      '?path=',
      '?path=/&x',
    ]) {
      const target = `/apiKeys:authorize${query}`;
      expect((await service.admin('GET', target, undefined, { headers })).status).toBe(200);
    }
  });
});

it('either spelling of a name is accepted, but not both at once', async () => {
  const answer = await service.admin('GET', '/issuedApiKeys?pageSize=1&page_token=');
  expect(answer.status).toBe(200);
  const more = { required_scopes: [], requiredScopes: [] };
  const refused = await service.verify(secret, more);
  expect([refused.status, namedFields(refused)]).toEqual([400, ['requiredScopes']]);
});

describe('a body that is required may not be left out', () => {
  it.each([
    ['POST', '/issuedApiKeys'],
    ['PATCH', '/issuedApiKeys/x'],
    ['POST', '/importedApiKeys'],
    ['PATCH', '/importedApiKeys/x'],
    ['POST', '/importedHashes:keep'],
    ['POST', '/importedHashes:drop'],
    ['POST', '/apiKeys/x:addCredits'],
    ['POST', '/apiKeys/x:setCredits'],
    ['POST', '/webhook-endpoints'],
    ['PATCH', '/webhook-endpoints/x'],
    ['POST', '/events/replay'],
    ['POST', '/portalSessions'],
    ['POST', '/apiKeys:reportLeaks'],
  ])('%s %s', async (method, target) => {
    for (const body of [undefined, '', 'null']) {
      const answer = await service.admin(method, target, body);
      expect([answer.status, namedFields(answer)]).toEqual([400, ['body']]);
    }
  });

  it.each(['/apiKeys:verify', '/apiKeys:batchVerify', '/apiKeys:derive'])('%s', async (target) => {
    expect((await service.admin('POST', target)).status).toBe(400);
  });

  it('unless it is optional', async () => {
    const { key } = await service.issue();
    expect((await service.admin('POST', `/issuedApiKeys/${key.key_id}:rotate`)).status).toBe(201);
  });
});

describe('null is absent', () => {
  it('in each field of a new key', async () => {
    const { key: bare } = await service.issue();
    const names = ['scopes', 'ttl', 'metadata', 'tags', 'rate_limit_policy', 'rate_limits'];
    const more = ['credits', 'ip_restriction', 'expiring_thresholds', 'visibility', 'prefix'];
    const fields = Object.fromEntries(
      [...names, ...more, 'request_id'].map((name) => [name, null]),
    );
    const { key } = await service.issue(fields);
    const own = ['key_id', 'key_preview', 'create_time', 'update_time', 'expire_time'];
    const shared = (record: object) =>
      Object.fromEntries(Object.entries(record).filter(([name]) => !own.includes(name)));
    expect(shared(key)).toEqual(shared(bare));
  });

  it('in a verification and a derivation', async () => {
    const nothing = { scopes: null, audience: null, audiences: null, client_ip: null, ttl: null };
    expect((await service.derive(secret, { ...nothing, algorithm: null })).status).toBe(200);
    const more = { required_scopes: null, audience: null, expected_audiences: null, tags: null };
    const rest = { limits: null, credits: null, peek: null, client_ip: null };
    expect(await service.errorOf(secret, { ...more, ...rest })).toBeUndefined();
  });
});

describe('an empty text is no time, duration or enum', () => {
  it.each([
    ['/issuedApiKeys', 'ttl', { ...NEW, ttl: '' }],
    ['/issuedApiKeys', 'visibility', { ...NEW, visibility: '' }],
    ['/issuedApiKeys', 'credits.refill.at', { ...NEW, credits: refillWith({ at: '' }) }],
    [
      '/issuedApiKeys',
      'credits.refill.interval',
      { ...NEW, credits: refillWith({ interval: '' }) },
    ],
    ['/apiKeys:derive', 'algorithm', { credential: 'x', algorithm: '' }],
    ['/apiKeys:derive', 'ttl', { credential: 'x', ttl: '' }],
  ])('%s: %s', async (target, field, body) => {
    const answer = await service.admin('POST', target, body);
    expect([answer.status, new Set(namedFields(answer))]).toEqual([400, new Set([field])]);
  });

  function refillWith(more: object) {
    return { refill: { amount: '5', interval: '1h', ...more } };
  }
});

it('enums may be sent by number as in ProtoJSON, other sets of names may not', async () => {
  const { key } = await service.issue({ visibility: 2 });
  expect(key.visibility).toBe('KEY_VISIBILITY_PUBLIC');
  for (const algorithms of [[1], ['HASH_ALGORITHM_SHA256']]) {
    expect((await service.admin('POST', '/importedHashes:keep', { algorithms })).status).toBe(200);
  }
  const limit = { name: 'a', quota: 1, window: '1m', scope: 1 };
  for (const [field, target, body] of [
    ['visibility', '/issuedApiKeys', { ...NEW, visibility: 3 }],
    ['visibility', '/issuedApiKeys', { ...NEW, visibility: -1 }],
    ['visibility', '/issuedApiKeys', { ...NEW, visibility: 1.5 }],
    ['algorithms[0]', '/importedHashes:keep', { algorithms: [0] }],
    ['algorithms[0]', '/importedHashes:keep', { algorithms: [99] }],
    ['rate_limits[0].scope', '/issuedApiKeys', { ...NEW, rate_limits: [limit] }],
  ] as const) {
    const answer = await service.admin('POST', target, body);
    expect([answer.status, namedFields(answer)]).toEqual([400, [field]]);
  }
});

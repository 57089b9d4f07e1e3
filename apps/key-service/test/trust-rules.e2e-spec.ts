import { eventually } from '@gatehouse/testing';
import { EXCHANGE_SETTINGS, trust } from './exchanges.js';
import { type KeyServiceStack, namedFields, reasonOf, startKeyService } from './key-stack.js';
import { AUDIENCE, MAIN } from './test-issuer.js';

const ISSUER = 'https://token.actions.githubusercontent.com';

let service: KeyServiceStack;
beforeAll(async () => {
  service = await startKeyService();
});
afterAll(() => service.close());

const RULE = {
  name: 'Deployments',
  actor_id: 'deployer',
  scopes: ['orders:write'],
  issuer: ISSUER,
  audience: AUDIENCE,
  subject_pattern: MAIN,
};
const create = (fields: object = {}) =>
  service.admin('POST', '/trustRules', { ...RULE, ...fields });
const get = async (id: string) => (await service.admin('GET', `/trustRules/${id}`)).body;

describe('POST /v2alpha1/admin/trustRules', () => {
  it('201: the rule, which has no secret', async () => {
    const { status, headers, body } = await create({
      claims: { repository_owner: 'octo-org', email_verified: true },
      token_ttl: '10m',
      single_use: true,
      tags: ['ci'],
    });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/v2alpha1/admin/trustRules/${body.key_id}`);
    expect(body).toMatchObject({
      ...RULE,
      status: 'KEY_STATUS_ACTIVE',
      claims: { repository_owner: 'octo-org', email_verified: true },
      token_ttl: '600s',
      single_use: true,
      tags: ['ci'],
    });
    expect(await get(body.key_id)).toEqual(body);
  });

  it('201: defaults are an hour, any number of uses and no further claims', async () => {
    const { body } = await create();
    expect(body).toMatchObject({ token_ttl: '3600s', single_use: false, claims: {} });
  });

  it('201: a repeated request_id answers with the first rule', async () => {
    const first = await create({ request_id: 'rule-1' });
    const again = await create({ request_id: 'rule-1', name: 'Another' });
    expect([again.status, again.body]).toEqual([201, first.body]);
    const key = { name: 'x', actor_id: 'x', request_id: 'rule-1' };
    const other = await service.admin('POST', '/issuedApiKeys', key);
    expect([other.status, reasonOf(other)]).toEqual([409, 'REQUEST_ID_TAKEN']);
  });

  it.each([
    ['issuer', { issuer: '' }],
    ['issuer', { issuer: 'token.actions.githubusercontent.com' }],
    ['issuer', { issuer: 'http://idp.example.com' }],
    ['issuer', { issuer: 'https://idp.example.com?a=b' }],
    ['issuer', { issuer: 'https://idp.example.com/#a' }],
    ['issuer', { issuer: 'https://idp.example.com/.well-known/openid-configuration' }],
    ['issuer', { issuer: 'https://user:password@idp.example.com' }],
    ['issuer', { issuer: 'https://10.0.0.7' }],
    ['issuer', { issuer: 'https://169.254.169.254' }],
    ['issuer', { issuer: 'http://127.0.0.1:4444' }],
    ['issuer', { issuer: `https://${'a'.repeat(512)}.example` }],
    ['audience', { audience: '' }],
    ['audience', { audience: 'a'.repeat(1025) }],
    ['subject_pattern', { subject_pattern: '' }],
    ['subject_pattern', { subject_pattern: '**' }],
    ['subject_pattern', { subject_pattern: 'a\nb' }],
    ['subject_pattern', { subject_pattern: 'a'.repeat(513) }],
    ['claims', { claims: { a: 1 } }],
    ['claims', { claims: { a: '' } }],
    ['claims', { claims: { a: 'nul\u0000' } }],
    ['claims', { claims: Object.fromEntries([...'abcdefghijklmnopq'].map((a) => [a, a])) }],
    ['token_ttl', { token_ttl: '0s' }],
    ['token_ttl', { token_ttl: '2y' }],
    ['single_use', { single_use: 'yes' }],
    ['scopes[0]', { scopes: ['keys:admin'] }],
    ['name', { name: '' }],
    ['subject', { subject: 'x' }],
  ])('400: %s, %j', async (field, fields) => {
    const answer = await create(fields);
    expect([answer.status, namedFields(answer)]).toEqual([400, [field]]);
  });

  it('409: there are a thousand live rules', async () => {
    const { body } = await create({ name: 'The last' });
    await service.database.query(
      `INSERT INTO keys.api_keys (key_id, kind, name, actor_id, scopes, metadata, visibility,
          allowed_cidrs, secret_hash, key_preview, create_time, update_time, trust)
        SELECT gen_random_uuid(), kind, 'Filler', actor_id, scopes, metadata, visibility,
          allowed_cidrs, secret_hash, key_preview, create_time, update_time, trust
        FROM keys.api_keys, generate_series(1, 1000) WHERE key_id = $1`,
      [body.key_id],
    );
    const refused = await create();
    expect([refused.status, reasonOf(refused)]).toEqual([409, 'TRUST_RULES_LIMIT_REACHED']);
    await service.database.query("DELETE FROM keys.api_keys WHERE name = 'Filler'");
    expect((await create()).status).toBe(201);
  });
});

describe('a trust rule', () => {
  it('is listed apart from keys, by its actor', async () => {
    await create({ actor_id: 'lister' });
    await create({ actor_id: 'lister' });
    await service.issue({ actor_id: 'lister' });
    const list = (query: string) =>
      service.admin('GET', `/trustRules?filter=actor_id=lister&${query}`);
    const first = await list('page_size=1');
    const { body } = await list(`page_size=1&page_token=${first.body.next_page_token}`);
    const ids = [...first.body.trust_rules, ...body.trust_rules].map(({ key_id }) => key_id);
    expect(new Set(ids).size).toBe(2);
    expect(body.next_page_token).toBe('');
    for (const kind of ['issuedApiKeys', 'importedApiKeys']) {
      expect((await service.admin('GET', `/${kind}/${ids[0]}`)).status).toBe(404);
    }
  });

  it('is changed field by field', async () => {
    const { body } = await create({ claims: { a: 'b' }, single_use: true });
    const patch = (fields: object, mask = '') =>
      service.admin('PATCH', `/trustRules/${body.key_id}${mask}`, fields);
    const changed = await patch({ subject_pattern: 'repo:octo-org/*', scopes: ['orders:read'] });
    expect(changed.body).toMatchObject({
      subject_pattern: 'repo:octo-org/*',
      scopes: ['orders:read'],
      claims: { a: 'b' },
      single_use: true,
      audience: AUDIENCE,
    });
    const reset = await patch({ trust_rule: { audience: 'x' } }, '?update_mask=audience,claims');
    expect(reset.body).toMatchObject({ audience: 'x', claims: {}, single_use: true });
    expect((await patch({ single_use: false })).body.single_use).toBe(false);
    const empty = await patch({}, '?update_mask=issuer');
    expect([empty.status, namedFields(empty)]).toEqual([400, ['issuer']]);
    const key = await service.issue();
    const other = await service.admin('PATCH', `/issuedApiKeys/${key.key.key_id}`, {
      subject_pattern: 'x',
    });
    expect([other.status, namedFields(other)]).toEqual([400, ['subject_pattern']]);
  });

  it('is paused, resumed, revoked, undeleted and erased as a key, with its events', async () => {
    const { body } = await create();
    const id = body.key_id as string;
    const change = async (method: string) =>
      (await service.admin('POST', `/apiKeys/${id}:${method}`)).body?.trust_rule;
    expect(await change('pause')).toMatchObject({ ...RULE, status: 'KEY_STATUS_PAUSED' });
    expect(await change('resume')).toMatchObject({ status: 'KEY_STATUS_ACTIVE' });
    expect((await service.admin('POST', `/trustRules/${id}:revoke`)).status).toBe(204);
    expect(await get(id)).toMatchObject({ ...RULE, status: 'KEY_STATUS_REVOKED' });
    expect(await change('undelete')).toMatchObject({ status: 'KEY_STATUS_ACTIVE' });
    expect((await service.admin('POST', `/apiKeys/${id}:revoke`)).status).toBe(204);
    expect(await change('erase')).toMatchObject({
      name: '',
      actor_id: '',
      subject_pattern: '',
      claims: {},
      issuer: ISSUER,
    });
    const types = ['issued', 'paused', 'resumed', 'revoked', 'undeleted', 'revoked', 'erased'];
    const logged = await service.database.query<{ type: string; kind: string }>(
      `SELECT type, data->>'kind' AS kind FROM keys.events WHERE data->>'key_id' = $1
        ORDER BY sequence`,
      [id],
    );
    expect(logged).toEqual(types.map((type) => ({ type: `key.${type}`, kind: 'trust' })));
    await eventually(async () => {
      const { body: page } = await service.admin('GET', `/auditEvents?filter=key_id="${id}"`);
      expect(page.audit_events.map(({ type }: { type: string }) => type).reverse()).toEqual(
        types.map((type) => `key.${type}`),
      );
    });
  });

  it('belongs to no credential', async () => {
    const { body } = await create();
    const { secret } = await service.issue();
    const [{ hash } = { hash: '' }] = await service.database.query<{ hash: string }>(
      'SELECT encode(secret_hash, $2) AS hash FROM keys.api_keys WHERE key_id = $1',
      [body.key_id, 'hex'],
    );
    for (const credential of [body.key_id as string, hash]) {
      expect(await service.errorOf(credential)).toBe('VERIFICATION_ERROR_NOT_FOUND');
    }
    expect(await service.errorOf(secret)).toBeUndefined();
  });
});

it('an issuer on this machine needs WEBHOOK_ALLOW_PRIVATE', async () => {
  const open = await startKeyService(EXCHANGE_SETTINGS);
  try {
    expect(await trust(open, 'http://127.0.0.1:4444')).toMatchObject({
      issuer: 'http://127.0.0.1:4444',
    });
    const refused = await open.admin('POST', '/trustRules', { ...RULE, issuer: 'http://10.0.0.7' });
    expect([refused.status, namedFields(refused)]).toEqual([400, ['issuer']]);
  } finally {
    await open.close();
  }
});

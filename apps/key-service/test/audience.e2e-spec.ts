/** A token for an audience is valid only where that audience is expected (RFC 7519, 4.1.3). */
import { type KeyServiceStack, namedFields, reasonOf, startKeyService } from './key-stack.js';

let service: KeyServiceStack;

beforeAll(async () => {
  service = await startKeyService();
});
afterAll(() => service.close());

const NOT_FOR_IT = 'VERIFICATION_ERROR_AUDIENCE_MISMATCH';
const authorize = (credential: string, query = '') =>
  service.admin('GET', `/apiKeys:authorize${query}`, undefined, {
    headers: { 'x-api-key': credential },
  });

describe.each(['TOKEN_ALGORITHM_JWT', 'TOKEN_ALGORITHM_MACAROON'])('a %s', (algorithm) => {
  it('for an audience is refused unless that one is expected', async () => {
    const { secret } = await service.issue();
    const token = await service.tokenOf(secret, { algorithm, audience: 'billing' });
    // Twice: the second verification is answered from memory.
    for (let round = 0; round < 2; round += 1) {
      expect(await service.errorOf(token)).toBe(NOT_FOR_IT);
      expect(await service.errorOf(token, { audience: 'orders' })).toBe(NOT_FOR_IT);
      expect(await service.errorOf(token, { audience: 'billing' })).toBeUndefined();
    }
    const { body } = await service.admin('POST', '/apiKeys:batchVerify', {
      requests: [{ credential: token }, { credential: token, audience: 'billing' }],
    });
    expect(body.results.map((result: { is_valid: boolean }) => result.is_valid)).toEqual([
      false,
      true,
    ]);
  });

  it('for several audiences is valid where one of them is expected', async () => {
    const { secret } = await service.issue();
    const custom_claims = { aud: ['x', 'y'] };
    const token = await service.tokenOf(secret, { algorithm, custom_claims });
    expect(await service.errorOf(token)).toBe(NOT_FOR_IT);
    expect(await service.errorOf(token, { audience: 'y' })).toBeUndefined();
    expect(await service.errorOf(token, { audience: 'z' })).toBe(NOT_FOR_IT);
  });

  it('without an audience is valid where none is expected, and nowhere else', async () => {
    const { secret } = await service.issue();
    const token = await service.tokenOf(secret, { algorithm });
    expect(await service.errorOf(token)).toBeUndefined();
    expect(await service.errorOf(token, { expected_audiences: [] })).toBeUndefined();
    expect(await service.errorOf(token, { audience: 'billing' })).toBe(NOT_FOR_IT);
    expect(await service.errorOf(token, { expected_audiences: ['billing'] })).toBe(NOT_FOR_IT);
    expect((await authorize(token, '?audience=billing')).status).toBe(403);
  });

  it('of audiences is valid where one of them is expected, compared exactly', async () => {
    const { secret } = await service.issue();
    const token = await service.tokenOf(secret, { algorithm, audiences: ['a', 'b', 'a'] });
    const expected = [
      [undefined, NOT_FOR_IT],
      [[], NOT_FOR_IT],
      [['b'], undefined],
      [['c', 'a'], undefined],
      [['c', 'A', 'a ', 'ab'], NOT_FOR_IT],
    ] as const;
    for (let round = 0; round < 2; round += 1) {
      for (const [expected_audiences, error] of expected) {
        expect(await service.errorOf(token, { expected_audiences })).toBe(error);
      }
    }
    const { body } = await service.verify(token, { expectedAudiences: ['b'] });
    expect(body).toMatchObject({ is_valid: true, audiences: ['a', 'b'] });
    const batch = await service.admin('POST', '/apiKeys:batchVerify', {
      requests: [['a'], ['c']].map((expected_audiences) => ({
        credential: token,
        expected_audiences,
      })),
    });
    expect(batch.body.results).toMatchObject([
      { is_valid: true, audiences: ['a', 'b'] },
      { is_valid: false, error_code: NOT_FOR_IT },
    ]);
  });

  it('for an audience passes :authorize only with ?audience=', async () => {
    const { secret } = await service.issue();
    const token = await service.tokenOf(secret, { algorithm, audience: 'a b' });
    expect((await authorize(token, '?audience=a%20b')).status).toBe(200);
    for (const query of ['', '?audience=', '?audience=other', '?path=/x&audience=a%20b']) {
      const answer = await authorize(token, query);
      expect([query, answer.status]).toEqual([query, 403]);
    }
  });
});

it('a key names no audience: it is valid beside tokens, not where an audience is required', async () => {
  const { secret } = await service.issue();
  expect((await service.verify(secret)).body.audiences).toEqual([]);
  expect(await service.errorOf(secret, { audience: 'billing' })).toBeUndefined();
  expect(await service.errorOf(secret, { expected_audiences: [] })).toBeUndefined();
  expect(await service.errorOf(secret, { expected_audiences: ['billing'] })).toBe(NOT_FOR_IT);
  expect((await authorize(secret, '?audience=billing')).status).toBe(200);
});

it('derive writes one audience as a string, and several as a list', async () => {
  const { secret } = await service.issue();
  const audOf = async (more: object) => (await service.tokenOf(secret, { ...more })).split('.')[1];
  for (const [more, aud] of [
    [{ audience: 'a' }, 'a'],
    [{ audiences: ['a'] }, 'a'],
    [{ audience: 'a', audiences: ['a'] }, 'a'],
    [{ audiences: ['a', 'b'] }, ['a', 'b']],
    [{ audiences: [] }, undefined],
    [{ audience: null, audiences: null }, undefined],
  ] as const) {
    const claims = Buffer.from((await audOf(more)) ?? '', 'base64url').toString();
    expect(JSON.parse(claims).aud).toEqual(aud);
  }
});

it('derive sets the claim aud, and refuses two sources for it', async () => {
  const { secret } = await service.issue();
  const { body } = await service.derive(secret, { audience: 'billing' });
  expect(body.token.claims.aud).toBe('billing');
  const twice = await service.derive(secret, { audience: 'a', custom_claims: { aud: 'b' } });
  expect([twice.status, namedFields(twice)]).toEqual([400, ['custom_claims.aud']]);
});

it.each([
  ['text', ''],
  ['control', 'a\nb'],
  ['long', 'x'.repeat(1025)],
  ['none', []],
  ['empty', ['a', '']],
  ['many', Array.from({ length: 65 }, (_, index) => `${index}`)],
  ['number', 7],
  ['null', null],
  ['object', { a: 'b' }],
])('derive refuses a claim aud that no verification can expect: %s', async (_, aud) => {
  const { secret } = await service.issue();
  const answer = await service.derive(secret, { custom_claims: { aud } });
  expect([answer.status, namedFields(answer)]).toEqual([400, ['custom_claims.aud']]);
});

it('a refusal names the missing scopes or the audience as the caller asked for them', async () => {
  const { secret } = await service.issue({ scopes: ['secret:one', 'a'] });
  const token = await service.tokenOf(secret, { audience: 'hidden' });
  const messages = [
    [secret, { required_scopes: ['a', 'b', 'c"'] }, 'does not have the scope "b", "c"".'],
    [token, {}, 'The token is for an audience: name the one that is expected.'],
    [token, { audience: 'mine' }, 'The credential is not for the audience "mine".'],
    [secret, { expected_audiences: ['x', 'y'] }, 'is not for the audience "x", "y".'],
  ] as const;
  for (const [credential, more, message] of messages) {
    const { error_message } = (await service.verify(credential, more)).body;
    expect(error_message).toContain(message);
    expect(error_message).not.toMatch(/secret:one|hidden/);
  }
  const many = Array.from({ length: 200 }, (_, index) => `scope-${index}`);
  const { body } = await service.verify(secret, { required_scopes: many });
  expect(body.error_message.length).toBeLessThan(200);
  const elsewhere = await authorize(token, '?audience=mine');
  expect([elsewhere.status, reasonOf(elsewhere)]).toEqual([403, 'CREDENTIAL_AUDIENCE_MISMATCH']);
  const refused = await authorize(secret, '?scope=a&scope=orders:write');
  expect([refused.status, reasonOf(refused)]).toEqual([403, 'CREDENTIAL_INSUFFICIENT_SCOPE']);
  expect(refused.body.error.message).toContain('"orders:write"');
  const derived = await service.derive(secret, { scopes: ['a', 'x'] });
  expect([derived.status, derived.body.error.message]).toEqual([
    403,
    'The key does not have the scope "x".',
  ]);
});

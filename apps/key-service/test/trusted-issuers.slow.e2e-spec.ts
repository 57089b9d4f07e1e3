/** Where the keys of trusted issuers come from, and what the service does when they do not come. */
import { errorsOf, exchange, EXCHANGE_SETTINGS, trust } from './exchanges.js';
import { type KeyServiceStack, startKeyService } from './key-stack.js';
import { startIssuer, type TestIssuer } from './test-issuer.js';

let service: KeyServiceStack;
let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await startIssuer();
  service = await startKeyService(EXCHANGE_SETTINGS, 2);
});
afterAll(async () => {
  await service.close();
  await issuer.close();
});

describe('the keys of an issuer', () => {
  let fresh: TestIssuer;
  beforeEach(async () => {
    fresh = await startIssuer();
    await trust(service, fresh.url);
  });
  afterEach(() => fresh.close());

  it('are read once for many tokens at a time, and again when the issuer has a new one', async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => fresh.token()));
    const answers = await Promise.all(tokens.map((token) => exchange(service, token)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(fresh.requests).toEqual(['/.well-known/openid-configuration', '/jwks']);
    await fresh.rotate('RS256');
    // Within 30 seconds, tokens of unknown keys do not make the service ask again.
    for (let n = 0; n < 5; n += 1) await exchange(service, await fresh.token());
    expect(fresh.requests).toHaveLength(2);
    expect((await exchange(service, await fresh.token(), {}, { replica: 1 })).status).toBe(200);
  });

  const DOCUMENT = '/.well-known/openid-configuration';
  it.each<[string, string, (path: string) => { status?: number; location?: string; text: string }]>(
    [
      ['an error', DOCUMENT, () => ({ status: 500, text: '{}' })],
      ['a redirect', DOCUMENT, () => ({ status: 302, location: issuer.url + DOCUMENT, text: '' })],
      [
        'metadata of another issuer',
        DOCUMENT,
        () => ({ text: JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/jwks` }) }),
      ],
      ['metadata without keys', DOCUMENT, () => ({ text: JSON.stringify({ issuer: fresh.url }) })],
      [
        'keys at an http address',
        DOCUMENT,
        () => ({
          text: JSON.stringify({ issuer: fresh.url, jwks_uri: 'http://keys.example.com/jwks' }),
        }),
      ],
      [
        'metadata that is too long',
        DOCUMENT,
        () => ({
          text: JSON.stringify({
            issuer: fresh.url,
            jwks_uri: `${fresh.url}/jwks`,
            more: 'x'.repeat(300_000),
          }),
        }),
      ],
      ['metadata that is no JSON', DOCUMENT, () => ({ text: '<html>' })],
      ['keys that are no key set', '/jwks', () => ({ text: '{"keys":7}' })],
      [
        'keys at a redirect',
        '/jwks',
        () => ({ status: 302, location: `${issuer.url}/jwks`, text: '' }),
      ],
    ],
  )('503 with Retry-After: %s; and it is not asked again at once', async (_, at, answerOf) => {
    fresh.answer = (path, response) => {
      const {
        status = 200,
        location,
        text,
      } = path === at
        ? answerOf(path)
        : { text: JSON.stringify({ issuer: fresh.url, jwks_uri: `${fresh.url}/jwks` }) };
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(location && { location }),
      });
      response.end(text);
    };
    for (let n = 0; n < 3; n += 1) {
      const { status, headers, body } = await exchange(service, await fresh.token());
      expect([status, body.error]).toEqual([503, 'temporarily_unavailable']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(body.error_description).not.toContain('127.0.0.1');
    }
    expect(fresh.requests.filter((path) => path === at)).toHaveLength(1);
  });

  it('503 while it is down, and 200 for keys that are known', async () => {
    const token = await fresh.token();
    expect((await exchange(service, token)).status).toBe(200);
    fresh.answer = (_path, response) => response.destroy();
    expect((await exchange(service, await fresh.token())).status).toBe(200);
    const other = await exchange(service, token, {}, { replica: 1 });
    expect(errorsOf(other)).toEqual([503, 'temporarily_unavailable']);
  });
});

it('503: an issuer at a private address is not asked by default, even if a rule names it', async () => {
  const closed = await service.start({ ...EXCHANGE_SETTINGS, WEBHOOK_ALLOW_PRIVATE: 'false' });
  const replica = service.replicas.indexOf(closed);
  const local = await startIssuer();
  await trust(service, local.url);
  const answer = await exchange(service, await local.token(), {}, { replica });
  expect(errorsOf(answer)).toEqual([503, 'temporarily_unavailable']);
  expect(local.requests).toEqual([]);
  await local.close();
});

it('metadata names the address of EXTERNAL_URL, and is 404 while ISSUER is no address', async () => {
  const path = '/.well-known/oauth-authorization-server';
  const settings = { ...EXCHANGE_SETTINGS, EXTERNAL_URL: 'https://gate.example.com/keys' };
  const outside = await service.start(settings);
  const { headers, body } = await outside.http.send('GET', path);
  expect(body).toMatchObject({
    issuer: EXCHANGE_SETTINGS.ISSUER,
    token_endpoint: 'https://gate.example.com/keys/oauth/token',
  });
  expect(headers.get('access-control-allow-origin')).toBe('*');
  const unnamed = await service.start({ ...EXCHANGE_SETTINGS, ISSUER: 'gatehouse' });
  expect((await unnamed.http.send('GET', path)).status).toBe(404);
});

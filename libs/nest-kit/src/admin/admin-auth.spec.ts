import { type FastifyRequest } from 'fastify';
import { type DomainError } from '@gatehouse/kit/errors';
import { AdminAuth, type AdminOptions, type CredentialVerifier } from './admin-auth.js';

const KEY = 'k'.repeat(24);
const LIVE = 'live-admin-credential';

const SAME_ORIGIN = {
  host: 'localhost:8080',
  origin: 'http://localhost:8080',
  'sec-fetch-site': 'same-origin',
};

const verifier: CredentialVerifier = {
  verify: (credential) =>
    Promise.resolve(
      credential === LIVE ? { keyId: 'key-1', actorId: 'a', scopes: ['keys:verify'] } : null,
    ),
};

const request = (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
  ({
    headers: { host: 'localhost:8080', ...headers },
    raw: { socket: { remoteAddress } },
  }) as unknown as FastifyRequest;

const auth = (options: Partial<AdminOptions>) =>
  new AdminAuth(
    { staticKeys: [], mode: 'protected', schemes: ['bearer'], scope: 'keys:admin', ...options },
    verifier,
  );

/** The accepted caller, or the kind of the refusal. */
async function outcome(subject: AdminAuth, ...args: Parameters<AdminAuth['authorize']>) {
  try {
    return (await subject.authorize(...args)).kind;
  } catch (error) {
    return (error as DomainError).kind;
  }
}

describe('AdminAuth', () => {
  it.each([
    ['protected', 'loopback'],
    ['none', 'open'],
    ['closed', 'unauthenticated'],
  ] as const)('with the key of a program, %s mode stays as it is', async (mode, expected) => {
    const subject = auth({ programKeys: [KEY], mode });
    expect(await outcome(subject, request({ authorization: `Bearer ${KEY}` }))).toBe('static-key');
    expect(await outcome(subject, request({}))).toBe(expected);
  });

  describe('with static keys', () => {
    const subject = auth({ staticKeys: ['x'.repeat(24), KEY] });

    it.each([
      ['one of the keys', { authorization: `Bearer ${KEY}` }, 'static-key'],
      ['the scheme in any case', { authorization: `bearer ${KEY}` }, 'static-key'],
      ['its own header', { 'x-admin-authorization': `Bearer ${KEY}` }, 'static-key'],
      ['its own header without a scheme', { 'x-admin-authorization': KEY }, 'static-key'],
      [
        'its own header with a scheme that is not accepted',
        { 'x-admin-authorization': `Api-Key ${KEY}` },
        'unauthenticated',
      ],
      ['Authorization without a scheme', { authorization: KEY }, 'unauthenticated'],
      ['nothing, from loopback', {}, 'unauthenticated'],
      ['a wrong key', { authorization: `Bearer ${KEY}x` }, 'unauthenticated'],
      ['a scheme that is not accepted', { authorization: `Api-Key ${KEY}` }, 'unauthenticated'],
    ])('%s', async (_, headers: Record<string, string>, expected) => {
      expect(await outcome(subject, request(headers))).toBe(expected);
    });
  });

  describe('a refusal says what to send', () => {
    const messageOf = async (headers: Record<string, string>, options = {}) => {
      const subject = auth({ staticKeys: [KEY] });
      try {
        await subject.authorize(request(headers), options);
        return undefined;
      } catch (error) {
        return (error as DomainError).message;
      }
    };

    it.each([
      ['nothing', {}, 'The admin credential is missing.'],
      ['a bare key', { authorization: KEY }, 'Authorization has another scheme, or none.'],
      ['another scheme', { authorization: `Api-Key ${KEY}` }, 'Authorization has another scheme'],
      ['X-API-Key', { 'x-api-key': KEY }, 'X-API-Key is not read here.'],
      ['an unknown key', { authorization: `Bearer ${KEY}x` }, 'The key is unknown here'],
      [
        'another scheme in its own header',
        { 'x-admin-authorization': `Api-Key ${KEY}` },
        'X-Admin',
      ],
    ])('for %s', async (_, headers: Record<string, string>, fault) => {
      const message = await messageOf(headers);
      expect(message?.startsWith(fault)).toBe(true);
      expect(message).toContain('Send "Authorization: Bearer <key>" with one of ADMIN_API_KEYS');
      expect(message).toContain('that has the scope keys:admin.');
      expect(message).not.toContain(KEY);
    });

    it('with the scope and the header of the route', async () => {
      const options = { scope: 'keys:verify', adminHeaderOnly: true };
      const message = await messageOf({ authorization: `Bearer ${KEY}` }, options);
      expect(message).toContain('Send "X-Admin-Authorization: Bearer <key>"');
      expect(message).toContain('the scope keys:verify.');
    });
  });

  describe('with the scheme of browsers', () => {
    const subject = auth({ staticKeys: [KEY], schemes: ['basic', 'bearer'], mode: 'closed' });
    const basic = (text: string) => ({
      authorization: `Basic ${Buffer.from(text).toString('base64')}`,
    });

    it.each([
      ['the key as the password', basic(`user:${KEY}`), 'static-key'],
      ['no user', basic(`:${KEY}`), 'static-key'],
      ['the key as a bearer token', { authorization: `Bearer ${KEY}` }, 'static-key'],
      ['a wrong password', basic(`user:${KEY}x`), 'unauthenticated'],
      ['the key as the user', basic(`${KEY}:`), 'unauthenticated'],
      ['no colon', basic(KEY), 'unauthenticated'],
      ['no Base64', { authorization: 'Basic %' }, 'unauthenticated'],
    ])('%s', async (_, headers: Record<string, string>, expected) => {
      expect(await outcome(subject, request(headers))).toBe(expected);
    });

    it('asks for it, and other surfaces do not accept it', async () => {
      const refused = { headers: { 'WWW-Authenticate': expect.stringMatching(/^Basic realm=/) } };
      expect(() => subject.authorize(request({}))).toThrow(expect.objectContaining(refused));
      const other = auth({ staticKeys: [KEY] });
      expect(await outcome(other, request(basic(`user:${KEY}`)))).toBe('unauthenticated');
    });
  });

  describe('in protected mode', () => {
    const subject = auth({});

    it.each([
      ['loopback', {}, '127.0.0.1', 'loopback'],
      ['loopback, IPv6', {}, '::1', 'loopback'],
      ['loopback, mapped', {}, '::ffff:127.0.0.1', 'loopback'],
      [
        'a proxy on this host',
        { 'x-forwarded-for': '127.0.0.1' },
        '127.0.0.1',
        'permission_denied',
      ],
      ['a proxy that says only the host', { 'x-forwarded-host': 'a' }, '::1', 'permission_denied'],
      [
        'a proxy that says only the address',
        { 'x-real-ip': '192.0.2.1' },
        '::1',
        'permission_denied',
      ],
      ['a proxy that says only itself', { via: '1.1 proxy' }, '::1', 'permission_denied'],
      ['a proxy of RFC 7239', { forwarded: 'for=_' }, '127.0.0.1', 'permission_denied'],
      ['another machine', {}, '10.0.0.7', 'permission_denied'],
      ['a program that says localhost', { host: 'localhost' }, '::1', 'loopback'],
      ['a program that says 127.0.0.2', { host: '127.0.0.2:80' }, '127.0.0.2', 'loopback'],
      ['a program that says [::1]', { host: '[::1]:8080' }, '::1', 'loopback'],
      ['the API pages of this service', SAME_ORIGIN, '127.0.0.1', 'loopback'],
      ['another name (DNS rebinding)', { host: 'evil.example' }, '127.0.0.1', 'permission_denied'],
      ['a name that begins alike', { host: 'localhost.evil.example' }, '::1', 'permission_denied'],
      ['a name with a user', { host: 'evil@localhost' }, '::1', 'permission_denied'],
      ['an address as a number', { host: '2130706433' }, '::1', 'permission_denied'],
      ['a short address', { host: '127.1' }, '::1', 'permission_denied'],
      ['a page of another origin', { origin: 'http://localhost:1' }, '::1', 'permission_denied'],
      ['a page without an origin', { origin: 'null' }, '::1', 'permission_denied'],
      ['a cross-site request', { 'sec-fetch-site': 'cross-site' }, '::1', 'permission_denied'],
      ['a same-site request', { 'sec-fetch-site': 'same-site' }, '::1', 'permission_denied'],
      ['a CDN', { 'cf-connecting-ip': '192.0.2.1' }, '127.0.0.1', 'permission_denied'],
      ['a CDN, second', { 'true-client-ip': '192.0.2.1' }, '127.0.0.1', 'permission_denied'],
      ['Envoy', { 'x-envoy-external-address': '192.0.2.1' }, '127.0.0.1', 'permission_denied'],
      ['an ingress', { 'x-original-forwarded-for': '192.0.2.1' }, '::1', 'permission_denied'],
      ['a load balancer', { 'x-client-ip': '192.0.2.1' }, '127.0.0.1', 'permission_denied'],
    ])('%s', async (_, headers: Record<string, string>, address, expected) => {
      expect(await outcome(subject, request(headers, address))).toBe(expected);
    });

    it('says how to open it', () => {
      expect(() => subject.authorize(request({}, '10.0.0.7'))).toThrow(/ADMIN_API_KEYS/);
    });
  });

  it('serves every caller with ADMIN_AUTH=none', async () => {
    expect(await outcome(auth({ mode: 'none' }), request({}, '10.0.0.7'))).toBe('open');
  });

  it('refuses callers without a credential in closed mode', async () => {
    expect(await outcome(auth({ mode: 'closed' }), request({}))).toBe('unauthenticated');
  });

  it('admits a live issued key only with the scope that is asked for', async () => {
    const subject = auth({ mode: 'closed' });
    const live = request({ authorization: `Bearer ${LIVE}` });
    expect(await outcome(subject, live)).toBe('permission_denied');
    expect(await outcome(subject, live, { scope: 'keys:verify' })).toBe('issued-key');
  });

  it('leaves Authorization alone where it belongs to the client being checked', async () => {
    const subject = auth({ staticKeys: [KEY] });
    const options = { adminHeaderOnly: true };
    const theirs = request({ authorization: `Bearer ${KEY}` });
    const ours = request({ 'x-admin-authorization': `Bearer ${KEY}` });
    expect(await outcome(subject, theirs, options)).toBe('unauthenticated');
    expect(await outcome(subject, ours, options)).toBe('static-key');
  });
});

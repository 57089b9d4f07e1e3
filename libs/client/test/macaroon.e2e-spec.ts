/** Restricted macaroons, verified by a real key service. */
import { attenuate, type Restrictions } from '@gatehouse/client/macaroon';
import { type KeyService, startKeyService } from './key-service.js';

let keys: KeyService;
beforeAll(async () => {
  keys = await startKeyService();
});
afterAll(() => keys.close());

const macaroon = (scopes: string[]) =>
  keys.token({ scopes }, { algorithm: 'TOKEN_ALGORITHM_MACAROON' });
const verify = (credential: string, more: object = {}) =>
  keys.admin('apiKeys:verify', { credential, client_ip: '192.0.2.7', ...more });

it.each<[Restrictions, string | undefined, object]>([
  [{}, undefined, {}],
  [{ expires: new Date('2999-01-01') }, undefined, {}],
  [{ expires: new Date('2020-01-01') }, 'EXPIRED', {}],
  [{ scopes: ['a'] }, undefined, { required_scopes: ['a'] }],
  [{ scopes: ['a'] }, 'INSUFFICIENT_SCOPE', { required_scopes: ['b'] }],
  [{ scopes: [] }, 'INSUFFICIENT_SCOPE', { required_scopes: ['a'] }],
  [{ network: '192.0.2.0/24' }, undefined, {}],
  [{ network: '192.0.2.7' }, undefined, {}],
  [{ network: '2001:db8::/32' }, 'IP_NOT_ALLOWED', {}],
  [{ audiences: ['billing'] }, 'AUDIENCE_MISMATCH', {}],
  [{ audiences: ['billing'] }, undefined, { audience: 'billing' }],
  [{ audiences: ['"], [', 'orders'] }, undefined, { audience: '"], [' }],
])('%j: %s', async (restrictions, expected, demands) => {
  const { error_code: error } = await verify(
    await attenuate(await macaroon(['a', 'b']), restrictions),
    demands,
  );
  expect(error).toBe(expected && `VERIFICATION_ERROR_${expected}`);
});

it('restricts a macaroon again and again, with caveats of any length', async () => {
  // Lengths of one and of two bytes in base 128.
  const long = [
    's'.repeat(100),
    's'.repeat(255),
    ...Array.from({ length: 10 }, (_, i) => `${i}`.padStart(200, 's')),
  ];
  let restricted = await macaroon(['a', ...long]);
  for (const scopes of [
    ['a', ...long],
    ['a', ...long.slice(0, 2)],
    ['a', 's'.repeat(100)],
    ['a'],
  ]) {
    restricted = await attenuate(restricted, { scopes });
    expect((await verify(restricted)).scopes).toEqual(scopes);
  }
  restricted = await attenuate(restricted, {
    scopes: ['a'],
    expires: new Date('2999-01-01'),
    network: '192.0.2.0/24',
    audiences: ['billing'],
  });
  expect(await verify(restricted, { audience: 'billing' })).toMatchObject({
    is_valid: true,
    scopes: ['a'],
    audiences: ['billing'],
  });
});

it('reads a macaroon whose Base64url is padded', async () => {
  const plain = await macaroon(['a']);
  const length = plain.length - 'mc_v1_'.length;
  const padded = plain.padEnd(plain.length + ((4 - (length % 4)) % 4), '=');
  expect(await attenuate(padded, { scopes: [] })).toBe(await attenuate(plain, { scopes: [] }));
});

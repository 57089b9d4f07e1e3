/** Macaroons: minted by the service, restricted by their holders offline, verified online. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { attenuateMacaroon, readMacaroon } from '@gatehouse/crypto';
import macaroonPackage from 'macaroon';
import { type KeyServiceStack, namedFields, startKeyService } from './key-stack.js';

const MISMATCH = 'VERIFICATION_ERROR_AUDIENCE_MISMATCH';

let service: KeyServiceStack;

beforeAll(async () => {
  service = await startKeyService({ ISSUER: 'https://keys.example.com' });
});
afterAll(() => service.close());

describe('POST /v2alpha1/admin/apiKeys:derive with TOKEN_ALGORITHM_MACAROON', () => {
  const macaroonOf = (secret: string, more: Record<string, unknown> = {}) =>
    service.tokenOf(secret, { algorithm: 'TOKEN_ALGORITHM_MACAROON', ...more });

  it('200: a macaroon with the caveats of the request', async () => {
    const { secret, key } = await service.issue({ scopes: ['a', 'b', 'c'] });
    const { body } = await service.derive(secret, { algorithm: 2, ttl: '5m', scopes: ['a', 'b'] });
    const { token, expire_time, scopes, claims } = body.token;
    const { location, caveats } = readMacaroon(token as string);
    expect(location).toBe('https://keys.example.com');
    expect(caveats).toEqual([`time < ${expire_time}`, 'scope = a b']);
    expect([scopes, claims.sub]).toEqual([['a', 'b'], key.key_id]);
    expect((await service.verify(token as string)).body).toMatchObject({
      is_valid: true,
      key_id: key.key_id,
      scopes: ['a', 'b'],
      expire_time,
    });
  });

  it('enforces caveats that a holder adds offline', async () => {
    const { secret } = await service.issue({ scopes: ['a', 'b', 'c'] });
    const token = await macaroonOf(secret, { scopes: ['a', 'b'] });
    const narrowed = attenuateMacaroon(token, ['scope = b c', 'ip = 127.0.0.0/8']);
    expect((await service.verify(narrowed)).body).toMatchObject({ is_valid: true, scopes: ['b'] });
    const cases: [string[], string | undefined, Record<string, unknown>?][] = [
      [['ip = 10.0.0.0/8'], 'VERIFICATION_ERROR_IP_NOT_ALLOWED'],
      [['ip = 127.0.0.0/8', 'ip = 10.0.0.0/8'], 'VERIFICATION_ERROR_IP_NOT_ALLOWED'],
      [['time < 2020-01-01T00:00:00Z'], 'VERIFICATION_ERROR_EXPIRED'],
      [['time < 2999-01-01T00:00:00Z'], undefined],
      [['time < soon'], 'VERIFICATION_ERROR_INVALID_FORMAT'],
      [['aud = x'], MISMATCH],
      [['aud = x'], undefined, { audience: 'x' }],
      [['aud = x', 'aud = y'], MISMATCH, { audience: 'x' }],
      [['aud = ["x","y"]', 'aud = y'], undefined, { audience: 'y' }],
      [['aud = ["x","y"]', 'aud = y'], MISMATCH, { audience: 'x' }],
      [['aud = x', 'aud = y'], undefined, { expected_audiences: ['y', 'x'] }],
      [['scope = '], 'VERIFICATION_ERROR_INSUFFICIENT_SCOPE', { required_scopes: ['a'] }],
      [['method = GET'], 'VERIFICATION_ERROR_INVALID_FORMAT'],
      [['ip = 10.0.0.1'], 'VERIFICATION_ERROR_IP_NOT_ALLOWED'],
      [['ip = 127.0.0.1'], undefined],
    ];
    for (const [caveats, expected, more] of cases) {
      const error = await service.errorOf(attenuateMacaroon(token, caveats), more);
      expect([caveats, error]).toEqual([caveats, expected]);
    }
  });

  it('enforces caveats that are added as docs/key-service.md shows', async () => {
    const [, code = ''] =
      /```js\nimport .*\n(?:.*\n)(function restrict[^]*?)```/.exec(
        readFileSync('docs/key-service.md', 'utf8'),
      ) ?? [];
    const context = createContext({ Buffer, createHmac });
    const restrict = runInContext(`(${code.trim()})`, context) as (
      token: string,
      caveat: string,
    ) => string;
    const { secret } = await service.issue({ scopes: ['a', 'b'] });
    const narrowed = restrict(await macaroonOf(secret, { audience: 'x' }), 'scope = b');
    expect((await service.verify(narrowed, { audience: 'x' })).body.scopes).toEqual(['b']);
    const late = restrict(narrowed, 'time < 2020-01-01T00:00:00Z');
    expect(await service.errorOf(late, { audience: 'x' })).toBe('VERIFICATION_ERROR_EXPIRED');
  });

  it('enforces caveats of the macaroon package, and refuses third-party caveats', async () => {
    const { secret } = await service.issue({ scopes: ['a', 'b'] });
    const token = await macaroonOf(secret);
    const binary = Buffer.from(token.slice('mc_v1_'.length), 'base64url');
    const { importMacaroon } = macaroonPackage as {
      importMacaroon: (bytes: Uint8Array) => {
        addFirstPartyCaveat: (condition: string) => void;
        exportBinary: () => Uint8Array;
      };
    };
    const narrowed = importMacaroon(new Uint8Array(binary));
    narrowed.addFirstPartyCaveat('scope = b');
    const written = `mc_v1_${Buffer.from(narrowed.exportBinary()).toString('base64url')}`;
    expect((await service.verify(written)).body).toMatchObject({ is_valid: true, scopes: ['b'] });

    // A third-party caveat with a sound signature, as libmacaroons chains it.
    const hmac = (key: Buffer, text: Buffer) => createHmac('sha256', key).update(text).digest();
    const signature = binary.subarray(-32);
    const [vid, id] = [Buffer.alloc(32, 7), Buffer.from('is a friend')];
    const chained = hmac(signature, Buffer.concat([hmac(signature, vid), hmac(signature, id)]));
    const thirdParty = Buffer.concat([
      binary.subarray(0, -35),
      Buffer.from([1, 9]),
      Buffer.from('elsewhere'),
      Buffer.from([2, id.length]),
      id,
      Buffer.from([4, vid.length]),
      vid,
      Buffer.from([0, 0, 6, 32]),
      chained,
    ]);
    expect(await service.errorOf(`mc_v1_${thirdParty.toString('base64url')}`)).toBe(
      'VERIFICATION_ERROR_SIGNATURE_INVALID',
    );
  });

  it('checks the audience as for a JWT', async () => {
    const { secret } = await service.issue();
    const token = await macaroonOf(secret, { custom_claims: { aud: ['x', 'y'] } });
    expect(await service.errorOf(token)).toBe(MISMATCH);
    expect(await service.errorOf(token, { audience: 'y' })).toBeUndefined();
    expect(await service.errorOf(token, { audience: 'z' })).toBe(MISMATCH);
  });

  it('200: has a caveat for the audience of the request', async () => {
    const { secret } = await service.issue({ scopes: ['a'] });
    const token = await macaroonOf(secret, { audience: 'billing' });
    expect(readMacaroon(token).caveats.slice(1)).toEqual(['scope = a', 'aud = billing']);
    expect(await service.errorOf(token, { audience: 'billing' })).toBeUndefined();
    expect(await service.errorOf(token)).toBe(MISMATCH);
  });

  it('200: has one caveat for several audiences', async () => {
    const { secret } = await service.issue({ scopes: ['a'] });
    const token = await macaroonOf(secret, { audiences: ['billing', 'a b'] });
    const [, , ...more] = readMacaroon(token).caveats;
    expect(more).toEqual(['aud = ["billing","a b"]']);
  });

  it('is read with the padding of Base64url', async () => {
    const { secret } = await service.issue();
    for (const audience of ['x', 'xy', 'xyz']) {
      const token = await macaroonOf(secret, { audience });
      const length = token.length - 'mc_v1_'.length;
      const padded = token.padEnd(token.length + ((4 - (length % 4)) % 4), '=');
      expect(await service.errorOf(padded, { audience })).toBeUndefined();
    }
  });

  it('ends with its parent', async () => {
    const { secret, key } = await service.issue();
    const token = await macaroonOf(secret);
    await service.admin('POST', `/apiKeys/${key.key_id}:revoke`, {});
    expect(await service.errorOf(token)).toBe('VERIFICATION_ERROR_REVOKED');
  });

  it('SIGNATURE_INVALID when it was altered, or minted elsewhere', async () => {
    const { secret } = await service.issue();
    const token = await macaroonOf(secret);
    const last = token.at(-1) === 'A' ? 'Q' : 'A';
    for (const credential of [
      token.slice(0, -1) + last,
      token.slice(0, -8),
      'mc_v1_',
      'mc_v1_AgJ4',
    ]) {
      expect(await service.errorOf(credential)).toBe('VERIFICATION_ERROR_SIGNATURE_INVALID');
    }
  });

  it('400: scopes that do not fit into a token', async () => {
    const scopes = Array.from({ length: 100 }, (_, i) => `${i}`.padStart(250, 's'));
    const { secret } = await service.issue({ scopes });
    for (const algorithm of [1, 2]) {
      const answer = await service.derive(secret, { algorithm });
      expect([answer.status, namedFields(answer)]).toEqual([400, ['scopes']]);
    }
  });
});

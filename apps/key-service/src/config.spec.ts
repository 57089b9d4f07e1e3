import { CONTROL_PLANE } from '@gatehouse/testing';
import { type ConfigError, loadConfig } from '@gatehouse/kit/settings';
import { KeyServiceConfig } from './config.js';

const STORES = { DATABASE_URL: 'postgres://x', REDIS_URL: 'redis://x' };
const RINGS = {
  HMAC_SECRETS: 'h'.repeat(32),
  ENCRYPTION_KEYS: 'e'.repeat(32),
  ...CONTROL_PLANE,
};

/** The variables named in the error, one for each line. */
const complaints = (environment: Record<string, string>): string[] => {
  try {
    loadConfig(KeyServiceConfig, environment);
    return [];
  } catch (error) {
    return (error as ConfigError).faults.map((fault) => fault.split(':')[0] ?? '');
  }
};

describe('KeyServiceConfig', () => {
  it('requires two stores, three key rings and a signing key, with one message for each', () => {
    expect(complaints({}).sort()).toEqual([
      'DATABASE_URL',
      'ENCRYPTION_KEYS',
      'HMAC_SECRETS',
      'MESSAGE_KEYS',
      'REDIS_URL',
      'VERDICT_SIGNING_KEY',
    ]);
    expect(complaints({ ...STORES, ...RINGS })).toEqual([]);
  });

  it.each([
    ['HMAC_SECRETS', 'too short'],
    ['HMAC_SECRETS', `${'h'.repeat(32)},${'h'.repeat(32)}`],
    ['ENCRYPTION_KEYS', 'too short'],
    ['SURFACE', 'private'],
    ['ADMIN_AUTH', 'off'],
    ['ADMIN_API_KEYS', 'x'.repeat(23)],
    ['SECRET_PREFIX', 'Gate-SK'],
    ['SECRET_PREFIX', 'mc'],
    ['SECRET_PREFIX', ','],
    ['SECRET_PREFIX', 'ok_sk,ok_sk'],
    ['SECRET_PREFIX', 'ok_sk,NOT OK'],
    ['PUBLIC_PREFIX', Array.from({ length: 101 }, (_, n) => `p${n}`).join()],
    ['RETIRED_PREFIXES', 'ok_sk,NOT OK'],
    ['MAX_TTL', '11y'],
    ['MAX_TTL', '0'],
    ['DEFAULT_TTL', '-1h'],
    ['MAX_KEYS', '1.5'],
    ['CACHE_TTL', 'soon'],
    ['CLIENT_IP_SOURCE', 'cf-connecting-ip'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10/8'],
    ['RATE_LIMIT_ON_ERROR', 'maybe'],
    ['SIGNING_ALGORITHM', 'HS256'],
  ])('%s must not be %j', (variable, value) => {
    expect(complaints({ ...STORES, ...RINGS, [variable]: value })).toEqual([variable]);
  });

  it.each(['x-forwarded-for', 'x-real-ip'])('requires TRUSTED_PROXIES with %s', (source) => {
    const settings = { ...STORES, ...RINGS, CLIENT_IP_SOURCE: source };
    expect(complaints(settings)).toEqual(['TRUSTED_PROXIES']);
    expect(complaints({ ...settings, TRUSTED_PROXIES: '10.0.0.0/8' })).toEqual([]);
  });
});

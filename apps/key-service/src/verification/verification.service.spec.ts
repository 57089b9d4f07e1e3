import { type Logger } from 'pino';
import { KeyServiceConfig } from '../config.js';
import { type CreditNotices } from './usage/credit-notices.js';
import { type LastUsed } from './usage/last-used.js';
import { type RefusalLog } from './usage/refusal-log.js';
import { type UsageRecorder } from './usage/usage-recorder.js';
import { type KeyCache } from '../store/cache/key-cache.js';
import { type CreditSpender } from '../store/credits/credit-spender.js';
import { type CredentialReader } from './credentials/credential-reader.js';
import { Checks } from './checks.js';
import { KeyResolver } from './key-resolver.js';
import { type RateLimiter } from './limits/rate-limiter.js';
import { type KeysRepository } from '../store/keys/keys.repository.js';
import { type VerificationKey } from '../store/keys/verification-key.js';
import { verificationKey } from '../../test/verification-rows.js';
import { type VerificationMetrics } from './verification-metrics.js';
import { verificationJson } from './verification-result.js';
import { VerificationService } from './verification.service.js';

const keyUntil = (expire_ms: number) => verificationKey({ expire_ms });
const ask = {
  credential: 'c',
  requiredScopes: undefined,
  audience: undefined,
  limits: undefined,
  tags: undefined,
  cache: 'use' as const,
  address: () => undefined,
};

let levels: string[];
beforeEach(() => {
  levels = [];
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A service whose store takes `takesMs` of the test's clock and answers with a key or an error. */
const serviceOf = (found: VerificationKey | Error, takesMs: number) => {
  const credentials = {
    rememberedToken: () => undefined,
    claimIn: () => ({ handle: 'k', hashes: undefined, token: undefined, confirm: () => true }),
  };
  const cache = {
    findByDigest: () => undefined,
    fetch: (_keyId: string, read: () => Promise<VerificationKey>) => read(),
    confirm: () => undefined,
  };
  const loadForVerification = () => {
    jest.setSystemTime(Date.now() + takesMs);
    return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
  };
  const logger = { warn: () => levels.push('warn'), error: () => levels.push('error') };
  const logging = logger as unknown as Logger;
  return new VerificationService(
    logging,
    new KeyResolver(
      credentials as unknown as CredentialReader,
      cache as unknown as KeyCache,
      { loadForVerification } as unknown as KeysRepository,
    ),
    new Checks(
      new KeyServiceConfig(),
      logging,
      {} as RateLimiter,
      {} as CreditSpender,
      {} as CreditNotices,
    ),
    {
      countCacheRead: () => undefined,
      countOutcome: () => undefined,
    } as unknown as VerificationMetrics,
    { recordUse: () => undefined } as unknown as LastUsed,
    { countValid: () => undefined, countOutcome: () => undefined } as unknown as UsageRecorder,
    { note: () => undefined } as unknown as RefusalLog,
  );
};

describe('VerificationKey', () => {
  it('parses its JSON once for all reads of actor and scopes', () => {
    const key = keyUntil(0);
    let parsed = 0;
    const { parsedFacts } = key;
    key.parsedFacts = () => {
      parsed += 1;
      return parsedFacts.call(key);
    };
    expect([key.actorId, key.scopes, key.actorId, key.scopes]).toEqual(['a', [], 'a', []]);
    expect(parsed).toBe(1);
  });
});

describe('VerificationService', () => {
  it('refuses a key that expired during the lookup', async () => {
    const result = await serviceOf(keyUntil(Date.now() + 30), 60).verify(ask);
    expect(result.error).toBe('VERIFICATION_ERROR_EXPIRED');
    expect(JSON.parse(verificationJson(result))).toMatchObject({ status: 'KEY_STATUS_EXPIRED' });
  });

  it('answers INTERNAL on any fault, and logs an error only when it is no outage', async () => {
    const outage = Object.assign(new Error('gone'), { code: '57P01' });
    for (const fault of [outage, new TypeError('a mistake')]) {
      const result = await serviceOf(fault, 0).verify(ask);
      expect(result.error).toBe('VERIFICATION_ERROR_INTERNAL');
    }
    expect(levels).toEqual(['warn', 'error']);
  });

  it('reports the status at the time of the evaluation', async () => {
    const key = keyUntil(Date.now() + 40);
    const result = await serviceOf(key, 0).verify({ ...ask, requiredScopes: ['missing'] });
    jest.setSystemTime(key.expireAtMs + 1);
    expect(JSON.parse(verificationJson(result))).toMatchObject({
      status: 'KEY_STATUS_ACTIVE',
      error_code: 'VERIFICATION_ERROR_INSUFFICIENT_SCOPE',
    });
  });
});

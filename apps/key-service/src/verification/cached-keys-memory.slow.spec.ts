import { sha256Base64 } from '@gatehouse/crypto';
import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { KeyServiceConfig } from '../config.js';
import { KeyCache } from '../store/cache/key-cache.js';
import { verificationKey } from '../../test/verification-rows.js';
import { UsageRecorder } from './usage/usage-recorder.js';

const KEYS = 100_000;
const KEYS_OF_FLUSH = 10_000;
const NOW_MS = Date.parse('2026-11-28T00:00:00Z');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

const keyOf = (keyId: string, digest: string) =>
  verificationKey({
    key_id: keyId,
    actor_id: `user-${keyId.slice(0, 8)}`,
    scopes: '["orders:read","orders:write"]',
    metadata: '{"plan": "standard"}',
    expire_ms: NOW_MS + 86_400_000,
    secret_hash: digest,
  });

it('keeps 100,000 verified and counted keys in 80 MB', () => {
  const config = new KeyServiceConfig();
  const cache = new KeyCache(config);
  const usage = new UsageRecorder(config);
  const before = heapBytes();
  for (let index = 0; index < KEYS; index += 1) {
    const keyId = randomUUID();
    const digest = sha256Base64(keyId);
    const key = keyOf(keyId, digest);
    cache.put(keyId, key, cache.generation);
    cache.confirm(key, digest);
    usage.countValid(key, NOW_MS);
    if (index % KEYS_OF_FLUSH === KEYS_OF_FLUSH - 1) usage.take();
  }
  const megabytes = (heapBytes() - before) / 1e6;
  expect(cache.size).toBe(KEYS);
  expect(megabytes).toBeLessThan(80);
});

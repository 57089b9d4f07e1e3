import { KeyServiceConfig } from '../../config.js';
import { KeyCache, LIMITS } from './key-cache.js';
import { type VerificationKey } from '../keys/verification-key.js';
import { verificationKey } from '../../../test/verification-rows.js';

const keyOf = (keyId: string) => verificationKey({ key_id: keyId });
const cacheOf = (limits?: Partial<typeof LIMITS>, cacheTtlSeconds = 30) =>
  new KeyCache(Object.assign(new KeyServiceConfig(), { cacheTtlSeconds }), {
    ...LIMITS,
    ...limits,
  });

afterEach(() => jest.restoreAllMocks());

describe('KeyCache', () => {
  it('finds a key by its id and by the digest of its confirmed credential', () => {
    const cache = cacheOf();
    const key = keyOf('a');
    cache.put('a', key, cache.generation);
    expect(cache.findByDigest('digest')).toBeUndefined();
    cache.confirm(key, 'digest');
    expect(cache.findByDigest('digest')).toBe(key);
    expect(cache.find('a')).toBe(key);
  });

  it('uses no entry longer than its time to live', () => {
    const cache = cacheOf({}, 10);
    const key = keyOf('a');
    cache.put('a', key, cache.generation);
    cache.confirm(key, 'digest');
    cache.put('gone', null, cache.generation);
    const clock = jest.spyOn(performance, 'now');
    const nowMs = performance.now();
    clock.mockReturnValue(nowMs + 4_000);
    expect([cache.find('a'), cache.find('gone')]).toEqual([key, null]);
    clock.mockReturnValue(nowMs + 5_001);
    expect([cache.find('a'), cache.find('gone')]).toEqual([key, undefined]);
    clock.mockReturnValue(nowMs + 10_001);
    expect([cache.find('a'), cache.findByDigest('digest')]).toEqual([undefined, undefined]);
  });

  it('keeps the latest read, also when the key was deleted or created again', () => {
    const cache = cacheOf();
    const key = keyOf('a');
    cache.put('a', key, cache.generation);
    cache.confirm(key, 'digest');
    cache.put('a', null, cache.generation);
    expect(cache.find('a')).toBeNull();
    expect(cache.findByDigest('digest')).toBeUndefined();
    cache.put('a', key, cache.generation);
    expect(cache.find('a')).toBe(key);
  });

  it('keeps a key that was found by another handle under its id', () => {
    const cache = cacheOf();
    cache.put('hash', null, cache.generation);
    expect(cache.find('hash')).toBeNull();
    const key = keyOf('a');
    cache.put('hash', key, cache.generation);
    expect([cache.find('hash'), cache.find('a')]).toEqual([undefined, key]);
  });

  it.each(['hash', 'a'])(
    'does not keep it when its handle or its id was dropped: %s',
    (dropped) => {
      const cache = cacheOf();
      const { generation } = cache;
      cache.drop(dropped);
      cache.put('hash', keyOf('a'), generation);
      expect(cache.find('a')).toBeUndefined();
    },
  );

  it('forgets the key of a credential that the store no longer has', () => {
    const cache = cacheOf();
    const key = keyOf('a');
    cache.put('hash', key, cache.generation);
    cache.confirm(key, 'digest');
    cache.forget('digest');
    cache.forget('other');
    expect(cache.findByDigest('digest')).toBeUndefined();
    expect(cache.find('a')).toBeUndefined();
  });

  it('does not keep what was loaded before the key was dropped', () => {
    const cache = cacheOf();
    const generation = cache.generation;
    cache.drop('a');
    cache.put('a', keyOf('a'), generation);
    cache.put('b', keyOf('b'), generation);
    expect(cache.find('a')).toBeUndefined();
    expect(cache.find('b')).toBeDefined();
    cache.put('a', keyOf('a'), cache.generation);
    expect(cache.find('a')).toBeDefined();
  });

  it('does not keep what was loaded before everything was dropped', () => {
    const cache = cacheOf();
    const generation = cache.generation;
    cache.clear();
    cache.put('a', keyOf('a'), generation);
    expect(cache.find('a')).toBeUndefined();
  });

  it('never keeps a key that was dropped during its read, after any number of drops', () => {
    const cache = cacheOf();
    const generation = cache.generation;
    for (let index = 0; index < 30_000; index += 1) cache.drop(`key-${index}`);
    for (const index of [0, 1, 15_000, 29_999]) {
      cache.put(`key-${index}`, keyOf(`key-${index}`), generation);
      expect(cache.find(`key-${index}`)).toBeUndefined();
    }
  });

  it('drops the digest with the key, also on eviction', () => {
    const cache = cacheOf({ entries: 2 });
    for (const name of ['a', 'b', 'c']) {
      const key = keyOf(name);
      cache.put(name, key, cache.generation);
      cache.confirm(key, `digest-${name}`);
    }
    const digests = ['a', 'b', 'c'].map((name) => cache.findByDigest(`digest-${name}`));
    expect(digests.map((key) => key?.keyId)).toEqual([undefined, 'b', 'c']);
    cache.drop('b');
    expect(cache.findByDigest('digest-b')).toBeUndefined();
    cache.clear();
    expect(cache.findByDigest('digest-c')).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  it('is bounded in bytes as well as in entries', () => {
    const cache = cacheOf({ bytes: 1024 * 1024 });
    const large = verificationKey({ metadata: `{"a":"${'x'.repeat(60_000)}"}` });
    for (let index = 0; index < 100; index += 1) {
      cache.put(
        `k${index}`,
        Object.assign(Object.create(large) as VerificationKey, { keyId: `k${index}` }),
        cache.generation,
      );
    }
    expect(cache.size).toBeLessThan(20);
    expect(cache.size).toBeGreaterThan(5);
  });

  it('keeps nothing with CACHE_TTL=0', () => {
    const cache = cacheOf({}, 0);
    cache.put('a', keyOf('a'), cache.generation);
    expect(cache.find('a')).toBeUndefined();
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Min, Validate } from 'class-validator';
import {
  asDurationSeconds,
  asInteger,
  asList,
  ConfigError,
  describeConfig,
  Env,
  IsKeyRing,
  loadConfig,
  Secret,
} from '@gatehouse/kit/settings';
import { MessagesConfig, ServiceConfig } from './service.config.js';

class CacheConfig {
  @Env('CACHE_TTL', 'How long', asDurationSeconds)
  @Min(1)
  ttlSeconds = 30;

  @Env('CACHE_ENTRIES', 'How many', asInteger)
  @Min(1)
  entries = 100;

  @Secret()
  @Env('CACHE_PASSWORDS', 'Whose', asList)
  passwords: string[] = [];
}

const faultsOf = (environment: Record<string, string>, Config: new () => object = CacheConfig) => {
  try {
    loadConfig(Config, environment);
  } catch (error) {
    return (error as ConfigError).faults;
  }
  return [];
};

describe('loadConfig', () => {
  it('keeps the defaults of what is not set or blank', () => {
    expect(loadConfig(CacheConfig, { CACHE_ENTRIES: '' })).toEqual({
      ttlSeconds: 30,
      entries: 100,
      passwords: [],
    });
  });

  it('parses what is set', () => {
    const config = loadConfig(CacheConfig, { CACHE_TTL: '2m', CACHE_PASSWORDS: 'a, b,,' });
    expect(config).toEqual({ ttlSeconds: 120, entries: 100, passwords: ['a', 'b'] });
  });

  it('names every fault at once, by variable', () => {
    const faults = faultsOf({ CACHE_TTL: 'soon', CACHE_ENTRIES: '0' });
    expect(faults).toHaveLength(2);
    expect(faults[0]).toMatch(/^CACHE_TTL: must be a duration/);
    expect(faults[1]).toMatch(/^CACHE_ENTRIES: /);
  });

  it('reads, validates and describes groups of settings, at any depth', () => {
    class StoreConfig {
      readonly cache = new CacheConfig();

      @Env('STORE_NAME', 'Which')
      name = '';
    }
    class AppConfig {
      readonly store = new StoreConfig();
      readonly noSettings = { CACHE_TTL: 'kept' };

      @Env('APP_NAME', 'Which')
      name = '';
    }
    const config = loadConfig(AppConfig, { APP_NAME: 'a', STORE_NAME: 'b', CACHE_TTL: '3' });
    expect([config.name, config.store.name, config.store.cache.ttlSeconds]).toEqual(['a', 'b', 3]);
    expect(describeConfig(config)).toEqual({
      APP_NAME: 'a',
      STORE_NAME: 'b',
      CACHE_TTL: 3,
      CACHE_ENTRIES: 100,
      CACHE_PASSWORDS: [],
    });
    const faults = faultsOf({ CACHE_TTL: 'soon', CACHE_ENTRIES: '0' }, AppConfig);
    expect(faults.map((fault) => fault.split(':')[0])).toEqual(['CACHE_TTL', 'CACHE_ENTRIES']);
  });

  it('reads FOO_FILE, without its last line feed, and refuses both at once', () => {
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-config-'));
    const path = join(directory, 'passwords');
    try {
      writeFileSync(path, 'from-file\n');
      const config = loadConfig(CacheConfig, { CACHE_PASSWORDS_FILE: path });
      expect(config.passwords).toEqual(['from-file']);
      expect(faultsOf({ CACHE_PASSWORDS: 'x', CACHE_PASSWORDS_FILE: path })[0]).toMatch(
        /^CACHE_PASSWORDS: is set twice/,
      );
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('never repeats a secret, neither in a fault nor in a description', () => {
    const faults = faultsOf({ MESSAGE_KEYS: 'hunter2' }, MessagesConfig);
    expect(faults.some((fault) => fault.startsWith('MESSAGE_KEYS: must list'))).toBe(true);
    expect(faults.join()).not.toContain('hunter2');
    const config = loadConfig(CacheConfig, { CACHE_PASSWORDS: 'hunter2' });
    expect(describeConfig(config)).toEqual({
      CACHE_TTL: 30,
      CACHE_ENTRIES: 100,
      CACHE_PASSWORDS: '[secret]',
    });
  });

  it('takes different secrets of 32 characters for a key ring, and never repeats one', () => {
    class RingConfig {
      @Secret()
      @Env('RING', 'Which', asList)
      @Validate(IsKeyRing)
      ring: string[] = [];
    }
    const [first, second] = ['a'.repeat(32), 'b'.repeat(32)];
    expect(loadConfig(RingConfig, { RING: `${first},${second}` }).ring).toEqual([first, second]);
    for (const RING of ['', 'short', `${first},${first}`]) {
      expect(faultsOf({ RING }, RingConfig)).toEqual([
        'RING: must list one or more different secrets of at least 32 characters, the one in use first',
      ]);
    }
  });

  it('derives from GATEHOUSE_SECRET what is not set, and only that', () => {
    const GATEHOUSE_SECRET = 'g'.repeat(32);
    const own = 'o'.repeat(32);
    const [derived] = loadConfig(MessagesConfig, { GATEHOUSE_SECRET, MESSAGE_KEYS: '' }).keys;
    expect(derived).toMatch(/^[\w-]{43}$/);
    expect(loadConfig(MessagesConfig, { GATEHOUSE_SECRET, MESSAGE_KEYS: own }).keys).toEqual([own]);
    const two = `${'n'.repeat(32)},${GATEHOUSE_SECRET}`;
    expect(loadConfig(MessagesConfig, { GATEHOUSE_SECRET: two }).keys[1]).toBe(derived);
    const [fault] = faultsOf({}, MessagesConfig);
    expect(fault).toMatch(/^MESSAGE_KEYS: must list .* in use first, or set GATEHOUSE_SECRET$/);
    expect(faultsOf({ MESSAGE_KEYS: 'short' }, MessagesConfig).join()).not.toContain('or set');
  });

  it('refuses a GATEHOUSE_SECRET that is too short, set twice or listed twice', () => {
    const DATABASE_URL = 'postgres://x';
    const others = { DATABASE_URL, REDIS_URL: 'redis://x' };
    const faults = (set: Record<string, string>) => faultsOf({ ...others, ...set }, ServiceConfig);
    const [ring, ...more] = faults({ GATEHOUSE_SECRET: 'short' });
    expect(more).toEqual([]);
    expect(ring).toMatch(/^GATEHOUSE_SECRET: must list one or more different secrets/);
    expect(faultsOf({ GATEHOUSE_SECRET: 'short' }, MessagesConfig)).toEqual([ring]);
    const twice = 'g'.repeat(32);
    expect(faults({ GATEHOUSE_SECRET: `${twice},${twice}` })).toEqual([ring]);
    expect(faults({ GATEHOUSE_SECRET: twice, GATEHOUSE_SECRET_FILE: '/x' })).toEqual([
      'GATEHOUSE_SECRET: is set twice, directly and by GATEHOUSE_SECRET_FILE',
    ]);
  });

  it('demands addresses of PostgreSQL and Redis', () => {
    const faults = faultsOf({ DATABASE_URL: 'mysql://x' }, ServiceConfig);
    expect(faults.filter((fault) => /_URL/.test(fault)).sort()).toEqual([
      'DATABASE_URL: must be a postgres:// address',
      expect.stringMatching(/^REDIS_URL: must be redis:.*redis-sentinel:.*redis-cluster:/),
    ]);
  });
});

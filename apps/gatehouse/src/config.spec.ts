import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConfigError } from '@gatehouse/kit/settings';
import { loadConfigs } from './config.js';

const ENOUGH = {
  DATABASE_URL: 'postgres://localhost/gatehouse',
  GATEHOUSE_SECRET: 'a-gatehouse-secret-of-the-tests-0123456789',
};
const KEYS_RING = 'a-ring-of-the-key-service-0123456789';
const FORMS_RING = 'a-ring-of-identity-forms-0123456789';
const ADMIN_KEY = 'an-admin-key-of-the-tests-0123456789';

const load = (settings: Record<string, string> = {}) => loadConfigs({ ...ENOUGH, ...settings });

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadConfigs(environment);
    return [];
  } catch (error) {
    return (error as ConfigError).faults;
  }
}

it('an address of PostgreSQL and a secret are enough', () => {
  const { gatehouse, keyService, dsyncApi, dsyncWorker, identityForms } = load();
  const services = [gatehouse, keyService, dsyncApi, dsyncWorker, identityForms];
  for (const { database, redis } of services) {
    expect([database.url, redis.url]).toEqual([ENOUGH.DATABASE_URL, '']);
  }
});

it('each service encrypts under a ring of its own, which the worker reads', () => {
  const { keyService, dsyncApi, dsyncWorker, identityForms } = load();
  const rings = [keyService, dsyncApi, identityForms].map(({ encryptionKeys }) => encryptionKeys);
  expect(new Set(rings.flat()).size).toBe(3);
  const { keysEncryptionKeys, formsEncryptionKeys } = dsyncWorker.otherSystems;
  expect([keysEncryptionKeys, dsyncWorker.encryptionKeys, formsEncryptionKeys]).toEqual(rings);
});

it('a ring is set by the name of its service, and ENCRYPTION_KEYS is that of directory sync', () => {
  const DSYNC_RING = 'a-ring-of-directory-sync-0123456789';
  const { keyService, dsyncApi, dsyncWorker, identityForms } = load({
    KEYS_ENCRYPTION_KEYS: KEYS_RING,
    FORMS_ENCRYPTION_KEYS: FORMS_RING,
    ENCRYPTION_KEYS: DSYNC_RING,
  });
  expect(keyService.encryptionKeys).toEqual([KEYS_RING]);
  expect(identityForms.encryptionKeys).toEqual([FORMS_RING]);
  expect(dsyncApi.encryptionKeys).toEqual([DSYNC_RING]);
  expect(dsyncWorker.encryptionKeys).toEqual([DSYNC_RING]);
  expect(dsyncWorker.otherSystems).toMatchObject({
    keysEncryptionKeys: [KEYS_RING],
    formsEncryptionKeys: [FORMS_RING],
  });
});

it('a worker delivers for all services from the one database', () => {
  const { otherSystems } = load().dsyncWorker;
  expect([otherSystems.keysDatabaseUrl, otherSystems.formsDatabaseUrl]).toEqual([
    ENOUGH.DATABASE_URL,
    ENOUGH.DATABASE_URL,
  ]);
});

it('keys of administrators open directory sync too, unless API_KEYS are set', () => {
  expect(load({ ADMIN_API_KEYS: ADMIN_KEY }).dsyncApi.apiKeys).toEqual([ADMIN_KEY]);
  const API_KEYS = 'an-api-key-of-the-tests-0123456789';
  expect(load({ ADMIN_API_KEYS: ADMIN_KEY, API_KEYS }).dsyncApi.apiKeys).toEqual([API_KEYS]);
});

it('without the console, its settings are not read', () => {
  expect(load().console?.adminKey).toBe(load().keyService.consoleAdminKey);
  expect(load({ CONSOLE: 'off', CONSOLE_IDLE_TIME: '1' }).console).toBeUndefined();
  expect(faultsOf({ ...ENOUGH, CONSOLE_IDLE_TIME: '1' })).toEqual([
    expect.stringMatching(/^CONSOLE_IDLE_TIME: /),
  ]);
});

it('every name may be given as a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-config-'));
  const fileOf = (name: string, value: string) => {
    writeFileSync(join(folder, name), `${value}\n`);
    return join(folder, name);
  };
  try {
    const { keyService, dsyncApi, dsyncWorker, identityForms } = loadConfigs({
      DATABASE_URL_FILE: fileOf('database', ENOUGH.DATABASE_URL),
      GATEHOUSE_SECRET_FILE: fileOf('secret', ENOUGH.GATEHOUSE_SECRET),
      ADMIN_API_KEYS_FILE: fileOf('admin', ADMIN_KEY),
      KEYS_ENCRYPTION_KEYS_FILE: fileOf('keys', KEYS_RING),
      FORMS_ENCRYPTION_KEYS_FILE: fileOf('forms', FORMS_RING),
      EXTERNAL_URL_FILE: fileOf('external', 'https://gate.example.com'),
    });
    expect(keyService.encryptionKeys).toEqual([KEYS_RING]);
    expect(identityForms.encryptionKeys).toEqual([FORMS_RING]);
    expect(dsyncWorker.otherSystems).toMatchObject({
      keysDatabaseUrl: ENOUGH.DATABASE_URL,
      keysEncryptionKeys: [KEYS_RING],
    });
    expect(dsyncApi.apiKeys).toEqual([ADMIN_KEY]);
    expect(identityForms.publicUrl).toBe('https://gate.example.com');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it.each<[Record<string, string>, string, string]>([
  [{}, 'http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  [{ PORT: '9000' }, 'http://127.0.0.1:9000', 'http://127.0.0.1:9000'],
  [{ EXTERNAL_URL: 'https://a.example' }, 'https://a.example', 'https://a.example'],
  [
    { EXTERNAL_URL: 'https://a.example', PUBLIC_URL: 'https://b.example' },
    'https://a.example',
    'https://b.example',
  ],
])('with %j, directories are at %s and pages at %s', (settings, external, pages) => {
  const { dsyncApi, dsyncWorker, identityForms } = load(settings);
  expect(dsyncApi.externalUrl).toBe(external);
  expect(dsyncWorker.workspace.externalUrl).toBe(external);
  expect(identityForms.publicUrl).toBe(pages);
});

it('REDIS_URL is optional, and checked if it is set', () => {
  expect(load({ REDIS_URL: 'redis://localhost' }).dsyncWorker.redis.url).toBe('redis://localhost');
  expect(faultsOf({ ...ENOUGH, REDIS_URL: 'http://localhost' })).toEqual([
    expect.stringMatching(/^REDIS_URL: must be redis:/),
  ]);
});

it('names the faults of all services at once, each once and by the name that is set here', () => {
  const faults = faultsOf({
    ...ENOUGH,
    DATABASE_URL: 'mysql://localhost',
    KEYS_ENCRYPTION_KEYS: 'short',
    FORMS_ENCRYPTION_KEYS: 'short',
    API_KEYS: 'short',
    ADMIN_PORT: '70000',
    DSYNC_SWEEP_INTERVAL: '0',
  });
  expect(faults.map((fault) => fault.split(':')[0]).sort()).toEqual([
    'ADMIN_PORT',
    'API_KEYS',
    'DATABASE_URL',
    'DSYNC_SWEEP_INTERVAL',
    'FORMS_ENCRYPTION_KEYS',
    'KEYS_ENCRYPTION_KEYS',
  ]);
});

it('a fault of a key that opens all services names ADMIN_API_KEYS', () => {
  expect(faultsOf({ ...ENOUGH, ADMIN_API_KEYS: 'short' })).toEqual([
    'ADMIN_API_KEYS: each key must have at least 24 characters',
  ]);
});

it('without a secret, names GATEHOUSE_SECRET, which is enough', () => {
  const faults = faultsOf({});
  expect(faults).toContain('DATABASE_URL: must be a postgres:// address');
  const rings = faults.filter((fault) => !fault.startsWith('DATABASE_URL'));
  expect(rings.length).toBeGreaterThan(0);
  for (const fault of rings) expect(fault).toMatch(/, or set GATEHOUSE_SECRET$/);
});

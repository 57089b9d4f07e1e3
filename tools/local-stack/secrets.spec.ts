import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsOf } from '../checks/settings.js';
import { applicationEnvironment, inheritedEnvironment } from './applications.mjs';
import { APP_NAMES, portPlan } from './ports.mjs';
import { stackSecrets } from './secrets.mjs';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'));
  file = join(folder, 'secrets.json');
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('stackSecrets', () => {
  it("makes them once, for the owner's eyes alone", () => {
    const first = stackSecrets(file);
    expect(stackSecrets(file)).toEqual(first);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(new Set(Object.values(first)).size).toBe(Object.keys(first).length);
  });

  it('keeps what is there and adds what a newer version needs', () => {
    writeFileSync(file, JSON.stringify({ keysAdminApiKey: 'kept', retired: 'kept too' }));
    expect(stackSecrets(file).keysAdminApiKey).toBe('kept');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ retired: 'kept too' });
  });

  it('refuses a broken file instead of replacing what data was sealed with', () => {
    writeFileSync(file, '{"adminApiKey":');
    expect(() => stackSecrets(file)).toThrow('Cannot read the secrets');
  });
});

describe('applicationEnvironment', () => {
  const databases = {
    'key-service': 'a',
    dsync: 'b',
    'identity-forms': 'c',
    'delivery-worker': 'd',
    console: 'e',
  };
  const environmentOf = (name: (typeof APP_NAMES)[number]) =>
    applicationEnvironment(name, {
      plan: portPlan(8080),
      secrets: stackSecrets(file),
      databases,
      redisUrl: 'redis://x',
      redisNamespace: '',
      hasGateway: true,
    });

  it('gives each service its own role and its own key, and both halves of directory sync one', () => {
    expect(environmentOf('key-service')).toMatchObject({ PORT: '8081', DATABASE_URL: 'a' });
    expect(environmentOf('identity-forms')).toMatchObject({ PORT: '8083', DATABASE_URL: 'c' });
    const [api, worker] = [environmentOf('dsync-api'), environmentOf('dsync-worker')];
    expect(worker['ENCRYPTION_KEYS']).toBe(api['ENCRYPTION_KEYS']);
    expect(worker).toMatchObject({ KEYS_DATABASE_URL: 'd', FORMS_DATABASE_URL: 'd' });
    expect(environmentOf('console')).toMatchObject({ PORT: '8085', DATABASE_URL: 'e' });
    expect(environmentOf('key-service')['ENCRYPTION_KEYS']).not.toBe(api['ENCRYPTION_KEYS']);
  });

  it('holds only settings that the service reads', async () => {
    for (const name of APP_NAMES) {
      const given = Object.keys(environmentOf(name)).filter((setting) => setting !== 'NODE_ENV');
      expect([...(await settingsOf(name))]).toEqual(expect.arrayContaining(given));
    }
  });

  it('listens on loopback only', () => {
    expect(APP_NAMES.map((name) => environmentOf(name)['HOST'])).toEqual(
      APP_NAMES.map(() => '127.0.0.1'),
    );
  });
});

describe('inheritedEnvironment', () => {
  it('passes on settings of the services and drops what the stack decides', () => {
    const inherited = inheritedEnvironment({
      LOG_LEVEL: 'debug',
      PORT: '3000',
      DATABASE_URL_FILE: '/run/secrets/database',
      npm_config_yes: 'true',
    });
    expect(inherited).toEqual({ LOG_LEVEL: 'debug' });
  });
});

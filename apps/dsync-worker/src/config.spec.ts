import { loadConfig } from '@gatehouse/kit/settings';
import { DsyncWorkerConfig } from './config.js';

const load = (more: Record<string, string>) =>
  loadConfig(DsyncWorkerConfig, {
    DATABASE_URL: 'postgres://localhost/dsync',
    REDIS_URL: 'redis://localhost',
    ENCRYPTION_KEYS: 'a key of at least thirty-two characters',
    ...more,
  });

it.each<[Record<string, string>, boolean]>([
  [{}, false],
  [{ EXTERNAL_URL: 'http://sync.example.com' }, false],
  [{ EXTERNAL_URL: 'https://sync.example.com' }, true],
  [{ EXTERNAL_URL: 'https://sync.example.com', WORKSPACE_PUSH: 'false' }, false],
  [{ EXTERNAL_URL: 'http://sync.example.com', WORKSPACE_PUSH: 'true' }, true],
])('with %j, providers notify of changes: %j', (settings, isPushed) => {
  expect(load(settings).workspace.isPushed).toBe(isPushed);
});

it('demands the address that providers notify', () => {
  expect(() => load({ WORKSPACE_PUSH: 'true' })).toThrow('EXTERNAL_URL: must be set');
  expect(() => load({ EXTERNAL_URL: 'sync.example.com' })).toThrow('EXTERNAL_URL: must be an http');
});

/** All services as built processes on one database and one Redis, for tools that send load. */
import {
  type FakeGithubKeys,
  type FakeGoogle,
  openTestStack,
  orClose,
  runMigrations,
  type ServiceProcess,
  startFakeGithubKeys,
  startFakeGoogle,
  startWebhookReceiver,
  type TestStack,
  type WebhookReceiver,
} from '@gatehouse/testing';
import { type Layout } from '#local-stack/layout.mjs';
import { startTestStores } from '#local-stack/test-stores.mjs';

export type HttpService = 'key-service' | 'dsync-api' | 'identity-forms';
export type RunningApp = HttpService | 'dsync-worker';

export const ADMIN_KEY = 'an-admin-key-of-the-load-0123456789';
const ENCRYPTION_KEY = 'an-encryption-key-of-the-load-0123456789';

export interface WholeStack extends Pick<TestStack, 'database' | 'redis' | 'secrets'> {
  services: Readonly<Record<RunningApp, ServiceProcess>>;
  receiver: WebhookReceiver;
  google: FakeGoogle;
  github: FakeGithubKeys;
  close(): Promise<void>;
}

interface Context {
  layout: Layout;
  signal: AbortSignal;
  note: (text: string) => void;
  settings?: Readonly<Record<string, string>>;
}

export async function openWholeStack({
  layout,
  signal,
  note,
  settings = {},
}: Context): Promise<WholeStack> {
  const stores = await startTestStores(layout, { signal, note });
  process.env['TEST_DATABASE_URL'] = stores.databaseUrl;
  process.env['TEST_REDIS_URL'] = stores.redisUrl;
  const google = await startFakeGoogle();
  const github = await startFakeGithubKeys();
  const receiver = await startWebhookReceiver();
  const stack = await openTestStack('dsync-api', {
    settings: {
      ADMIN_API_KEYS: ADMIN_KEY,
      API_KEYS: ADMIN_KEY,
      ENCRYPTION_KEYS: ENCRYPTION_KEY,
      HMAC_SECRETS: 'an-hmac-secret-of-the-load-0123456789',
      EXTERNAL_URL: 'https://sync.example.com',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      WORKSPACE_PUSH: 'false',
      WORKSPACE_SYNC_CRON: 'never',
      SUBMISSIONS_PER_ADDRESS: '0',
      SUBMISSIONS_PER_FLOW: '0',
      SUBMISSIONS_PER_IDENTIFIER: '0',
      SECRET_SCANNING_KEYS_URL: github.url,
      ...google.settings,
      ...settings,
    },
  });
  const close = async () => {
    await stack.close();
    await google.close();
    await github.close();
    await receiver.close();
  };
  return orClose(close, async () => {
    await runMigrations('key-service', stack.database.url);
    await runMigrations('identity-forms', stack.database.url);
    // One after another: on a busy machine, four at once take longer than each may.
    const services = {
      'key-service': await stack.start('key-service', { ISSUER: 'https://keys.example.com' }),
      'dsync-api': await stack.start('dsync-api'),
      'identity-forms': await stack.start('identity-forms'),
      'dsync-worker': await stack.start('dsync-worker', {
        KEYS_DATABASE_URL: stack.database.serviceUrl,
        KEYS_ENCRYPTION_KEYS: ENCRYPTION_KEY,
        FORMS_DATABASE_URL: stack.database.serviceUrl,
        FORMS_ENCRYPTION_KEYS: ENCRYPTION_KEY,
        DSYNC_SWEEP_INTERVAL: '1',
      }),
    };
    const { database, redis, secrets } = stack;
    return { database, redis, secrets, services, receiver, google, github, close };
  });
}

import {
  openTestStack,
  runMigrations,
  type ServiceProcess,
  type TestStack,
} from '@gatehouse/testing';
import { ADMIN_KEY, FormsClient } from './forms-client.js';

export const ENCRYPTION_KEY = 'test-encryption-key-test-encryption-1';

/** A test stack with as many replicas of identity forms as a test starts. */
export interface FormsStack extends Omit<TestStack, 'start'> {
  /** Starts a replica; `settings` override the usual ones. */
  start(settings?: Record<string, string>): Promise<ServiceProcess & { client: FormsClient }>;
  /** Starts a worker that delivers the webhooks of identity forms; it retries every second. */
  startWorker(): Promise<ServiceProcess>;
}

export async function openFormsStack(): Promise<FormsStack> {
  // A test submits in seconds what people submit in hours.
  const settings = {
    ADMIN_API_KEYS: ADMIN_KEY,
    ENCRYPTION_KEYS: ENCRYPTION_KEY,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    SUBMISSIONS_PER_ADDRESS: '0',
    SUBMISSIONS_PER_FLOW: '0',
    SUBMISSIONS_PER_IDENTIFIER: '0',
  };
  const stack = await openTestStack('identity-forms', { settings });
  return {
    ...stack,
    start: async (more) => {
      const service = await stack.start('identity-forms', more);
      return { ...service, client: new FormsClient(service.url, stack) };
    },
    startWorker: async () => {
      await runMigrations('dsync-api', stack.database.url);
      return stack.start('dsync-worker', {
        FORMS_DATABASE_URL: stack.database.serviceUrl,
        FORMS_ENCRYPTION_KEYS: ENCRYPTION_KEY,
        DSYNC_SWEEP_INTERVAL: '1',
        DSYNC_WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1,1,1,1,1',
        DSYNC_EVENT_ATTEMPTS: '2',
      });
    },
  };
}

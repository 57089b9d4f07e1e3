/** One database, one corner of Redis, and as many replicas of the service as a test wants. */
import { openServiceStand, type ServiceProcess, type ServiceStand } from '@gatehouse/testing';
import { ADMIN_KEY, FormsClient } from './forms-client.js';

export interface FormsStand extends Omit<ServiceStand, 'start'> {
  /** Starts a replica with these settings beside or instead of the usual ones. */
  start(settings?: Record<string, string>): Promise<ServiceProcess & { client: FormsClient }>;
}

export async function formsStand(): Promise<FormsStand> {
  const stand = await openServiceStand('identity-forms');
  return {
    ...stand,
    start: async (settings = {}) => {
      const service = await stand.start('identity-forms', {
        ADMIN_API_KEYS: ADMIN_KEY,
        ...settings,
      });
      return { ...service, client: new FormsClient(service.url) };
    },
  };
}

import { type WebhookService } from '@gatehouse/testing';
import { type KeyServiceStack, namedFields, reasonOf } from './key-stack.js';

/** The key service for the tests that all services with webhooks share. */
export function keyWebhooks(service: KeyServiceStack): WebhookService {
  const get = async (path: string) => (await service.admin('GET', path)).body;
  return {
    send: (method, path, json) => service.admin(method, path, json),
    source: '',
    dataOf: (body) => body,
    codeOf: reasonOf,
    fieldsOf: namedFields,
    types: ['key.issued', 'key.revoked'],
    change: async () => (await service.issue()).key.key_id as string,
    changeAgain: (id) => service.admin('POST', `/apiKeys/${id}:revoke`, {}),
    subjectOf: ({ data }) => data.key_id as string,
    eventsAfter: async (id) => (await get(`/events?page_size=1000&after=${id}`)).events,
    audited: async (count) => (await get(`/auditEvents?page_size=${count}`)).audit_events,
    stored: async () =>
      JSON.stringify(await service.database.query('SELECT * FROM keys.endpoints')),
    endpointsMax: 10,
  };
}

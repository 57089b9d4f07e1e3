import { type Json, type WebhookService } from '@gatehouse/testing';
import { type FormsClient } from './forms-client.js';
import { type FormsStack } from './forms-stack.js';

/** Identity forms for the tests that all services with webhooks share. It has the schema `user`. */
export function identityWebhooks(client: FormsClient, stack: FormsStack): WebhookService {
  const get = async (path: string) => (await client.admin('GET', `/v1${path}`)).body;
  const identity = { schema_id: 'user', traits: { email: 'a', age: 1 } };
  return {
    send: (method, path, json) => client.admin(method, `/v1${path}`, json as object | undefined),
    source: '',
    dataOf: (body) => body,
    codeOf: ({ body }) => body.code as string | undefined,
    fieldsOf: ({ body }) => (body.errors ?? []).map(({ name }: Json) => name as string),
    types: ['identity.created', 'identity.deleted'],
    change: async () => {
      const { body } = await client.admin('POST', '/v1/identities', identity);
      return body.id as string;
    },
    changeAgain: (id) => client.admin('DELETE', `/v1/identities/${id}`),
    subjectOf: ({ data }) => data.identity_id as string,
    eventsAfter: async (id) => (await get(`/events?page_size=1000&after=${id}`)).events,
    audited: async (count) => (await get(`/audit-events?page_size=${count}`)).audit_events,
    stored: async () => JSON.stringify(await stack.database.query('SELECT * FROM forms.endpoints')),
    endpointsMax: 10,
  };
}

/** The endpoints of a directory without a webhook, and the repetition of their deliveries. */
import { DeliveryErrors } from '@gatehouse/delivery';
import {
  describeEventDeliveries,
  describeWebhookEndpoints,
  type Json,
  type TestStack,
  type WebhookService,
} from '@gatehouse/testing';
import { manage, newDirectory, openSyncStack, type Service, user } from './sync-stack.js';

let stack: TestStack;
let service: WebhookService;

beforeAll(async () => {
  stack = await openSyncStack();
  service = await directoryWebhooks(await stack.start('dsync-api'));
});
afterAll(() => stack.close());

describeWebhookEndpoints(() => service);
describeEventDeliveries(
  () => service,
  () =>
    stack.start('dsync-worker', {
      DSYNC_SWEEP_INTERVAL: '1',
      DSYNC_WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1,1,1,1,1',
      DSYNC_EVENT_ATTEMPTS: '2',
    }),
);

/** A directory for the tests that all services with webhooks share. */
async function directoryWebhooks(api: Service): Promise<WebhookService> {
  const { id, scim } = await newDirectory(api);
  const codes = Object.values(DeliveryErrors);
  const get = async (path: string) => (await manage(api, 'GET', path)).body.data as Json[];
  let users = 0;
  return {
    send: (method, path, json) => manage(api, method, path, json),
    source: `/${id}`,
    dataOf: ({ data }) => data,
    codeOf: ({ body }) => codes.find(({ message }) => message === body.error.message)?.code,
    fieldsOf: ({ body }) => [body.error.message.split(': ')[0] as string],
    types: ['user.created', 'user.deleted'],
    change: async () => (await scim('POST', '/Users', user(`user-${users++}`))).body.id as string,
    changeAgain: (userId) => scim('DELETE', `/Users/${userId}`),
    subjectOf: ({ data }) => data.id as string,
    eventsAfter: async (after) => {
      const events = await get(`/events?directoryId=${id}&limit=1000&after=${after}`);
      return events.map(({ state: _state, attempts: _attempts, ...event }) => event);
    },
    audited: (count) => get(`/audit-events?pageLimit=${count}`),
    stored: async () => JSON.stringify(await stack.database.query('SELECT * FROM dsync.endpoints')),
    // Its webhook, which has no address, counts as well.
    endpointsMax: 9,
  };
}

/** Routes that the descriptions leave out: pages, callbacks, notifications, and the queue board. */
import { ADMIN_KEY } from '../live-stack/whole-stack.js';
import { type Draft } from './draft.js';
import { type Target } from './targets.js';
import { type Tenant } from '../live-stack/tenant.js';

type Make = (tenant: Tenant) => Omit<Draft, 'headers' | 'query'> & Partial<Draft>;

const BASIC = `Basic ${Buffer.from(`x:${ADMIN_KEY}`).toString('base64')}`;
const JSON_TYPE = { 'content-type': 'application/json' };
const CHANNEL = '01983f6e-7c10-7000-8000-2f6d1c7a9b01';

export const MORE_TARGETS: readonly Target[] = [
  ...(['key-service', 'dsync-api', 'identity-forms'] as const).flatMap((service) => [
    target(service, 'docs', () => ({ method: 'GET', path: '/docs' })),
    target(service, 'description', () => ({ method: 'GET', path: '/openapi.json' })),
    target(service, 'unknown route', () => ({ method: 'GET', path: '/no/such/route' })),
  ]),
  target(
    'dsync-api',
    'OAuth callback',
    () => ({
      method: 'GET',
      path: '/api/scim/oauth/callback',
      query: [
        ['state', 'x'],
        ['code', 'y'],
      ],
    }),
    ['state', 'code', 'error', 'admin_consent', 'tenant'],
  ),
  target('dsync-api', 'notification of Google', () => ({
    method: 'POST',
    path: `/api/scim/workspace/notifications/${CHANNEL}`,
    headers: {
      ...JSON_TYPE,
      'x-goog-channel-id': CHANNEL,
      'x-goog-message-number': '1',
      'x-goog-resource-state': 'update',
      'x-goog-channel-token': 'x',
    },
    json: { kind: 'admin#directory#user', id: '1', primaryEmail: 'a@example.com' },
  })),
  target(
    'dsync-api',
    'notification of Entra ID',
    () => ({
      method: 'POST',
      path: `/api/scim/workspace/notifications/${CHANNEL}`,
      headers: JSON_TYPE,
      json: { value: [{ subscriptionId: CHANNEL, clientState: 'x', resourceData: { id: 'x' } }] },
    }),
    ['validationToken'],
  ),
  target('dsync-api', 'key as Api-Key', ({ managed }) => ({
    method: 'GET',
    path: `/api/v1/dsync/${managed.id}`,
    headers: { authorization: `Api-Key ${ADMIN_KEY}` },
  })),
  target('key-service', 'two credentials', ({ key }) => ({
    method: 'GET',
    path: '/v2alpha1/admin/apiKeys:authorize',
    headers: {
      'x-admin-authorization': `Bearer ${ADMIN_KEY}`,
      authorization: `Bearer ${key.secret}`,
      'x-api-key': key.secret,
    },
  })),
  target(
    'dsync-worker',
    'queue board',
    () => ({
      method: 'GET',
      path: '/admin/queues/api/queues',
      headers: { authorization: BASIC },
      query: [
        ['activeQueue', 'x'],
        ['page', '1'],
      ],
    }),
    ['activeQueue', 'status', 'page', 'jobsPerPage'],
  ),
];

function target(
  service: Target['service'],
  name: string,
  make: Make,
  queryNames: readonly string[] = [],
): Target {
  return {
    service,
    name,
    queryNames,
    bodyNames: [],
    isUsedUp: false,
    isScoped: false,
    isDescribed: false,
    build: (tenant) => Promise.resolve({ query: [], headers: {}, ...make(tenant) }),
  };
}

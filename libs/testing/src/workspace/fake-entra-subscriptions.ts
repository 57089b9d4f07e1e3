/**
 * Change notifications of the fake Microsoft Graph. Requests, the validation of addresses and
 * notifications follow https://learn.microsoft.com/graph/change-notifications-delivery-webhooks and
 * https://learn.microsoft.com/graph/api/subscription-post-subscriptions.
 */
import { randomUUID } from 'node:crypto';
import { ENTRA_FAULTS } from './fake-entra-faults.js';
import { type FakeAnswer, type FakeRequest } from './fake-server.js';

interface Subscription {
  id: string;
  resource: string;
  changeType: string;
  clientState: string;
  notificationUrl: string;
  lifecycleNotificationUrl: string | null;
  expirationDateTime: string;
}

const SECONDS_MAX = 29 * 86_400;

export class EntraSubscriptions {
  /** By id. */
  readonly subscriptions = new Map<string, Subscription>();
  /** The longest life of a subscription; Graph refuses more than 29 days. */
  secondsMax = SECONDS_MAX;
  /** Subscriptions that were ever made, and how often they were renewed. */
  opened = 0;
  renewed = 0;

  constructor(private readonly tenant: string) {}

  async answer({ method, url, text }: FakeRequest): Promise<FakeAnswer> {
    const id = /\/subscriptions\/([^/]+)$/.exec(url.pathname)?.[1];
    if (id === undefined) return method === 'POST' ? this.create(text) : ENTRA_FAULTS.notFound;
    const known = this.live().find((subscription) => subscription.id === id);
    if (!known) return ENTRA_FAULTS.notFound;
    if (method === 'DELETE') {
      this.subscriptions.delete(id);
      return { status: 204 };
    }
    if (method !== 'PATCH') return ENTRA_FAULTS.notFound;
    const { expirationDateTime = '' } = JSON.parse(text) as Partial<Subscription>;
    known.expirationDateTime = this.expiry(expirationDateTime);
    this.renewed += 1;
    return { body: { '@odata.context': '#subscriptions/$entity', ...known } };
  }

  live(): Subscription[] {
    const isLive = ({ expirationDateTime }: Subscription) =>
      Date.parse(expirationDateTime) > Date.now();
    return [...this.subscriptions.values()].filter(isLive);
  }

  /** Notifies the subscriptions of a resource of a change; resolves to the answers. */
  notify(resource: 'users' | 'groups', objectId: string): Promise<number[]> {
    const watching = this.live().filter((each) => each.resource === `/${resource}`);
    return Promise.all(
      watching.map((subscription) =>
        this.send(subscription.notificationUrl, subscription, {
          changeType: 'updated',
          resource: `${resource}/${objectId}`,
          resourceData: { '@odata.type': `#Microsoft.Graph.${resource}`, id: objectId },
        }),
      ),
    );
  }

  /** Asks for another authorization, or says that notifications got lost. */
  notifyOfLifecycle(lifecycleEvent: string): Promise<number[]> {
    return Promise.all(
      this.live().map((subscription) => {
        const url = subscription.lifecycleNotificationUrl ?? '';
        return this.send(url, subscription, { lifecycleEvent });
      }),
    );
  }

  private async create(text: string): Promise<FakeAnswer> {
    const asked = JSON.parse(text) as Partial<Subscription>;
    const { resource = '', changeType = '', clientState = '', notificationUrl = '' } = asked;
    const lifecycleNotificationUrl = asked.lifecycleNotificationUrl ?? null;
    if (!['/users', '/groups'].includes(resource) || changeType !== 'updated,deleted') {
      return ENTRA_FAULTS.invalidRequest;
    }
    for (const url of [notificationUrl, lifecycleNotificationUrl]) {
      if (url !== null && !(await validates(url))) return ENTRA_FAULTS.validationFailed;
    }
    const subscription: Subscription = {
      id: randomUUID(),
      resource,
      changeType,
      clientState,
      notificationUrl,
      lifecycleNotificationUrl,
      expirationDateTime: this.expiry(asked.expirationDateTime ?? ''),
    };
    this.subscriptions.set(subscription.id, subscription);
    this.opened += 1;
    return { status: 201, body: { '@odata.context': '#subscriptions/$entity', ...subscription } };
  }

  private expiry(asked: string): string {
    const latestMs = Date.now() + this.secondsMax * 1_000;
    return new Date(Math.min(Date.parse(asked), latestMs)).toISOString();
  }

  private async send(url: string, subscription: Subscription, more: object): Promise<number> {
    const { id: subscriptionId, clientState, expirationDateTime } = subscription;
    const entry = {
      subscriptionId,
      clientState,
      tenantId: this.tenant,
      ...more,
      subscriptionExpirationDateTime: expirationDateTime,
    };
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ value: [entry] }),
    });
    await response.arrayBuffer();
    return response.status;
  }
}

/** Graph sends a token as parameter and expects it back as plain text, within 10 seconds. */
async function validates(url: string): Promise<boolean> {
  const token = `Validation: Testing client application reachability for subscription <${randomUUID()}>`;
  const address = `${url}?validationToken=${encodeURIComponent(token)}`;
  const signal = AbortSignal.timeout(10_000);
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  const response = await fetch(address, { method: 'POST', headers, signal }).catch(() => undefined);
  if (!response) return false;
  const isPlain = response.headers.get('content-type')?.startsWith('text/plain') ?? false;
  return response.status === 200 && isPlain && (await response.text()) === token;
}

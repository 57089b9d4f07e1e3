/**
 * Change notifications of Microsoft Graph:
 * https://learn.microsoft.com/graph/change-notifications-delivery-webhooks,
 * https://learn.microsoft.com/graph/change-notifications-lifecycle-events and
 * https://learn.microsoft.com/graph/api/resources/subscription.
 */
import { isObject, type JsonObject } from '@gatehouse/scim';
import { objectsAt, requiredText, textAt } from '../http/answer-fields.js';
import {
  type Grant,
  type NewChannel,
  type Notification,
  type NotificationRequest,
  type OpenChannel,
  type WorkspaceChannels,
} from '../provider.js';
import { WorkspaceError } from '../workspace.errors.js';
import { type EntraContext } from './entra.context.js';

/** Resources. A change of members is a change of the group. */
export const ENTRA_TOPICS = ['users', 'groups'];

/** Graph gives up to 29 days. A short time finds out soon that a subscription is gone. */
const SUBSCRIPTION_SECONDS = 2 * 86_400;
/** `updated` includes what is created and what is moved to the deleted items. */
const CHANGE_TYPE = 'updated,deleted';

export class EntraChannels implements WorkspaceChannels {
  constructor(private readonly context: EntraContext) {}

  async open({ topic, address, token }: NewChannel, signal?: AbortSignal): Promise<Grant> {
    const content = {
      changeType: CHANGE_TYPE,
      notificationUrl: address,
      lifecycleNotificationUrl: address,
      resource: `/${topic}`,
      expirationDateTime: expiry(),
      clientState: token,
    };
    return grantOf(await this.write('POST', '', content, signal));
  }

  async renew({ providerId }: OpenChannel, signal?: AbortSignal): Promise<Grant | null> {
    const path = `/${encodeURIComponent(providerId)}`;
    try {
      return grantOf(await this.write('PATCH', path, { expirationDateTime: expiry() }, signal));
    } catch (error) {
      if (error instanceof WorkspaceError && error.kind === 'not_found') return null;
      throw error;
    }
  }

  async close({ providerId }: OpenChannel, signal?: AbortSignal): Promise<void> {
    await this.write('DELETE', `/${encodeURIComponent(providerId)}`, undefined, signal);
  }

  private write(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    content: object | undefined,
    signal: AbortSignal | undefined,
  ): Promise<JsonObject> {
    const { requests, access, apiUrl, directoryId } = this.context;
    const url = `${apiUrl}/subscriptions${path}`;
    return requests.write(access, { directoryId, method, url, content, signal });
  }
}

/** Every notification has the token; several may come in one request. */
export function entraNotification({ query, body }: NotificationRequest): Notification {
  const { validationToken } = query;
  if (typeof validationToken === 'string') return { kind: 'handshake', text: validationToken };
  const entries = objectsAt(parsed(body), 'value');
  return {
    kind: entries.length === 0 ? 'none' : 'changed',
    tokens: entries.map((entry) => textAt(entry, 'clientState') ?? ''),
    wantsRenewal: entries.some((entry) => textAt(entry, 'lifecycleEvent') !== undefined),
  };
}

function expiry(): string {
  return new Date(Date.now() + SUBSCRIPTION_SECONDS * 1_000).toISOString();
}

function grantOf(subscription: JsonObject): Grant {
  const expiresAt = new Date(requiredText(subscription, 'expirationDateTime'));
  if (!Number.isNaN(expiresAt.getTime())) {
    return { providerId: requiredText(subscription, 'id'), expiresAt };
  }
  const message = 'Microsoft Graph made a subscription that does not expire.';
  throw new WorkspaceError('invalid_response', message);
}

function parsed(body: Buffer): JsonObject {
  try {
    const value = JSON.parse(body.toString('utf8')) as unknown;
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

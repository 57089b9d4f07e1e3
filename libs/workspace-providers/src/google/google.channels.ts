/**
 * Push notifications of the Admin SDK Directory API, for users only:
 * https://developers.google.com/admin-sdk/directory/v1/guides/push and
 * https://developers.google.com/admin-sdk/directory/reference/rest/v1/users/watch.
 */
import { type Access } from '../http/access.js';
import { requiredText } from '../http/answer-fields.js';
import { type ProviderRequests } from '../http/provider-requests.js';
import {
  type Grant,
  type NewChannel,
  type Notification,
  type NotificationRequest,
  type OpenChannel,
  type WorkspaceChannels,
} from '../provider.js';
import { WorkspaceError } from '../workspace.errors.js';
import { type GoogleSessionContext, scopeOf } from './google.session.js';

/** A channel watches one kind of event. */
export const GOOGLE_TOPICS = ['add', 'delete', 'undelete', 'update'];

const CHANNEL_SECONDS = 6 * 3_600;

export class GoogleChannels implements WorkspaceChannels {
  private readonly requests: ProviderRequests;
  private readonly access: Access;

  constructor(private readonly context: GoogleSessionContext) {
    this.requests = context.requests;
    this.access = context.access;
  }

  async open({ id, topic, address, token }: NewChannel, signal?: AbortSignal): Promise<Grant> {
    const { apiUrl, directoryId, domain } = this.context;
    const query = new URLSearchParams({ ...scopeOf(domain), event: topic }).toString();
    const url = `${apiUrl}/admin/directory/v1/users/watch?${query}`;
    const params = { ttl: String(CHANNEL_SECONDS) };
    const content = { id, type: 'web_hook', address, token, params };
    const write = { directoryId, method: 'POST', url, content, signal } as const;
    const body = await this.requests.write(this.access, write);
    const providerId = requiredText(body, 'resourceId');
    const expiresAt = new Date(Number(requiredText(body, 'expiration')));
    if (!Number.isNaN(expiresAt.getTime())) return { providerId, expiresAt };
    throw new WorkspaceError('invalid_response', 'Google opened a channel that does not expire.');
  }

  /** Google prolongs no channel. */
  renew(): Promise<null> {
    return Promise.resolve(null);
  }

  async close({ id, providerId }: OpenChannel, signal?: AbortSignal): Promise<void> {
    const { apiUrl, directoryId } = this.context;
    const url = `${apiUrl}/admin/directory_v1/channels/stop`;
    const content = { id, resourceId: providerId };
    await this.requests.write(this.access, { directoryId, method: 'POST', url, content, signal });
  }
}

/** The first notification of a channel says that it is open. */
export function googleNotification({ headers }: NotificationRequest): Notification {
  const textOf = (name: string) => String(headers[name] ?? '');
  const kind = textOf('x-goog-resource-state') === 'sync' ? 'none' : 'changed';
  return { kind, tokens: [textOf('x-goog-channel-token')], wantsRenewal: false };
}

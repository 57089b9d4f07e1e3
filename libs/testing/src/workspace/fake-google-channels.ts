/**
 * Notification channels of the fake Google. Requests, answers and headers follow
 * https://developers.google.com/admin-sdk/directory/v1/guides/push and
 * https://developers.google.com/admin-sdk/directory/reference/rest/v1/channels/stop.
 */
import { randomBytes } from 'node:crypto';
import { GOOGLE_FAULTS } from './fake-google-faults.js';
import { type FakeAnswer } from './fake-server.js';

interface Channel {
  id: string;
  resourceId: string;
  event: string;
  address: string;
  token: string;
  expiresAtMs: number;
  messages: number;
}

interface WatchRequest {
  id?: string;
  type?: string;
  address?: string;
  token?: string;
  params?: { ttl?: string };
}

const EVENTS = ['add', 'delete', 'makeAdmin', 'undelete', 'update'];
const TTL_SECONDS = 6 * 3_600;

export class GoogleChannels {
  /** By id; those that have expired or were stopped are gone. */
  readonly channels = new Map<string, Channel>();
  /** The longest life of a channel. */
  ttlSecondsMax = TTL_SECONDS;
  /** Channels that were ever opened. */
  opened = 0;

  /** POST users/watch */
  watch(query: URLSearchParams, text: string): FakeAnswer {
    const { id = '', type, address = '', token = '', params } = JSON.parse(text) as WatchRequest;
    const event = query.get('event') ?? '';
    const isKnown = query.has('domain') || query.get('customer') === 'my_customer';
    if (type !== 'web_hook' || !URL.canParse(address) || !EVENTS.includes(event) || !isKnown) {
      return GOOGLE_FAULTS.badRequest;
    }
    if (this.channels.has(id)) return GOOGLE_FAULTS.channelIdNotUnique;
    const seconds = Math.min(Number(params?.ttl ?? TTL_SECONDS), this.ttlSecondsMax);
    const resourceId = randomBytes(20).toString('base64url');
    const expiresAtMs = Date.now() + seconds * 1_000;
    const channel = { id, resourceId, event, address, token, expiresAtMs, messages: 0 };
    this.channels.set(id, channel);
    this.opened += 1;
    // Google confirms a channel by a first message, soon after its answer.
    void this.send(channel, 'sync').catch(() => undefined);
    const resourceUri = 'https://admin.googleapis.com/admin/directory/v1/users?alt=json';
    const expiration = String(expiresAtMs);
    return { body: { kind: 'api#channel', id, resourceId, resourceUri, token, expiration } };
  }

  /** POST channels/stop */
  stop(text: string): FakeAnswer {
    const { id = '', resourceId } = JSON.parse(text) as { id?: string; resourceId?: string };
    if (this.channels.get(id)?.resourceId !== resourceId) return GOOGLE_FAULTS.channelNotFound;
    this.channels.delete(id);
    return { status: 204 };
  }

  /** The channels that have neither expired nor been stopped. */
  live(): Channel[] {
    return [...this.channels.values()].filter(({ expiresAtMs }) => expiresAtMs > Date.now());
  }

  /** Notifies the channels of an event of a changed user; resolves to the answers. */
  async notify(event: string, user: object = {}): Promise<number[]> {
    const watching = this.live().filter((channel) => channel.event === event);
    return Promise.all(watching.map((channel) => this.send(channel, event, user)));
  }

  private async send(channel: Channel, state: string, user?: object): Promise<number> {
    channel.messages += 1;
    const response = await fetch(channel.address, {
      method: 'POST',
      headers: {
        'user-agent': 'APIs-Google; (+https://developers.google.com/webmasters/APIs-Google.html)',
        'content-type': 'application/json; charset=UTF-8',
        'x-goog-channel-id': channel.id,
        'x-goog-message-number': String(channel.messages),
        'x-goog-resource-id': channel.resourceId,
        'x-goog-resource-state': state,
        'x-goog-resource-uri': 'https://admin.googleapis.com/admin/directory/v1/users?alt=json',
        'x-goog-channel-token': channel.token,
        'x-goog-channel-expiration': new Date(channel.expiresAtMs).toUTCString(),
      },
      body: user ? JSON.stringify({ kind: 'admin#directory#user', ...user }) : '',
    });
    await response.arrayBuffer();
    return response.status;
  }
}

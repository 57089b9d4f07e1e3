/**
 * Receives what providers send to the addresses of notification channels. A notification is a hint: it
 * makes a run due, and nothing that it says is believed but its token.
 */
import { digestsEqual, sha256 } from '@gatehouse/crypto';
import { isUuid } from '@gatehouse/kit/ids';
import { type NotificationRequest, type Providers } from '@gatehouse/workspace-providers';
import { type PushRepository } from '../../workspace/push/push.repository.js';

/**
 * The outcome of a notification. `changed`: it made a run due. `pending`: a run was due already.
 * `quiet`: it reports no change. `unknown`: there is no such channel. `forged`: the channel has another
 * token.
 */
export type NotificationOutcome =
  { outcome: 'changed' | 'pending' | 'quiet' | 'unknown' | 'forged' } | HandshakeOutcome;

/** The provider checks the address, and expects the text back. */
export interface HandshakeOutcome {
  outcome: 'handshake';
  text: string;
}

/** A change often makes several notifications; providers also need a moment to list it. */
const SETTLE_SECONDS = 5;
const HANDSHAKE_CHARACTERS_MAX = 4_096;

export interface NotificationsContext {
  push: PushRepository;
  providers: Providers;
}

/** The `workspaceNotifications` operations of the controller object. */
export class WorkspaceNotifications {
  constructor(private readonly context: NotificationsContext) {}

  /** @param channelId the last part of the address; it proves nothing */
  async receive(channelId: string, request: NotificationRequest): Promise<NotificationOutcome> {
    const { push, providers } = this.context;
    const channel = isUuid(channelId) ? await push.findChannel(channelId) : undefined;
    if (!channel) return { outcome: 'unknown' };
    const { directoryId, tokenSha256, provider, isDue } = channel;
    const notification = providers.of(provider).readNotification(request);
    if (notification.kind === 'handshake') {
      const { text } = notification;
      if (text.length > HANDSHAKE_CHARACTERS_MAX) return { outcome: 'unknown' };
      return { outcome: 'handshake', text };
    }
    const isGenuine = notification.tokens.some((token) => digestsEqual(sha256(token), tokenSha256));
    if (!isGenuine) return { outcome: 'forged' };
    if (notification.wantsRenewal) await push.checkNow(directoryId);
    if (notification.kind === 'none') return { outcome: 'quiet' };
    if (isDue) return { outcome: 'pending' };
    await push.hint(directoryId, SETTLE_SECONDS);
    return { outcome: 'changed' };
  }
}

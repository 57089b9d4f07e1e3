/**
 * Opens, renews and closes the notification channels of workspace directories. A directory is leased
 * while its channels are checked, so two workers never open the same one. A channel is stored before
 * the provider hears of it: providers send a first request while they open it. What fails is tried
 * again later, and never ends a run.
 */
import { randomUUID } from 'node:crypto';
import { randomToken, sha256 } from '@gatehouse/crypto';
import {
  type Grant,
  type Topic,
  type WorkspaceChannels,
  WorkspaceError,
} from '@gatehouse/workspace-providers';
import { type SyncLogger } from '../../sync-logger.js';
import { type WatchableDirectory } from '../workspace-connections.js';
import {
  type CheckEnd,
  type ClaimedDirectory,
  type PushRepository,
  type StoredChannel,
} from './push.repository.js';

export interface ChannelUpkeepContext {
  push: PushRepository;
  /** Access to a directory, for its channels. @throws WorkspaceError */
  watch: (directoryId: string) => Promise<WatchableDirectory>;
  /** Without a slash at its end; the ids of channels follow it. */
  address: string;
  logger: SyncLogger;
}

/** The requests of one check end before its lease does. */
const CHECK_MS = 120_000;
const LEASE_SECONDS = 180;

/** A channel may be gone at the provider before it expires. */
const CHECK_SECONDS_MAX = 86_400;

/** After the first failure, doubled with each further one. */
const RETRY_SECONDS = 60;
const RETRY_SECONDS_MAX = 3_600;

const INTERNAL = 'An internal error; it is tried again.';
const EXPIRED = 'The provider opened a notification channel that has expired.';
const TOO_SLOW = 'The provider took too long to open the notification channels.';

export class ChannelUpkeep {
  private readonly holder = randomUUID();

  constructor(private readonly context: ChannelUpkeepContext) {}

  /** Checks the channels of the directories that are due, until none is left. */
  async run(stopping: AbortSignal): Promise<void> {
    await this.context.push.addDirectories();
    while (!stopping.aborted) {
      const claimed = await this.context.push.claim(this.holder, LEASE_SECONDS);
      if (!claimed) return;
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(CHECK_MS)]);
      const end = await this.check(claimed, signal).catch((error: unknown) =>
        stopping.aborted ? undefined : this.setback(claimed, error),
      );
      const { directoryId } = claimed;
      if (end) await this.context.push.finish(directoryId, this.holder, end);
      else await this.context.push.release(directoryId, this.holder);
    }
  }

  private async check(
    { directoryId, isLive }: ClaimedDirectory,
    signal: AbortSignal,
  ): Promise<CheckEnd> {
    const stored = await this.context.push.channels(directoryId);
    if (!isLive) {
      await this.closeAll(directoryId, stored, signal);
      return { inSeconds: 0, setbacks: 0, error: null, activeUntil: null };
    }
    const { topics, channels, watched } = await this.context.watch(directoryId);
    const scope = `${this.context.address} ${watched}`;
    const ends: number[] = [];
    for (const topic of topics) {
      const ofTopic = stored.filter((channel) => channel.topic === topic);
      const current = ofTopic.find((each) => each.watched === scope && each.providerId !== null);
      const renewed = current && (await this.renew(channels, current, signal));
      const grant = renewed ?? (await this.open(channels, directoryId, topic, scope, signal));
      ends.push(grant.expiresAt.getTime());
      for (const old of ofTopic) {
        if (!renewed || old !== current) await this.close(channels, old, signal);
      }
    }
    const activeUntil = new Date(Math.min(...ends));
    if (activeUntil.getTime() <= Date.now()) throw new WorkspaceError('invalid_response', EXPIRED);
    // The other half of the time is for tries again.
    const half = (activeUntil.getTime() - Date.now()) / 2_000;
    const inSeconds = Math.min(Math.max(1, half), CHECK_SECONDS_MAX);
    return { inSeconds, setbacks: 0, error: null, activeUntil };
  }

  private async renew(
    channels: WorkspaceChannels,
    { id, providerId }: StoredChannel,
    signal: AbortSignal,
  ): Promise<Grant | null> {
    const grant = providerId === null ? null : await channels.renew({ id, providerId }, signal);
    if (grant) await this.context.push.grant(id, grant);
    return grant;
  }

  private async open(
    channels: WorkspaceChannels,
    directoryId: string,
    topic: Topic,
    watched: string,
    signal: AbortSignal,
  ): Promise<Grant> {
    const { push, address } = this.context;
    const id = randomUUID();
    const token = randomToken();
    const channel = { id, topic, watched, tokenSha256: sha256(token) };
    const isOurs = await push.insertChannel(directoryId, this.holder, channel);
    if (!isOurs) throw new Error('another worker checks the channels of this directory');
    try {
      const asked = { id, topic, address: `${address}/${id}`, token };
      const grant = await channels.open(asked, signal);
      await push.grant(id, grant);
      return grant;
    } catch (error) {
      await push.deleteChannel(id);
      throw error;
    }
  }

  /** A channel that the provider keeps anyway expires by itself. */
  private async close(
    channels: WorkspaceChannels,
    { id, providerId }: StoredChannel,
    signal: AbortSignal,
  ): Promise<void> {
    if (providerId !== null) {
      await channels.close({ id, providerId }, signal).catch((error: unknown) => {
        this.context.logger.warn({ err: error }, 'notification channel not closed; it expires');
      });
    }
    await this.context.push.deleteChannel(id);
  }

  private async closeAll(
    directoryId: string,
    stored: readonly StoredChannel[],
    signal: AbortSignal,
  ): Promise<void> {
    const watchable = await this.context.watch(directoryId).catch(() => undefined);
    for (const channel of stored) {
      if (watchable) await this.close(watchable.channels, channel, signal);
      else await this.context.push.deleteChannel(channel.id);
    }
  }

  private setback({ directoryId, setbacks }: ClaimedDirectory, reason: unknown): CheckEnd {
    const error = isTimeout(reason) ? new WorkspaceError('unavailable', TOO_SLOW) : reason;
    const isOfProvider = error instanceof WorkspaceError;
    const { logger } = this.context;
    if (isOfProvider) {
      const fields = { directoryId, reason: error.message };
      logger.warn(fields, 'notification channels not opened; it is tried again');
    } else {
      logger.error({ err: error, directoryId }, 'notification channels not checked');
    }
    const doubled = Math.min(RETRY_SECONDS * 2 ** Math.min(setbacks, 10), RETRY_SECONDS_MAX);
    const asked = (isOfProvider ? error.retryAfterSeconds : null) ?? 0;
    return {
      inSeconds: Math.max(doubled, Math.min(asked, RETRY_SECONDS_MAX)),
      setbacks: setbacks + 1,
      error: isOfProvider ? error.message : INTERNAL,
      activeUntil: null,
    };
  }
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

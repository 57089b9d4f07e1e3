/** The webhook of a directory: the first of its endpoints, which has the id of the directory. */
import {
  type Endpoint,
  type EndpointKey,
  type Endpoints,
  type EndpointSettings,
} from '@gatehouse/delivery';
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { type WebhookStatus } from './directory.types.js';

/** Changes of a webhook; undefined leaves a value unchanged. */
export interface WebhookChanges {
  /** '' removes the address. */
  url?: string;
  logsAttempts?: boolean;
  /** The directory is on or off. */
  isActive: boolean;
  /** A new secret, and how long the old one signs too. */
  secret?: { sealed: string; overlapSeconds: number };
  /** Seals a new secret, for an address that has none. */
  newSecret: () => string;
}

export function webhookOf(directoryId: string): EndpointKey {
  return { id: directoryId, sourceId: directoryId };
}

/** The settings of the webhook of a new directory. */
export function newWebhook(
  settings: Pick<EndpointSettings, 'url' | 'secretSealed' | 'logsAttempts'>,
): EndpointSettings {
  const { url } = settings;
  return { ...settings, types: null, headersSealed: null, onPoison: 'park', enabled: url !== '' };
}

/** Changes the webhook of a directory, and turns its further endpoints off or on with it. */
export async function changeEndpoints(
  endpoints: Endpoints,
  sql: SqlExecutor,
  webhook: Endpoint,
  changes: WebhookChanges,
): Promise<void> {
  await changeWebhook(endpoints, sql, webhook, changes);
  await switchEndpoints(endpoints, sql, webhook.id, changes.isActive);
}

/**
 * Changes a webhook in the transaction of its directory. An address that is set ends a pause; if the
 * webhook was off or stopped, delivery starts with the next event.
 */
async function changeWebhook(
  endpoints: Endpoints,
  sql: SqlExecutor,
  current: Endpoint,
  changes: WebhookChanges,
): Promise<void> {
  const { url = current.url, logsAttempts = current.logsAttempts, secret } = changes;
  const enabled = url !== '' && changes.isActive;
  const needsSecret = url !== '' && current.secretSealed === null;
  if (
    url !== current.url ||
    logsAttempts !== current.logsAttempts ||
    enabled !== current.enabled ||
    needsSecret
  ) {
    const secretSealed = needsSecret ? changes.newSecret() : current.secretSealed;
    await endpoints.update(sql, current, { ...current, url, enabled, logsAttempts, secretSealed });
  }
  if (secret) await endpoints.rotateSecret(sql, current, secret.sealed, secret.overlapSeconds);
  if (!enabled) return;
  const isUrlSet = changes.url !== undefined;
  if (!current.enabled || (isUrlSet && current.state === 'stopped')) {
    await endpoints.restart(sql, current);
  } else if (isUrlSet) {
    await endpoints.resume(sql, current);
  }
}

/**
 * Turns the further endpoints of a directory off or on with it. As for its webhook, delivery then
 * starts with the next event.
 */
async function switchEndpoints(
  endpoints: Endpoints,
  sql: SqlExecutor,
  directoryId: string,
  isActive: boolean,
): Promise<void> {
  for (const endpoint of await endpoints.list(sql, [directoryId])) {
    const { id, enabled } = endpoint;
    if (id === directoryId || enabled === isActive) continue;
    await endpoints.update(sql, endpoint, { ...endpoint, enabled: isActive });
    if (isActive) await endpoints.restart(sql, endpoint);
  }
}

export function webhookStatus(webhook: Endpoint): WebhookStatus {
  const { url, state, reason, failingSince, lastSuccessAt, nextAttemptAt } = webhook;
  return {
    state: url === '' ? 'none' : state,
    reason,
    failing_since: failingSince?.toISOString() ?? null,
    last_success_at: lastSuccessAt?.toISOString() ?? null,
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
  };
}

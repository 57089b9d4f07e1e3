/** The webhook of a directory: the first of its endpoints, which has the id of the directory. */
import { type Endpoint, type Endpoints, type EndpointSettings } from '@gatehouse/delivery';
import { type SqlExecutor } from '@gatehouse/service-kit';

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

/** The settings of the webhook of a new directory. */
export function newWebhook(
  settings: Pick<EndpointSettings, 'url' | 'secretSealed' | 'logsAttempts'>,
): EndpointSettings {
  const { url } = settings;
  return { ...settings, types: null, headersSealed: null, onPoison: 'park', enabled: url !== '' };
}

/**
 * Changes a webhook in the transaction of its directory. An address that is set ends a pause; if the
 * webhook was off or stopped, delivery starts with the next event.
 */
export async function changeWebhook(
  endpoints: Endpoints,
  sql: SqlExecutor,
  current: Endpoint,
  changes: WebhookChanges,
): Promise<void> {
  const { id } = current;
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
    await endpoints.update(sql, id, { ...current, url, enabled, logsAttempts, secretSealed });
  }
  if (secret) await endpoints.rotateSecret(sql, id, secret.sealed, secret.overlapSeconds);
  if (!enabled) return;
  const isUrlSet = changes.url !== undefined;
  if (!current.enabled || (isUrlSet && current.state === 'stopped')) {
    await endpoints.restart(sql, id);
  } else if (isUrlSet) {
    await endpoints.resume(sql, id);
  }
}

/** Turns a directory of a source into one that can be stored, with its secrets as they are. */
import { createHmac } from 'node:crypto';
import { type KeyRing, sha256 } from '@gatehouse/crypto';
import { type EndpointSettings } from '@gatehouse/delivery';
import { DomainError } from '@gatehouse/kit/errors';
import { isUuid } from '@gatehouse/kit/ids';
import { type OutboundPolicy } from '@gatehouse/kit/outbound';
import {
  type NewConnection,
  NOT_CONNECTED,
  type SealedTokens,
} from '../connections/connection.types.js';
import { type NewDirectoryRow } from '../directories/directory.repository.js';
import { type DirectorySecrets } from '../directories/directory-secrets.js';
import { newWebhook } from '../directories/directory-webhook.js';
import { readNewDirectory } from '../management/directories/directory.input.js';
import { type SourceDirectory } from './import.types.js';

/** The rows of an imported directory. */
export interface StorableDirectory {
  row: NewDirectoryRow;
  webhook: EndpointSettings;
  connection: NewConnection | null;
  tokens: SealedTokens | null;
  /** Hash by which a later import sees changes of the source. Keyed, because it covers a secret. */
  hash: string;
}

/** @returns a text that says why the directory cannot be stored */
export function storableDirectory(
  source: SourceDirectory,
  secrets: DirectorySecrets,
  ring: KeyRing,
  policy: OutboundPolicy,
): StorableDirectory | string {
  const { id, name, tenant, product, type, webhookUrl, logsWebhookEvents, workspace } = source;
  if (!isUuid(id)) return 'its id is not a UUID';
  const domain = workspace?.domain ?? '';
  const input = {
    name,
    tenant,
    product,
    type,
    webhook_url: webhookUrl,
    log_webhook_events: logsWebhookEvents,
    ...(domain === '' ? {} : { workspace_domain: domain }),
  };
  try {
    const { directory } = readNewDirectory(input, policy);
    if (directory.type !== 'workspace' && source.scimSecret === '') return 'it has no SCIM secret';
    const { scimSecret, webhookSecret, deactivated } = source;
    const secretSealed = webhookSecret === '' ? null : secrets.sealWebhookSecret(id, webhookSecret);
    const url = webhookUrl !== '' && webhookSecret !== '' ? webhookUrl : '';
    const webhook = newWebhook({ url, secretSealed, logsAttempts: logsWebhookEvents });
    const isWorkspace = directory.type === 'workspace';
    return {
      row: {
        id: id.toLowerCase(),
        ...directory,
        scimSecretSealed: isWorkspace ? null : secrets.seal(id, 'scim_secret', scimSecret),
        scimSecretSha256: isWorkspace ? null : sha256(scimSecret),
      },
      webhook: { ...webhook, enabled: webhook.enabled && !deactivated },
      ...connectionOf(source, secrets),
      hash: hashOf(source, ring),
    };
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}

function connectionOf(
  { id, workspace }: SourceDirectory,
  secrets: DirectorySecrets,
): Pick<StorableDirectory, 'connection' | 'tokens'> {
  if (!workspace) return { connection: null, tokens: null };
  const { domain, accessToken, refreshToken } = workspace;
  const connection: NewConnection = {
    provider: 'google',
    domain: domain || null,
    administrator: null,
    state: 'needs_authorization',
    reason: NOT_CONNECTED,
  };
  if (accessToken === '' || refreshToken === '') return { connection, tokens: null };
  const tokens = {
    accessTokenSealed: secrets.seal(id, 'workspace_access_token', accessToken),
    refreshTokenSealed: secrets.seal(id, 'workspace_refresh_token', refreshToken),
    scope: null,
    tokenType: 'Bearer',
    expiresAt: new Date(),
  };
  return { connection, tokens };
}

function hashOf(source: SourceDirectory, ring: KeyRing): string {
  const { name, deactivated, scimSecret, webhookUrl, webhookSecret, logsWebhookEvents } = source;
  const settings = [name, deactivated, scimSecret, webhookUrl, webhookSecret, logsWebhookEvents];
  const { key } = ring.forPurpose('directory-import').current;
  return createHmac('sha256', key).update(JSON.stringify(settings)).digest('hex');
}

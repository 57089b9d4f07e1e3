/** The rows of a new directory, with its secrets. */
import { uuidv7 } from '@gatehouse/kit/ids';
import { type OutboundPolicy } from '@gatehouse/kit/outbound';
import { type Providers } from '@gatehouse/workspace-providers';
import { type DirectorySecrets } from '../../directories/directory-secrets.js';
import { newWebhook } from '../../directories/directory-webhook.js';
import { newConnection } from '../../workspace/connection-settings.js';
import { readNewDirectory } from './directory.input.js';

interface NewDirectoryContext {
  secrets: DirectorySecrets;
  policy: OutboundPolicy;
  providers: Providers;
}

/** @throws DomainError 400 */
export function newDirectory(json: unknown, { secrets, policy, providers }: NewDirectoryContext) {
  const { directory, webhook, workspace } = readNewDirectory(json, policy);
  const id = uuidv7();
  // A workspace directory accepts no SCIM requests.
  const { sealed, sha256 } = workspace ? { sealed: null, sha256: null } : secrets.newScimSecret(id);
  const { url, secret, logsAttempts } = webhook;
  const hasSecret = url !== '' || secret !== undefined;
  const secretSealed = hasSecret ? secrets.sealWebhookSecret(id, secret) : null;
  return {
    directory: { id, ...directory, scimSecretSealed: sealed, scimSecretSha256: sha256 },
    webhook: newWebhook({ url, secretSealed, logsAttempts }),
    connection: workspace && newConnection(providers, workspace),
  };
}

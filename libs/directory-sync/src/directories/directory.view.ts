import { type Directory } from './directory.entity.js';
import {
  DIRECTORY_FAULTS,
  type DirectoryFault,
  type DirectoryHealth,
  type DirectoryView,
} from './directory.types.js';
import { type DirectorySecrets, type SealedColumn } from './directory-secrets.js';

/** The path of a directory's SCIM endpoints below the external URL of the service. */
export function scimPath(directoryId: string): string {
  return `/api/scim/v2.0/${directoryId}`;
}

/** A directory as returned to its owner, with secrets in plain text; without `secrets`, empty. */
export function directoryView(
  directory: Directory,
  secrets: DirectorySecrets | undefined,
  externalUrl: string,
): DirectoryView {
  const opened = (column: SealedColumn, sealed: string | null) =>
    sealed === null || !secrets ? '' : secrets.open(directory.id, column, sealed);
  const path = scimPath(directory.id);
  const view: DirectoryView = {
    id: directory.id,
    name: directory.name,
    tenant: directory.tenant,
    product: directory.product,
    type: directory.type,
    log_webhook_events: directory.webhook.logsAttempts,
    deactivated: directory.deactivated,
    strict: directory.strict,
    webhook: {
      endpoint: directory.webhook.url,
      secret: opened('webhook_secret', directory.webhook.secretSealed),
    },
    scim: {
      path,
      endpoint: externalUrl + path,
      secret: opened('scim_secret', directory.scimSecretSealed),
    },
  };
  if (directory.putClearsMembers) view.put_clears_members = true;
  if (directory.attributeMapping) view.attribute_mapping = directory.attributeMapping;
  const { connection } = directory;
  if (connection) {
    const { accessTokenSealed, refreshTokenSealed } = connection;
    view.workspace_provider = connection.provider;
    view.workspace_domain = connection.domain ?? '';
    view.workspace_administrator = connection.administrator ?? '';
    view.workspace_access_token = opened('workspace_access_token', accessTokenSealed);
    view.workspace_refresh_token = opened('workspace_refresh_token', refreshTokenSealed);
  }
  return view;
}

/** @param faults those of the directory, the oldest first */
export function directoryHealth(
  { deactivated }: Pick<Directory, 'deactivated'>,
  faults: readonly DirectoryFault[],
): DirectoryHealth {
  const errors = DIRECTORY_FAULTS.flatMap((state) => {
    const fault = deactivated ? undefined : faults.find((each) => each.state === state);
    return fault
      ? [{ state, reason: fault.reason, since: fault.since?.toISOString() ?? null }]
      : [];
  });
  const state = errors[0]?.state ?? (deactivated ? 'deactivated' : 'healthy');
  return { state, has_errors: errors.length > 0, errors };
}

/** The connection of a workspace directory as its administrator sees and changes it. */
import { type SqlExecutor } from '@gatehouse/kit/sql';
import { type Providers } from '@gatehouse/workspace-providers';
import { type ConnectionRepository } from '../connections/connection.repository.js';
import {
  type Connection,
  type ConnectionSettings,
  type NewConnection,
  NOT_CONNECTED,
} from '../connections/connection.types.js';
import { type WorkspaceStatus } from '../directories/directory.types.js';

export function newConnection(providers: Providers, settings: ConnectionSettings): NewConnection {
  return { ...settings, ...initialState(providers, settings, false) };
}

/** Changes whose users are read, or in whose name. Tokens stay: they may be valid for both. */
export async function changeConnection(
  connections: ConnectionRepository,
  providers: Providers,
  sql: SqlExecutor,
  directoryId: string,
  changes: Omit<ConnectionSettings, 'provider'>,
): Promise<void> {
  const current = await connections.lock(sql, directoryId);
  if (!current) return;
  const hasTokens = current.accessTokenSealed !== null;
  const state = initialState(providers, { ...current, ...changes }, hasTokens);
  await connections.change(sql, directoryId, { ...changes, ...state });
}

export function workspaceStatus(connection: Connection | null): WorkspaceStatus | null {
  if (!connection) return null;
  const { provider, state, reason, changedAt } = connection;
  const push = pushStatus(connection);
  return { provider, state, reason, since: changedAt.toISOString(), push };
}

function pushStatus({ pushUntil, pushError }: Connection): WorkspaceStatus['push'] {
  const active = pushUntil !== null && pushUntil.getTime() > Date.now();
  return { active, expires_at: active ? pushUntil.toISOString() : null, error: pushError };
}

/** The state before the first request to the provider. */
function initialState(
  providers: Providers,
  { provider, administrator }: ConnectionSettings,
  hasTokens: boolean,
): Pick<Connection, 'state' | 'reason'> {
  const isOwn = providers.of(provider).consentKind({ administrator }) !== 'code';
  return isOwn || hasTokens
    ? { state: 'authorized', reason: null }
    : { state: 'needs_authorization', reason: NOT_CONNECTED };
}

import { KeyRing } from '@gatehouse/crypto';
import { sqlOf } from '@gatehouse/nest-kit/database';
import {
  createProviders,
  type ProviderSettings,
  type WorkspaceSession,
} from '@gatehouse/workspace-providers';
import { type DataSource } from 'typeorm';
import { ConnectionRepository } from '../connections/connection.repository.js';
import { DirectorySecrets } from '../directories/directory-secrets.js';
import { type WatchableDirectory, WorkspaceConnections } from './workspace-connections.js';

export interface WorkspaceSessionsOptions {
  dataSource: DataSource;
  encryptionKeys: readonly string[];
  providers: ProviderSettings;
}

/** Access to workspace directories for a worker. */
export interface WorkspaceSessionSource {
  /** @throws WorkspaceError `needs_authorization` if the directory has no access */
  open(directoryId: string): Promise<WorkspaceSession>;
  /** For the notification channels of a directory. @throws as `open` */
  watch(directoryId: string): Promise<WatchableDirectory>;
  /** Ends the requests in flight. */
  close(): Promise<void>;
}

export function createWorkspaceSessions(options: WorkspaceSessionsOptions): WorkspaceSessionSource {
  const { dataSource, encryptionKeys } = options;
  const sql = sqlOf(dataSource);
  const secrets = new DirectorySecrets(KeyRing.fromTexts(encryptionKeys));
  const providers = createProviders(options.providers);
  const connections = new ConnectionRepository(sql);
  const opened = new WorkspaceConnections({ sql, connections, secrets, providers });
  return {
    open: (directoryId) => opened.open(directoryId),
    watch: (directoryId) => opened.watch(directoryId),
    close: () => providers.close(),
  };
}

import { sqlOf } from '@gatehouse/nest-kit/database';
import { type DataSource } from 'typeorm';
import { type SyncLogger } from '../../sync-logger.js';
import { ChannelUpkeep } from './channel-upkeep.js';
import { PushRepository } from './push.repository.js';
import { type WatchableDirectory } from '../workspace-connections.js';

/** Where providers send notifications; the id of a channel follows. */
export const NOTIFICATIONS_PATH = '/api/scim/workspace/notifications';

export interface WorkspacePushOptions {
  dataSource: DataSource;
  /** @throws WorkspaceError */
  watch: (directoryId: string) => Promise<WatchableDirectory>;
  /** The address at which providers reach the service. */
  externalUrl: string;
  /** A directory has at most one pushed run in this time. */
  intervalSeconds: number;
  logger: SyncLogger;
}

/** Push notifications of workspace directories for a worker. */
export function createWorkspacePush(options: WorkspacePushOptions) {
  const { dataSource, watch, intervalSeconds, logger } = options;
  const push = new PushRepository(sqlOf(dataSource));
  const address = options.externalUrl.replace(/\/+$/, '') + NOTIFICATIONS_PATH;
  const upkeep = new ChannelUpkeep({ push, watch, address, logger });
  return {
    /** Starts the runs that notifications have made due. */
    startPushed: (): Promise<void> => push.startPushed(intervalSeconds),

    /** Opens, renews and closes the channels that are due for it. */
    keepUp: (signal: AbortSignal): Promise<void> => upkeep.run(signal),
  };
}

export type WorkspacePush = ReturnType<typeof createWorkspacePush>;

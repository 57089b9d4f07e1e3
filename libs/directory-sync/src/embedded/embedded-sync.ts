import { RETRY_SCHEDULE_SECONDS } from '@gatehouse/delivery';
import { KeyRing } from '@gatehouse/crypto';
import { BOUNDED_POOL } from '@gatehouse/kit/sql';
import { PeriodicTask } from '@gatehouse/kit/tasks';
import { createDataSource, dataSourceOptions, migrate } from '@gatehouse/nest-kit/database';
import { DataSource } from 'typeorm';
import {
  createDirectorySync,
  type DirectorySyncSettings,
  type ScopedHandles,
} from '../controller.js';
import { databaseDefinition } from '../database-definition.js';
import { createDelivery } from '../delivery/create-delivery.js';
import { type Directories } from '../management/directories/directories.js';
import { type Guards } from '../management/directories/guards.js';
import { type AuditTrail } from '../management/records/audit-trail.js';
import { type Events } from '../management/records/events.js';
import { type ScopedGroups } from '../management/records/groups.js';
import { type RequestHistory } from '../management/records/request-history.js';
import { type ScopedUsers } from '../management/records/users.js';
import { type Result, type Results } from '../management/result.js';
import { type RoleMappings } from '../management/roles/role-mappings.js';
import { type ScimTokens } from '../management/scim-tokens/scim-tokens.js';
import { type WebhookEndpoints } from '../management/webhooks/webhook-endpoints.js';
import { type WebhookLogs } from '../management/webhooks/webhook-logs.js';
import { type SyncEntry } from '../management/workspace/sync-all.js';
import { type WorkspaceRuns } from '../management/workspace/workspace-runs.js';
import { type Workspace } from '../management/workspace/workspaces.js';
import { type Requests } from '../requests.js';
import { type EventCallback } from '../scim/requests/scim-requests.js';
import { EventFollower, type EventHandler } from './event-follower.js';
import { Rounds } from './rounds.js';
import { type ScimHandlers, scimHandlers } from './scim-handlers.js';
import { upkeep } from './upkeep.js';
import { Webhooks } from './webhooks.js';

export interface EmbeddedSyncOptions extends DirectorySyncSettings {
  /** A `postgres://` address. All tables are in a schema of their own, `dsync`. */
  databaseUrl: string;
  /** PostgreSQL itself, for migrations, if `databaseUrl` leads to a pooler. */
  directDatabaseUrl?: string;
  /** Connections to the database, 10 by default, and up to 4 more for searches. */
  connectionsMax?: number;
  /** Handles each event of all directories, once and in order. */
  onEvent?: EventHandler;
  /** How long events are kept after they were handled, in seconds; 30 days by default. */
  eventsTtlSeconds?: number;
}

export interface EmbeddedSync extends ScimHandlers {
  directories: Results<Directories>;
  users: ScopedHandles<Results<ScopedUsers>>;
  groups: ScopedHandles<Results<ScopedGroups>>;
  events: Results<Events>;
  webhookEndpoints: Results<WebhookEndpoints>;
  webhookLogs: Results<WebhookLogs>;
  scimTokens: Results<ScimTokens>;
  roleMappings: Results<RoleMappings>;
  guards: Results<Guards>;
  requestHistory: Results<RequestHistory>;
  auditEvents: Results<AuditTrail>;
  workspace: Results<Workspace>;
  workspaceRuns: Results<WorkspaceRuns>;
  /** Reads all workspace directories in this process. */
  sync: (callback?: EventCallback) => Promise<Result<SyncEntry[]>>;
  requests: Pick<Requests, 'handle'>;
  /** Provider types and their display names. */
  providers: () => Promise<Result<Record<string, string>>>;
  /**
   * Handles the events that wait, and sends the webhooks that are due. Both happen after each change and
   * every second; call it where no process stays, such as in a function that a cron starts.
   */
  catchUp: () => Promise<void>;
  /** Ends the work in the background, after the event in hand, and closes the connections. */
  close: () => Promise<void>;
}

const EVENTS_TTL_SECONDS = 30 * 86_400;
const ROUND = { intervalMs: 1_000, failureMessage: 'events wait for the next round' };
const CLOSE_MS_MAX = 5_000;
const APPLICATION_NAME = 'gatehouse-directory-sync';
const DELIVERY_SETTINGS = {
  retryScheduleSeconds: RETRY_SCHEDULE_SECONDS,
  timeoutSeconds: 20,
  turnSeconds: 10,
  eventAttempts: 5,
  batchSize: 0,
};

/**
 * Directory sync in the process of an application: migrates its schema, answers SCIM requests, hands
 * on events and sends webhooks. Any number of processes may share a database.
 *
 * @throws TypeError for an address that is missing, CryptoError for encryption keys that are too short;
 *   the error of PostgreSQL if it cannot be reached or migrated
 */
export async function createEmbeddedSync(options: EmbeddedSyncOptions): Promise<EmbeddedSync> {
  check(options);
  const { encryptionKeys, logger = console, outbound = { allowPrivate: false } } = options;
  const dataSource = await openDatabase(options);
  const stopping = new AbortController();
  const { signal } = stopping;
  // A round that fails is made again by the clock.
  const wake = (rounds: Rounds) => void rounds.run().catch(() => undefined);
  const wakeLane = () => wake(webhookRounds);
  const sync = createDirectorySync({ ...options, dataSource, logger, outbound, wakeLane });
  const settings = DELIVERY_SETTINGS;
  const delivery = createDelivery({ dataSource, encryptionKeys, logger, outbound, settings });
  const webhooks = new Webhooks(delivery, logger, signal);
  const { onEvent, eventsTtlSeconds = EVENTS_TTL_SECONDS } = options;
  const follower = onEvent && new EventFollower(sync.parts.sql, onEvent, logger, signal);
  const webhookRounds = new Rounds(() => webhooks.start());
  const eventRounds = new Rounds(async () => follower?.run());
  const runRounds = async () => void (await Promise.all([webhookRounds.run(), eventRounds.run()]));
  const { maintainTables, tasks } = upkeep(sync, delivery, eventsTtlSeconds);
  const background = [{ ...ROUND, run: runRounds }, ...tasks].map(
    (task) => new PeriodicTask({ ...task, logger }),
  );

  async function close(): Promise<void> {
    stopping.abort();
    const abort = setTimeout(() => void delivery.close(), CLOSE_MS_MAX);
    await Promise.allSettled([...background.map((task) => task.stop()), runRounds()]);
    await webhooks.ended();
    clearTimeout(abort);
    await delivery.close();
    await sync.close();
    await dataSource.destroy();
  }

  try {
    await maintainTables();
  } catch (error) {
    await close();
    throw error;
  }
  for (const task of background) task.start();
  return {
    ...sync,
    ...scimHandlers(sync, () => wake(eventRounds)),
    catchUp: async () => {
      await runRounds();
      await webhooks.ended();
    },
    close,
  };
}

/** Refuses what a variable that is not set leaves out, before a database is chosen by default. */
function check({ databaseUrl, externalUrl, encryptionKeys = [] }: EmbeddedSyncOptions): void {
  if (!/^postgres(ql)?:\/\//.test(databaseUrl)) {
    throw new TypeError('databaseUrl must be a postgres:// address');
  }
  if (!/^https?:\/\//.test(externalUrl)) {
    throw new TypeError('externalUrl must be an address such as https://app.example.com');
  }
  KeyRing.fromTexts(encryptionKeys.map((key = '') => key));
}

/** Migrates the schema, and opens a pool whose statements end. */
async function openDatabase({
  databaseUrl,
  directDatabaseUrl,
  connectionsMax,
}: EmbeddedSyncOptions): Promise<DataSource> {
  const database = { ...databaseDefinition, applicationName: APPLICATION_NAME };
  await migrate(createDataSource({ ...database, databaseUrl: directDatabaseUrl ?? databaseUrl }));
  const isPooled = directDatabaseUrl !== undefined;
  const opened = dataSourceOptions({ ...database, databaseUrl, isPooled, poolMax: connectionsMax });
  const extra = { ...(opened.extra as object), ...BOUNDED_POOL };
  return new DataSource({ ...opened, extra }).initialize();
}

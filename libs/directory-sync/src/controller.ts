import { KeyRing } from '@gatehouse/crypto';
import { DeliveryStatus, KEY_SERVICE_ENDPOINT, Sender } from '@gatehouse/delivery';
import { TEST_TIMEOUT_MS } from '@gatehouse/delivery/management';
import { type AdminEvent, AuditEvents } from '@gatehouse/kit/audit';
import { OutboundClient, type OutboundPolicy } from '@gatehouse/kit/outbound';
import { type Sql } from '@gatehouse/kit/sql';
import { sqlOf } from '@gatehouse/nest-kit/database';
import { createProviders, type ProviderSettings } from '@gatehouse/workspace-providers';
import { type DataSource } from 'typeorm';
import { AUDIT_TABLE } from './audit/audit-table.js';
import { DirectoryRepository } from './directories/directory.repository.js';
import { type ScopeFilter } from './directories/directory.sql.js';
import { DirectorySecrets } from './directories/directory-secrets.js';
import { PROVIDERS } from './directories/directory.types.js';
import { Consents } from './workspace/consents.js';
import { OAuthStates } from './workspace/oauth-states.js';
import { WorkspaceConnections } from './workspace/workspace-connections.js';
import { Workspace } from './management/workspace/workspaces.js';
import { DSYNC_SCHEMA } from './database/schema.js';
import { AuditTrail } from './management/records/audit-trail.js';
import { Directories } from './management/directories/directories.js';
import { Guard } from './guard/guard.js';
import { GuardRepository } from './guard/guard.repository.js';
import { HitRepository } from './hits/hit.repository.js';
import { ScopedGroups } from './management/records/groups.js';
import { Guards } from './management/directories/guards.js';
import { asResults, resultOf } from './management/result.js';
import { type Scope, scopeFilter } from './management/directories/scope.input.js';
import { KeyLinks } from './management/key-links/key-links.js';
import { RoleMappings } from './management/roles/role-mappings.js';
import { syncAll } from './management/workspace/sync-all.js';
import { Search } from './management/records/search.js';
import { ScopedUsers } from './management/records/users.js';
import { endpointSecrets } from './delivery/directory-system.js';
import { WebhookLogs } from './management/webhooks/webhook-logs.js';
import { createWebhookAdmin } from './management/webhooks/webhook-admin.js';
import { WorkspaceNotifications } from './management/workspace/workspace-notifications.js';
import { WorkspaceRuns } from './management/workspace/workspace-runs.js';
import { ScimTokens } from './management/scim-tokens/scim-tokens.js';
import { Quotas } from './quotas/quotas.js';
import { type Usage } from './quotas/usage.js';
import { RequestHistory } from './management/records/request-history.js';
import { RequestLog } from './request-log/request-log.js';
import { RequestLogRepository } from './request-log/request-log.repository.js';
import { DEFAULT_REQUEST_LOG, type RequestLogLimits } from './request-log/request-log.types.js';
import { Requests } from './requests.js';
import { ScimTokenRepository } from './scim-tokens/scim-token.repository.js';
import { RoleJobs } from './roles/role-jobs.js';
import { Searches } from './searches/searches.js';
import { DEFAULT_BOUNDS } from './workspace/runs/bounds.js';
import { createRunner } from './workspace/runs/create-runner.js';
import { DEFAULT_DELETE_RATIO } from './workspace/runs/plan.js';
import { PushRepository } from './workspace/push/push.repository.js';
import { RunRepository } from './workspace/runs/run.repository.js';
import { SettingsRepository } from './workspace/runs/settings.repository.js';
import { DEFAULT_LIMITS, DEFAULT_QUOTA } from './scim/protocol/default-limits.js';
import { type ScimLimits } from './scim/protocol/scim.types.js';
import { type EventCallback, ScimRequests } from './scim/requests/scim-requests.js';
import { silentLogger, type SyncLogger } from './sync-logger.js';

/** What an application decides about directory sync. */
export interface DirectorySyncSettings {
  /**
   * The address at which identity providers reach the service, such as `https://sync.example.com`.
   */
  externalUrl: string;
  /** The first key seals secrets, all keys open them; at least 32 characters each. */
  encryptionKeys: readonly string[];
  /** By default, webhook addresses must be public. */
  outbound?: OutboundPolicy;
  /** Where workspace directories are read from, and as which application. */
  workspace?: Omit<ProviderSettings, 'policy'>;
  /** A run that would delete or deactivate a larger part of a directory is held; 0.2 by default. */
  maxDeleteRatio?: number;
  limits?: Partial<ScimLimits>;
  /** Quota of one directory. */
  quota?: Partial<Usage>;
  /** Limits of the SCIM request log. */
  requestLog?: Partial<RequestLogLimits>;
  logger?: SyncLogger;
}

export interface DirectorySyncOptions extends DirectorySyncSettings {
  /** Initialized with the entities of `databaseDefinition`, on a migrated database. */
  dataSource: DataSource;
  /**
   * Called after a commit with new events to deliver, perhaps to one endpoint only; a hint that may get lost.
   */
  wakeLane?: (directoryId: string, endpointId?: string) => void;
  /** Called when a run of a workspace directory is due; a hint that may get lost. */
  wakeRun?: (runId: string) => void;
  /**
   * False: changes wake the lane of a key link only, because webhooks are sent in batches. Default true.
   */
  sendsAtOnce?: boolean;
}

/**
 * Creates the controller object of directory sync. Operations are independent of each other, and
 * each scoped handle is a new object.
 *
 * @throws CryptoError if the encryption keys do not form a key ring
 */
export function createDirectorySync(options: DirectorySyncOptions) {
  const {
    dataSource,
    logger = silentLogger,
    outbound = { allowPrivate: false },
    wakeLane = () => undefined,
    wakeRun = () => undefined,
  } = options;
  const ring = KeyRing.fromTexts(options.encryptionKeys);
  const externalUrl = options.externalUrl.replace(/\/+$/, '');
  const sql = sqlOf(dataSource);
  const audit = new AuditEvents<AdminEvent>(sql, AUDIT_TABLE);
  const repository = new DirectoryRepository(dataSource, sql);
  const secrets = new DirectorySecrets(ring);
  const runs = new RunRepository(sql);
  const guards = new GuardRepository(sql);
  const guard = new Guard(guards, runs);
  const writing = {
    sql,
    guard,
    directories: repository,
    externalUrl,
    logger,
    cursorKey: ring.forPurpose('scim-cursor').current.key,
    wakeLane: (directoryId: string, isLinked: boolean) => {
      if (options.sendsAtOnce ?? true) wakeLane(directoryId);
      else if (isLinked) wakeLane(directoryId, KEY_SERVICE_ENDPOINT);
    },
    ...boundsOf(options, sql, logger),
  };
  const { limits, quotas, searches } = writing;
  const logged = new RequestLogRepository(sql, logger);
  const requestLog = new RequestLog(
    logged,
    ring,
    { ...DEFAULT_REQUEST_LOG, ...options.requestLog },
    logger,
  );
  const client = new OutboundClient(outbound);
  const providers = createProviders({ ...options.workspace, policy: outbound });
  const workspaces = {
    sql,
    connections: repository.connections,
    directories: repository,
    secrets,
    providers,
  };
  const connections = new WorkspaceConnections(workspaces);
  const runner = createRunner({
    ...writing,
    sessions: connections,
    maxDeleteRatio: options.maxDeleteRatio ?? DEFAULT_DELETE_RATIO,
    bounds: { ...DEFAULT_BOUNDS, ...options.quota },
  });
  const jobs = new RoleJobs({
    sql,
    directories: repository,
    wakeLane: (id) => writing.wakeLane(id, false),
  });
  const delivered = new DeliveryStatus(sql, DSYNC_SCHEMA);
  const results = <Service extends object>(service: Service) => asResults(service, logger);
  const records = {
    sql,
    directories: repository,
    externalUrl,
    pageBytesMax: limits.pageBytesMax,
  };
  const directories = new Directories({
    repository,
    delivered,
    runs,
    requests: logged,
    secrets,
    policy: outbound,
    externalUrl,
    logger,
    wakeLane,
    providers,
  });
  const webhookAdmin = createWebhookAdmin({
    sql,
    audit,
    directories: repository,
    secrets,
    ring,
    outbound,
    sender: new Sender(endpointSecrets(secrets), client, TEST_TIMEOUT_MS),
    wakeLane,
    delivered,
    pageBytesMax: limits.pageBytesMax,
  });
  const tokens = new ScimTokenRepository(sql);
  const states = new OAuthStates(ring.forPurpose('workspace-oauth-state'));
  const consents = new Consents({ ...workspaces, states, opened: connections, externalUrl });
  const settings = new SettingsRepository(sql);
  return {
    directories: results(directories),
    users: scoped((scope) => results(new ScopedUsers(records, scope))),
    groups: scoped((scope) => results(new ScopedGroups(records, scope))),
    events: results(webhookAdmin.events),
    webhookEndpoints: results(webhookAdmin.endpoints),
    /** As `events` and `webhookEndpoints`, but errors are thrown. */
    webhookAdmin,
    webhookLogs: results(new WebhookLogs({ directories: repository, delivered })),
    auditEvents: results(new AuditTrail({ audit })),
    search: results(new Search(new HitRepository(sql))),
    workspaceRuns: results(
      new WorkspaceRuns({
        sql,
        audit,
        directories: repository,
        runs,
        guard,
        guards,
        settings,
        wakeRun,
      }),
    ),
    scimTokens: results(
      new ScimTokens({
        sql,
        audit,
        directories: repository,
        tokens,
        secrets,
      }),
    ),
    guards: results(new Guards({ sql, audit, directories: repository, guard, guards, runs })),
    keyLinks: results(new KeyLinks({ sql, audit, links: repository.keyLinks })),
    roleMappings: results(new RoleMappings({ sql, audit, directories: repository, jobs, logger })),
    /** Gives users the roles of changed rules in this process; see RoleJobs. */
    roleJobs: jobs,
    workspaceNotifications: new WorkspaceNotifications({
      push: new PushRepository(sql),
      providers,
    }),
    workspace: results(
      new Workspace({
        ...workspaces,
        states,
        consents,
        audit,
        externalUrl,
      }),
    ),
    /** Opens workspace directories for runs. */
    connections,
    /** Synchronizes all workspace directories in this process; see syncAll. */
    sync: (callback?: EventCallback) =>
      resultOf(logger, () => syncAll({ runs, runner, logger }, callback)),
    requests: new Requests(new ScimRequests(writing)),
    /** Takes the requests that a server has answered, and writes them in batches. */
    requestLog,
    /** Keeps the partitions of the log for a time; resolves to the names of those that it dropped. */
    maintainRequestLog: (ttlSeconds: number) => logged.maintain(ttlSeconds),
    requestHistory: results(new RequestHistory({ logged, ring, directories: repository })),
    /** For packages that are built on directory sync; these throw. */
    parts: {
      sql,
      audit,
      directories: repository,
      directoryService: directories,
      requests: logged,
      tokens,
      secrets,
      runs,
      settings,
      jobs,
      consents,
      states,
      providers,
      wakeRun,
      externalUrl,
      logger,
    },
    /** Provider types and their display names. */
    providers: () => resultOf(logger, () => Promise.resolve(PROVIDERS)),
    /** Gives reserved quota back and closes the connections of searches, not the data source. */
    close: async () => {
      await requestLog.close();
      await quotas.close();
      await searches.close();
      await client.close();
      await providers.close();
    },
  };
}

/** Bounds on the writes and searches of SCIM clients. */
function boundsOf(options: DirectorySyncOptions, sql: Sql, logger: SyncLogger) {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  return {
    limits,
    searches: new Searches(options.dataSource, limits),
    quotas: new Quotas(sql, { ...DEFAULT_QUOTA, ...options.quota }, logger),
  };
}

/** Handles of users or groups, which are independent of each other. */
export interface ScopedHandles<Handle> {
  setTenantAndProduct: (tenant: string, product: string) => Handle;
  /** Selects by tenant and product, by directory, or by both. */
  inScope: (scope: Scope) => Handle;
}

function scoped<Handle>(
  handleOf: (scope: (needsProduct?: boolean) => ScopeFilter) => Handle,
): ScopedHandles<Handle> {
  const inScope = (scope: Scope) => handleOf((needsProduct) => scopeFilter(scope, needsProduct));
  return {
    setTenantAndProduct: (tenant, product) => inScope({ tenant, product }),
    inScope,
  };
}

export type DirectorySync = ReturnType<typeof createDirectorySync>;
export type DirectorySyncParts = DirectorySync['parts'];

import {
  asBoolean,
  asDurationListSeconds,
  asDurationSeconds,
  asInteger,
  asList,
  asText,
  Env,
  IsKeyRing,
  Secret,
} from '@gatehouse/kit/settings';
import { ServiceConfig } from '@gatehouse/nest-kit/config';
import {
  asServiceAccount,
  ENTRA_DEFAULTS,
  GOOGLE_DEFAULTS,
  type ServiceAccount,
} from '@gatehouse/workspace-providers';
import {
  ArrayMaxSize,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  Validate,
  ValidateIf,
} from 'class-validator';
import { asRatio, asSchedule } from './setting-parsers.js';

/** Pauses between the attempts at a failing endpoint, about three days in total. */
const RETRY_SCHEDULE_SECONDS = [
  5, 30, 120, 600, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 86_400,
];

/** Settings of the directory sync worker; docs/directory-sync.md explains each. */
export class DsyncWorkerConfig extends ServiceConfig {
  /** It serves health checks, and the queue board to administrators. */
  override drainTimeSeconds = 0;

  /** Keys of the queue board, which is closed without a key. */
  @Secret()
  @Env('ADMIN_API_KEYS', asList)
  @Matches(/^[\x21-\x7e]*$/, {
    each: true,
    message: 'each key must be visible ASCII, or no header could carry it',
  })
  @MinLength(24, { each: true, message: 'each key must have at least 24 characters' })
  adminApiKeys: string[] = [];

  @Secret()
  @Env('ENCRYPTION_KEYS', asList)
  @Validate(IsKeyRing)
  encryptionKeys: string[] = [];

  /** The databases of other services, whose webhooks this worker delivers too, and their keys. */
  @Secret()
  @Env('KEYS_DATABASE_URL', asText)
  @Matches(/^(postgres(ql)?:\/\/.*)?$/, { message: 'must be a postgres:// address' })
  keysDatabaseUrl = '';

  @Secret()
  @Env('KEYS_ENCRYPTION_KEYS', asList)
  @ValidateIf(({ keysDatabaseUrl }: DsyncWorkerConfig) => keysDatabaseUrl !== '')
  @Validate(IsKeyRing)
  keysEncryptionKeys: string[] = [];

  @Secret()
  @Env('FORMS_DATABASE_URL', asText)
  @Matches(/^(postgres(ql)?:\/\/.*)?$/, { message: 'must be a postgres:// address' })
  formsDatabaseUrl = '';

  @Secret()
  @Env('FORMS_ENCRYPTION_KEYS', asList)
  @ValidateIf(({ formsDatabaseUrl }: DsyncWorkerConfig) => formsDatabaseUrl !== '')
  @Validate(IsKeyRing)
  formsEncryptionKeys: string[] = [];

  /** Where events about webhooks and directories are sent; empty sends them nowhere. */
  @Env('OPERATIONS_WEBHOOK_URL', asText)
  @Matches(/^(https?:\/\/\S+)?$/, { message: 'must be an http or https URL' })
  operationsWebhookUrl = '';

  @Secret()
  @Env('OPERATIONS_WEBHOOK_SECRET', asText)
  @Matches(/^([\x20-\x7e]{16,512})?$/, { message: 'must have 16 to 512 printable characters' })
  operationsWebhookSecret = '';

  @Env('DSYNC_WEBHOOK_RETRY_SCHEDULE', asDurationListSeconds)
  @ArrayMaxSize(50)
  @Max(7 * 86_400, { each: true })
  webhookRetryScheduleSeconds: number[] = RETRY_SCHEDULE_SECONDS;

  @Env('DSYNC_WEBHOOK_TIMEOUT', asDurationSeconds)
  @Min(1)
  @Max(60)
  webhookTimeoutSeconds = 20;

  /** Attempts that refuse an event before it counts as poisoned. */
  @Env('DSYNC_EVENT_ATTEMPTS', asInteger)
  @Min(1)
  @Max(50)
  eventAttempts = 5;

  /** Events of one request, as a JSON array; 0 sends each event alone, at once. */
  @Env('DSYNC_WEBHOOK_BATCH_SIZE', asInteger)
  @Min(0)
  @Max(1_000)
  webhookBatchSize = 0;

  /** How often batches are sent; between, only when the API is told to. */
  @Env('DSYNC_WEBHOOK_BATCH_CRON_INTERVAL', asDurationSeconds)
  @Min(1)
  @Max(86_400)
  webhookBatchIntervalSeconds = 60;

  /** The number of directories that this process delivers concurrently. */
  @Env('DSYNC_LANE_CONCURRENCY', asInteger)
  @Min(1)
  @Max(1_000)
  laneConcurrency = 50;

  /** Lanes that wait for a slow endpoint, in addition to DSYNC_LANE_CONCURRENCY. */
  @Env('DSYNC_SLOW_LANES_MAX', asInteger)
  @Min(1)
  @Max(10_000)
  slowLanesMax = 1_000;

  /** The OAuth client by which administrators have connected workspace directories of Google. */
  @Env('WORKSPACE_CLIENT_ID', asText)
  @MaxLength(256)
  workspaceClientId = '';

  @Secret()
  @Env('WORKSPACE_CLIENT_SECRET', asText)
  @MaxLength(256)
  workspaceClientSecret = '';

  @Env('WORKSPACE_TOKEN_URL', asText)
  @Matches(/^https?:\/\/\S+$/, { message: 'must be an http or https URL' })
  workspaceTokenUrl = GOOGLE_DEFAULTS.tokenUrl;

  @Env('WORKSPACE_API_URL', asText)
  @Matches(/^https?:\/\/[^\s?#]+[^\s?#/]$/, {
    message: 'must be an http or https address without a slash at its end',
  })
  workspaceApiUrl = GOOGLE_DEFAULTS.apiUrl;

  /** The JSON key of a service account with domain-wide delegation. */
  @Secret()
  @Env('WORKSPACE_SERVICE_ACCOUNT', asServiceAccount)
  workspaceServiceAccount: ServiceAccount | null = null;

  /** The application by which directories of Entra ID are read. */
  @Env('WORKSPACE_ENTRA_CLIENT_ID', asText)
  @MaxLength(256)
  workspaceEntraClientId = '';

  @Env('WORKSPACE_ENTRA_LOGIN_URL', asText)
  @Matches(/^https?:\/\/[^\s?#]+[^\s?#/]$/, {
    message: 'must be an http or https address without a slash at its end',
  })
  workspaceEntraLoginUrl = ENTRA_DEFAULTS.loginUrl;

  @Secret()
  @Env('WORKSPACE_ENTRA_CLIENT_SECRET', asText)
  @MaxLength(256)
  workspaceEntraClientSecret = '';

  /** Microsoft Graph, with its version. */
  @Env('WORKSPACE_ENTRA_API_URL', asText)
  @Matches(/^https?:\/\/[^\s?#]+[^\s?#/]$/, {
    message: 'must be an http or https address without a slash at its end',
  })
  workspaceEntraApiUrl = ENTRA_DEFAULTS.apiUrl;

  /** Requests to each provider, by this process. */
  @Env('WORKSPACE_REQUESTS_PER_SECOND', asInteger)
  @Min(1)
  @Max(1_000)
  workspaceRequestsPerSecond = 20;

  @Env('WORKSPACE_REQUEST_TIMEOUT', asDurationSeconds)
  @Min(1)
  @Max(300)
  workspaceRequestTimeoutSeconds = 30;

  /** A longer answer of a provider is refused. */
  @Env('WORKSPACE_ANSWER_BYTES_MAX', asInteger)
  @Min(65_536)
  @Max(256 * 1024 * 1024)
  workspaceAnswerBytesMax = 16 * 1024 * 1024;

  /** When runs of workspace directories start, in UTC, or `never`. */
  @Env('WORKSPACE_SYNC_CRON', asSchedule)
  workspaceSyncCron = '0 */2 * * *';

  /** Scheduled runs start within this time, each directory at a time of its own. */
  @Env('WORKSPACE_SYNC_JITTER', asDurationSeconds)
  @Min(0)
  @Max(86_400)
  workspaceSyncJitterSeconds = 600;

  /** After this time, a directory is listed even if its provider says that nothing has changed. */
  @Env('WORKSPACE_FULL_LISTING', asDurationSeconds)
  @Min(0)
  @Max(30 * 86_400)
  workspaceFullListingSeconds = 86_400;

  /** The address at which providers reach dsync-api, as its EXTERNAL_URL. */
  @Env('EXTERNAL_URL', asText)
  @Matches(/^(https?:\/\/[^\s/?#]+(\/[^\s?#]*)?)?$/, {
    message: 'must be an http or https address without query and fragment',
  })
  @ValidateIf(({ externalUrl, workspacePush }: DsyncWorkerConfig) => {
    return externalUrl !== '' || workspacePush === true;
  })
  @MinLength(1, { message: 'must be set with WORKSPACE_PUSH=true' })
  externalUrl = '';

  /** Whether providers notify of changes; by default if EXTERNAL_URL is https, as they demand. */
  @Env('WORKSPACE_PUSH', asBoolean)
  workspacePush: boolean | null = null;

  /** A directory has at most one run by notifications in this time. */
  @Env('WORKSPACE_PUSH_INTERVAL', asDurationSeconds)
  @Min(1)
  @Max(86_400)
  workspacePushIntervalSeconds = 60;

  get isPushed(): boolean {
    return this.workspacePush ?? this.externalUrl.startsWith('https:');
  }

  /** Runs of workspace directories that this process carries out at once. */
  @Env('WORKSPACE_RUNS', asInteger)
  @Min(1)
  @Max(50)
  workspaceRuns = 2;

  /** A run that would delete or deactivate a larger part of a directory is held. */
  @Env('WORKSPACE_MAX_DELETE_RATIO', asRatio)
  workspaceMaxDeleteRatio = 0.2;

  /** Memberships of one listing, those of nested groups included if they are flattened. */
  @Env('WORKSPACE_MEMBERSHIPS_MAX', asInteger)
  @Min(1)
  @Max(1_000_000_000)
  workspaceMembershipsMax = 10_000_000;

  /** Groups inside of groups that are flattened. */
  @Env('WORKSPACE_NESTED_GROUPS_MAX', asInteger)
  @Min(1)
  @Max(1_000_000)
  workspaceNestedGroupsMax = 50_000;

  /** What one directory may hold, as in the API. */
  @Env('DSYNC_DIRECTORY_USERS_MAX', asInteger)
  @Min(1)
  directoryUsersMax = 2_000_000;

  @Env('DSYNC_DIRECTORY_GROUPS_MAX', asInteger)
  @Min(1)
  directoryGroupsMax = 500_000;

  @Env('DSYNC_DIRECTORY_BYTES_MAX', asInteger)
  @Min(1_048_576)
  directoryBytesMax = 20 * 1024 ** 3;

  /** The interval of the sweep for lanes and runs whose wake-up was lost. */
  @Env('DSYNC_SWEEP_INTERVAL', asDurationSeconds)
  @Min(1)
  @Max(3_600)
  sweepIntervalSeconds = 5;

  /** A directory without requests for this time is reported once; 0 reports none. */
  @Env('DSYNC_QUIET_AFTER', asDurationSeconds)
  @Min(0)
  @Max(365 * 86_400)
  quietAfterSeconds = 7 * 86_400;

  /** How long before their expiry SCIM tokens are announced, with an event each. */
  @Env('DSYNC_TOKEN_EXPIRING_THRESHOLDS', asDurationListSeconds)
  @ArrayMaxSize(10)
  @Min(1, { each: true })
  @Max(10 * 365 * 86_400, { each: true })
  tokenExpiringThresholdsSeconds: number[] = [30 * 86_400, 7 * 86_400, 86_400];
}

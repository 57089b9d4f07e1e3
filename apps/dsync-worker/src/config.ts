import { RETRY_SCHEDULE_SECONDS } from '@gatehouse/delivery';
import { BatchesConfig, WorkspaceConfig } from '@gatehouse/directory-sync/settings';
import {
  asBoolean,
  asDurationListSeconds,
  asDurationSeconds,
  asInteger,
  asList,
  asText,
  Derived,
  Env,
  IsKeyRing,
  Secret,
} from '@gatehouse/kit/settings';
import { AdminKeysConfig } from '@gatehouse/nest-kit/admin';
import { ServiceConfig } from '@gatehouse/nest-kit/config';
import {
  asServiceAccount,
  ENTRA_DEFAULTS,
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

const IS_POSTGRES = { message: 'must be a postgres:// address' };
const IS_ADDRESS = { message: 'must be an http or https address without a slash at its end' };

/** The databases of other services, whose webhooks this worker delivers too. */
class OtherSystemsConfig {
  @Secret()
  @Env(
    'KEYS_DATABASE_URL',
    'The database of the key service, best with the role `delivery_worker` of ' +
      '[provision.sql](deploy/postgres/provision.sql): this worker then delivers its webhooks too',
    asText,
  )
  @Matches(/^(postgres(ql)?:\/\/.*)?$/, IS_POSTGRES)
  keysDatabaseUrl = '';

  @Secret()
  @Env(
    'KEYS_ENCRYPTION_KEYS',
    'The `ENCRYPTION_KEYS` of the key service',
    asList,
    Derived.KEYS_ENCRYPTION_KEYS,
  )
  @ValidateIf(({ keysDatabaseUrl }: OtherSystemsConfig) => keysDatabaseUrl !== '')
  @Validate(IsKeyRing)
  keysEncryptionKeys: string[] = [];

  @Secret()
  @Env('FORMS_DATABASE_URL', 'The same for identity forms', asText)
  @Matches(/^(postgres(ql)?:\/\/.*)?$/, IS_POSTGRES)
  formsDatabaseUrl = '';

  @Secret()
  @Env(
    'FORMS_ENCRYPTION_KEYS',
    'The `ENCRYPTION_KEYS` of identity forms',
    asList,
    Derived.FORMS_ENCRYPTION_KEYS,
  )
  @ValidateIf(({ formsDatabaseUrl }: OtherSystemsConfig) => formsDatabaseUrl !== '')
  @Validate(IsKeyRing)
  formsEncryptionKeys: string[] = [];
}

/** How requests to the key service are sealed. Without keys, no key link works. */
class KeyLinksConfig {
  @Secret()
  @Env(
    'MESSAGE_KEYS',
    'The same as of the key service, for [key links](docs/directory-sync.md#key-links)',
    asList,
    Derived.MESSAGE_KEYS,
  )
  @ValidateIf(({ keys }: KeyLinksConfig) => keys.length > 0)
  @Validate(IsKeyRing)
  keys: string[] = [];
}

/** Where notices for operators are sent. */
class NoticesConfig {
  @Env(
    'OPERATIONS_WEBHOOK_URL',
    'Where [notices](docs/webhooks.md#notices-for-operators) about webhooks and directories are sent',
    asText,
  )
  @Matches(/^(https?:\/\/\S+)?$/, { message: 'must be an http or https URL' })
  url = '';

  @Secret()
  @Env('OPERATIONS_WEBHOOK_SECRET', 'The secret that signs them', asText)
  @Matches(/^([\x20-\x7e]{16,512})?$/, { message: 'must have 16 to 512 printable characters' })
  secret = '';
}

/** How webhooks are delivered. */
class DeliveryConfig extends BatchesConfig {
  @Env('DSYNC_WEBHOOK_BATCH_CRON_INTERVAL', 'How often batches are sent', asDurationSeconds)
  @Min(1)
  @Max(86_400)
  intervalSeconds = 60;

  @Env('DSYNC_WEBHOOK_TIMEOUT', 'Response timeout of endpoints, at most `60s`', asDurationSeconds)
  @Min(1)
  @Max(60)
  timeoutSeconds = 20;

  @Env('DSYNC_WEBHOOK_RETRY_SCHEDULE', 'Delays between the attempts', asDurationListSeconds)
  @ArrayMaxSize(50)
  @Max(7 * 86_400, { each: true })
  retryScheduleSeconds: number[] = [...RETRY_SCHEDULE_SECONDS];

  @Env(
    'DSYNC_EVENT_ATTEMPTS',
    'Attempts that refuse an event before it counts as poisoned',
    asInteger,
  )
  @Min(1)
  @Max(50)
  eventAttempts = 5;

  @Env('DSYNC_LANE_CONCURRENCY', 'Endpoints that one worker delivers concurrently', asInteger)
  @Min(1)
  @Max(1_000)
  laneConcurrency = 50;

  @Env(
    'DSYNC_SWEEP_INTERVAL',
    'How often the worker searches for events and runs whose wake-up was lost',
    asDurationSeconds,
  )
  @Min(1)
  @Max(3_600)
  sweepIntervalSeconds = 5;
}

class WorkspaceWorkerConfig extends WorkspaceConfig {
  @Secret()
  @Env(
    'WORKSPACE_SERVICE_ACCOUNT',
    'The JSON key of a Google service account with domain-wide delegation',
    asServiceAccount,
  )
  googleServiceAccount: ServiceAccount | null = null;

  @Secret()
  @Env('WORKSPACE_ENTRA_CLIENT_SECRET', 'The secret of `WORKSPACE_ENTRA_CLIENT_ID`', asText)
  @MaxLength(256)
  entraClientSecret = '';

  @Env('WORKSPACE_ENTRA_API_URL', 'Microsoft Graph, with its version', asText)
  @Matches(/^https?:\/\/[^\s?#]+[^\s?#/]$/, IS_ADDRESS)
  entraApiUrl = ENTRA_DEFAULTS.apiUrl;

  @Env('WORKSPACE_REQUESTS_PER_SECOND', 'Requests to each provider, by one worker', asInteger)
  @Min(1)
  @Max(1_000)
  requestsPerSecond = 20;

  @Env(
    'WORKSPACE_SYNC_CRON',
    'When runs of workspace directories start, in UTC; `never`: on demand only',
    asSchedule,
  )
  syncCron = '0 */2 * * *';

  @Env(
    'WORKSPACE_MAX_DELETE_RATIO',
    'A run that would delete or deactivate a larger part of a directory is [held](docs/workspace.md#held-runs)',
    asRatio,
  )
  maxDeleteRatio = 0.2;

  @Env(
    'WORKSPACE_PUSH',
    'Let providers [notify](docs/workspace.md#push-notifications) of changes; by default if `EXTERNAL_URL` ' +
      'is https, as they demand',
    asBoolean,
  )
  push: boolean | null = null;

  @Env(
    'EXTERNAL_URL',
    'That of dsync-api, at which providers reach it for [push notifications](docs/workspace.md#push-notifications)',
    asText,
  )
  @Matches(/^(https?:\/\/[^\s/?#]+(\/[^\s?#]*)?)?$/, {
    message: 'must be an http or https address without query and fragment',
  })
  @ValidateIf(({ externalUrl, push }: WorkspaceWorkerConfig) => externalUrl !== '' || push === true)
  @MinLength(1, { message: 'must be set with WORKSPACE_PUSH=true' })
  externalUrl = '';

  get isPushed(): boolean {
    return this.push ?? this.externalUrl.startsWith('https:');
  }
}

/** Settings of the directory sync worker. */
export class DsyncWorkerConfig extends ServiceConfig {
  /** The worker serves only health checks, and the queue board to administrators. */
  override drainTimeSeconds = 0;

  @Secret()
  @Env(
    'ENCRYPTION_KEYS',
    'The same as of dsync-api: the first encrypts, all decrypt',
    asList,
    Derived.DSYNC_ENCRYPTION_KEYS,
  )
  @Validate(IsKeyRing)
  encryptionKeys: string[] = [];

  readonly admin = new AdminKeysConfig();
  readonly delivery = new DeliveryConfig();
  readonly otherSystems = new OtherSystemsConfig();
  readonly messages = new KeyLinksConfig();
  readonly notices = new NoticesConfig();
  readonly workspace = new WorkspaceWorkerConfig();
}

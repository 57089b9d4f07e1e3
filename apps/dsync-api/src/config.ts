import {
  asDurationSeconds,
  asInteger,
  asList,
  asText,
  Env,
  IsKeyRing,
  Secret,
} from '@gatehouse/kit/settings';
import { ArePublicVerdictKeys, GuardedServiceConfig } from '@gatehouse/nest-kit/admin';
import {
  accentFault,
  HasNoFault,
  IsWebAddress,
  NAME_CHARACTERS_MAX,
  urlFault,
} from '@gatehouse/pages';
import { ENTRA_DEFAULTS, GOOGLE_DEFAULTS } from '@gatehouse/workspace-providers';
import { IsOptional, Matches, Max, MaxLength, Min, MinLength, Validate } from 'class-validator';

const DAY_SECONDS = 86_400;

/** Settings of the directory sync API; docs/directory-sync.md explains each. */
export class DsyncApiConfig extends GuardedServiceConfig {
  /** The address at which identity providers reach this service; SCIM endpoints start with it. */
  @Env('EXTERNAL_URL', asText)
  @Matches(/^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/, {
    message: 'must be an http or https address without query and fragment',
  })
  externalUrl = '';

  @Secret()
  @Env('ENCRYPTION_KEYS', asList)
  @Validate(IsKeyRing)
  encryptionKeys: string[] = [];

  /** Keys of the management API. Live keys of the key service with dsync:admin work too. */
  @Secret()
  @Env('API_KEYS', asList)
  @MinLength(24, { each: true, message: 'each key must have at least 24 characters' })
  apiKeys: string[] = [];

  /** The public keys of the key service's VERDICT_SIGNING_KEY, in PEM. */
  @Env('VERDICT_PUBLIC_KEYS')
  @Validate(ArePublicVerdictKeys)
  verdictPublicKeys = '';

  /** As the worker's: above 0, changes do not wake it, because it sends them in batches. */
  @Env('DSYNC_WEBHOOK_BATCH_SIZE', asInteger)
  @Min(0)
  @Max(1_000)
  webhookBatchSize = 0;

  /** Events are dropped after this time, by whole days, once they are delivered. */
  @Env('DSYNC_EVENTS_TTL', asDurationSeconds)
  @Min(DAY_SECONDS)
  @Max(3_650 * DAY_SECONDS)
  eventsTtlSeconds = 30 * DAY_SECONDS;

  @Env('DSYNC_WEBHOOK_LOGS_TTL', asDurationSeconds)
  @Min(DAY_SECONDS)
  @Max(3_650 * DAY_SECONDS)
  webhookLogsTtlSeconds = 7 * DAY_SECONDS;

  /** Logged SCIM requests are dropped after this time, by whole days. */
  @Env('DSYNC_REQUEST_LOG_TTL', asDurationSeconds)
  @Min(DAY_SECONDS)
  @Max(365 * DAY_SECONDS)
  requestLogTtlSeconds = 7 * DAY_SECONDS;

  /** SCIM requests that wait in this process to be logged; 0 turns the log off. */
  @Env('DSYNC_REQUEST_LOG_BUFFER', asInteger)
  @Min(0)
  @Max(100_000)
  requestLogBuffer = 5_000;

  /** Logged requests of one directory in 24 hours. */
  @Env('DSYNC_REQUEST_LOG_ROWS_MAX', asInteger)
  @Min(0)
  @Max(10_000_000)
  requestLogRowsMax = 100_000;

  /** Requests without a valid secret that are logged a minute, for each directory and process. */
  @Env('DSYNC_REQUEST_LOG_UNAUTHORIZED_MAX', asInteger)
  @Min(0)
  @Max(1_000)
  requestLogUnauthorizedMax = 10;

  /** Requests of one directory in 24 hours whose bodies are captured. */
  @Env('DSYNC_CAPTURE_REQUESTS_MAX', asInteger)
  @Min(0)
  @Max(100_000)
  captureRequestsMax = 1_000;

  /** Names of attributes whose values are not captured, in addition to the usual ones. */
  @Env('DSYNC_CAPTURE_REDACTED', asList)
  @MaxLength(128, { each: true })
  captureRedacted: string[] = [];

  /** Searches that one directory may have at once in this process. */
  @Env('DSYNC_SEARCHES_MAX', asInteger)
  @Min(1)
  @Max(100)
  searchesMax = 2;

  @Env('DSYNC_SEARCH_TIMEOUT', asDurationSeconds)
  @Min(1)
  @Max(15)
  searchTimeoutSeconds = 2;

  /** Connections of searches and pages, in addition to DATABASE_POOL_MAX. */
  @Env('DSYNC_SEARCH_POOL_MAX', asInteger)
  @Min(2)
  @Max(100)
  searchPoolMax = 4;

  /** The cost of a filter; a term costs from 1 (indexed) to 60 (unknown attribute). */
  @Env('DSYNC_FILTER_COST_MAX', asInteger)
  @Min(50)
  @Max(100_000)
  filterCostMax = 500;

  /** The OAuth client by which administrators connect workspace directories of Google. */
  @Env('WORKSPACE_CLIENT_ID', asText)
  @MaxLength(256)
  workspaceClientId = '';

  @Secret()
  @Env('WORKSPACE_CLIENT_SECRET', asText)
  @MaxLength(256)
  workspaceClientSecret = '';

  @Env('WORKSPACE_AUTH_URL', asText)
  @Matches(/^https?:\/\/\S+$/, { message: 'must be an http or https URL' })
  workspaceAuthUrl = GOOGLE_DEFAULTS.authUrl;

  @Env('WORKSPACE_TOKEN_URL', asText)
  @Matches(/^https?:\/\/\S+$/, { message: 'must be an http or https URL' })
  workspaceTokenUrl = GOOGLE_DEFAULTS.tokenUrl;

  /** The application by which directories of Entra ID are read. */
  @Env('WORKSPACE_ENTRA_CLIENT_ID', asText)
  @MaxLength(256)
  workspaceEntraClientId = '';

  @Env('WORKSPACE_ENTRA_LOGIN_URL', asText)
  @Matches(/^https?:\/\/[^\s?#]+[^\s?#/]$/, {
    message: 'must be an http or https address without a slash at its end',
  })
  workspaceEntraLoginUrl = ENTRA_DEFAULTS.loginUrl;

  /** Where setup pages may lead back to: the same origin, this path or below; empty: any https. */
  @Env('ALLOWED_RETURN_URLS', asList)
  @Validate(IsWebAddress, { each: true })
  allowedReturnUrls: string[] = [];

  /** The look and the links of setup pages. */
  @Env('THEME_NAME', asText)
  @IsOptional()
  @MaxLength(NAME_CHARACTERS_MAX)
  themeName?: string;

  @Env('THEME_LOGO_URL', asText)
  @IsOptional()
  @HasNoFault(urlFault)
  themeLogoUrl?: string;

  /** `#rrggbb`. */
  @Env('THEME_ACCENT', asText)
  @IsOptional()
  @HasNoFault(accentFault)
  themeAccent?: string;

  @Env('THEME_TERMS_URL', asText)
  @IsOptional()
  @HasNoFault(urlFault)
  themeTermsUrl?: string;

  @Env('THEME_PRIVACY_URL', asText)
  @IsOptional()
  @HasNoFault(urlFault)
  themePrivacyUrl?: string;

  /** What one directory may hold. */
  @Env('DSYNC_DIRECTORY_USERS_MAX', asInteger)
  @Min(1)
  directoryUsersMax = 2_000_000;

  @Env('DSYNC_DIRECTORY_GROUPS_MAX', asInteger)
  @Min(1)
  directoryGroupsMax = 500_000;

  @Env('DSYNC_DIRECTORY_BYTES_MAX', asInteger)
  @Min(1_048_576)
  directoryBytesMax = 20 * 1024 ** 3;

  @Env('DSYNC_PAGE_BYTES_MAX', asInteger)
  @Min(65_536)
  @Max(256 * 1024 * 1024)
  pageBytesMax = 8 * 1024 * 1024;
}

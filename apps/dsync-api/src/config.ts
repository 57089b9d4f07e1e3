import { BatchesConfig, WorkspaceConfig } from '@gatehouse/directory-sync/settings';
import {
  asDurationSeconds,
  asList,
  asText,
  Derived,
  Env,
  IsKeyRing,
  Secret,
} from '@gatehouse/kit/settings';
import { AuditConfig, ClientsConfig, VerdictsConfig } from '@gatehouse/nest-kit/admin';
import { MessagesConfig, ServiceConfig } from '@gatehouse/nest-kit/config';
import { ReturnUrlsConfig, ThemeConfig } from '@gatehouse/pages';
import { GOOGLE_DEFAULTS } from '@gatehouse/workspace-providers';
import { Matches, Max, MaxLength, Min, MinLength, Validate } from 'class-validator';

const DAY_SECONDS = 86_400;

class WorkspaceApiConfig extends WorkspaceConfig {
  @Env('WORKSPACE_AUTH_URL', 'Where administrators of Google Workspace consent', asText)
  @Matches(/^https?:\/\/\S+$/, { message: 'must be an http or https URL' })
  googleAuthUrl = GOOGLE_DEFAULTS.authUrl;
}

/** Settings of the directory sync API. */
export class DsyncApiConfig extends ServiceConfig {
  @Env(
    'EXTERNAL_URL',
    'The prefix of SCIM URLs, as identity providers reach this service, and of setup pages',
    asText,
  )
  @Matches(/^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/, {
    message: 'must be an http or https address without query and fragment',
  })
  externalUrl = '';

  @Secret()
  @Env(
    'ENCRYPTION_KEYS',
    'Comma-separated, each at least 32 characters: the first encrypts, all decrypt. The same list in the worker',
    asList,
    Derived.DSYNC_ENCRYPTION_KEYS,
  )
  @Validate(IsKeyRing)
  encryptionKeys: string[] = [];

  @Secret()
  @Env(
    'API_KEYS',
    'Keys of the management API, at least 24 characters each, comma-separated. Live keys of the key service ' +
      'with the scope `dsync:admin` work too',
    asList,
  )
  @MinLength(24, { each: true, message: 'each key must have at least 24 characters' })
  apiKeys: string[] = [];

  @Env(
    'DSYNC_EVENTS_TTL',
    'Events are dropped after this time, by whole days (UTC); those that a webhook still needs are kept',
    asDurationSeconds,
  )
  @Min(DAY_SECONDS)
  @Max(3_650 * DAY_SECONDS)
  eventsTtlSeconds = 30 * DAY_SECONDS;

  @Env(
    'DSYNC_CAPTURE_REDACTED',
    'Names of attributes, comma-separated, whose values are not captured, in addition to the usual ones',
    asList,
  )
  @MaxLength(128, { each: true })
  captureRedacted: string[] = [];

  readonly messages = new MessagesConfig();
  readonly verdicts = new VerdictsConfig();
  readonly clients = new ClientsConfig();
  readonly audit = new AuditConfig();
  readonly batches = new BatchesConfig();
  readonly workspace = new WorkspaceApiConfig();
  readonly returnUrls = new ReturnUrlsConfig();
  readonly theme = new ThemeConfig();
}

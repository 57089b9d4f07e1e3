/** Settings that several programs of directory sync read. */
import { asInteger, asText, Env, Secret } from '@gatehouse/kit/settings';
import { ENTRA_DEFAULTS, GOOGLE_DEFAULTS } from '@gatehouse/workspace-providers';
import { Matches, Max, MaxLength, Min } from 'class-validator';

const IS_ADDRESS = { message: 'must be an http or https address without a slash at its end' };

/** Whether events are sent in batches. */
export class BatchesConfig {
  @Env(
    'DSYNC_WEBHOOK_BATCH_SIZE',
    'Events of one request, as a JSON array; `0` sends each event alone, at once',
    asInteger,
  )
  @Min(0)
  @Max(1_000)
  size = 0;
}

/** The applications by which workspace directories of Google and Entra ID are read. */
export class WorkspaceConfig {
  @Env(
    'WORKSPACE_CLIENT_ID',
    'The OAuth client by which administrators connect Google Workspace',
    asText,
  )
  @MaxLength(256)
  googleClientId = '';

  @Secret()
  @Env('WORKSPACE_CLIENT_SECRET', 'Its secret', asText)
  @MaxLength(256)
  googleClientSecret = '';

  @Env('WORKSPACE_TOKEN_URL', 'Where tokens of Google are obtained', asText)
  @Matches(/^https?:\/\/\S+$/, { message: 'must be an http or https URL' })
  googleTokenUrl = GOOGLE_DEFAULTS.tokenUrl;

  @Env('WORKSPACE_API_URL', "Google's Admin SDK Directory API", asText)
  @Matches(/^https?:\/\/[^\s?#]+[^\s?#/]$/, IS_ADDRESS)
  googleApiUrl = GOOGLE_DEFAULTS.apiUrl;

  @Env('WORKSPACE_ENTRA_CLIENT_ID', 'The application by which tenants of Entra ID are read', asText)
  @MaxLength(256)
  entraClientId = '';

  @Env(
    'WORKSPACE_ENTRA_LOGIN_URL',
    'Where administrators of Entra ID consent, and tokens are obtained',
    asText,
  )
  @Matches(/^https?:\/\/[^\s?#]+[^\s?#/]$/, IS_ADDRESS)
  entraLoginUrl = ENTRA_DEFAULTS.loginUrl;
}

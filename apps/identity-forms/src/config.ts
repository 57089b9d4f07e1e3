import { isTimeZone } from '@gatehouse/form-decoder';
import {
  accentFault,
  HasNoFault,
  IsWebAddress,
  NAME_CHARACTERS_MAX,
  urlFault,
} from '@gatehouse/pages';
import {
  asBoolean,
  asDurationSeconds,
  asInteger,
  asList,
  asText,
  Env,
  IsKeyRing,
  Secret,
} from '@gatehouse/kit/settings';
import { AdminServiceConfig, ArePublicVerdictKeys } from '@gatehouse/nest-kit/admin';
import {
  IsIn,
  IsOptional,
  Max,
  Min,
  MaxLength,
  Validate,
  ValidateIf,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';

const KIB = 1024;

@ValidatorConstraint({ name: 'timeZone' })
class TimeZone implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return typeof value === 'string' && isTimeZone(value);
  }

  defaultMessage(): string {
    return 'must be a time zone such as UTC or Europe/Berlin';
  }
}

/** The look and the links of pages, unless the schema overrides them. */
class ThemeConfig extends AdminServiceConfig {
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

  @Env('THEME_SIGN_IN_URL', asText)
  @IsOptional()
  @HasNoFault(urlFault)
  themeSignInUrl?: string;

  /** Where thank-you and error pages lead. */
  @Env('THEME_HOME_URL', asText)
  @IsOptional()
  @HasNoFault(urlFault)
  themeHomeUrl?: string;
}

/** Settings of identity forms; docs/identity-forms.md explains each. */
export class IdentityFormsConfig extends ThemeConfig {
  /** The public URL with the gateway's path prefix. Without it, URLs use the Host of the request. */
  @Env('PUBLIC_URL', asText)
  @IsOptional()
  @Validate(IsWebAddress)
  publicUrl?: string;

  /** URLs that a flow may redirect to: the same origin, and this path or one below. */
  @Env('ALLOWED_RETURN_URLS', asList)
  @Validate(IsWebAddress, { each: true })
  allowedReturnUrls: string[] = [];

  /** The public keys of the key service's VERDICT_SIGNING_KEY, in PEM. */
  @Env('VERDICT_PUBLIC_KEYS')
  @Validate(ArePublicVerdictKeys)
  verdictPublicKeys = '';

  @Env('FLOW_TTL', asDurationSeconds)
  @Min(60)
  @Max(30 * 86_400)
  flowTtlSeconds = 3600;

  /** Submissions in one window: of one client address, of one flow, with one identifier; 0: any. */
  @Env('SUBMISSIONS_PER_ADDRESS', asInteger)
  @Min(0)
  submissionsPerAddress = 300;

  @Env('SUBMISSIONS_PER_FLOW', asInteger)
  @Min(0)
  submissionsPerFlow = 100;

  @Env('SUBMISSIONS_PER_IDENTIFIER', asInteger)
  @Min(0)
  submissionsPerIdentifier = 10;

  @Env('SUBMISSION_WINDOW', asDurationSeconds)
  @Min(1)
  @Max(86_400)
  submissionWindowSeconds = 600;

  /** Whether submissions are accepted while Redis cannot count them. */
  @Env('SUBMISSION_LIMIT_ON_ERROR')
  @IsIn(['open', 'closed'])
  submissionLimitOnError: 'open' | 'closed' = 'open';

  /** `hide`: a sign-up with a taken identifier is answered like one that succeeds. */
  @Env('SIGN_UP_ENUMERATION')
  @IsIn(['tell', 'hide'])
  signUpEnumeration: 'tell' | 'hide' = 'tell';

  /** Registers the schema `example` at start. */
  @Env('EXAMPLE_SCHEMA', asBoolean)
  exampleSchema = false;

  /** The time zone of times that people enter. */
  @Env('TIME_ZONE', asText)
  @Validate(TimeZone)
  timeZone = 'UTC';

  @Env('FORM_BODY_BYTES_MAX', asInteger)
  @Min(KIB)
  @Max(16 * KIB * KIB)
  formBodyBytesMax = 256 * KIB;

  @Env('MULTIPART_BODY_BYTES_MAX', asInteger)
  @Min(KIB)
  @Max(64 * KIB * KIB)
  multipartBodyBytesMax = KIB * KIB;

  @Env('FORM_FIELDS_MAX', asInteger)
  @Min(1)
  @Max(100_000)
  formFieldsMax = 1000;

  @Env('FIELD_NAME_BYTES_MAX', asInteger)
  @Min(16)
  @Max(64 * KIB)
  fieldNameBytesMax = 512;

  @Env('FIELD_VALUE_BYTES_MAX', asInteger)
  @Min(16)
  @Max(16 * KIB * KIB)
  fieldValueBytesMax = 64 * KIB;

  @Env('FORM_DEPTH_MAX', asInteger)
  @Min(1)
  @Max(64)
  formDepthMax = 16;

  /** Rows, of all lists together, up to which a form that was refused is shown again. */
  @Env('FORM_ROWS_SHOWN_MAX', asInteger)
  @Min(1)
  @Max(1000)
  formRowsShownMax = 100;

  @Env('SCHEMA_BYTES_MAX', asInteger)
  @Min(KIB)
  @Max(4 * KIB * KIB)
  schemaBytesMax = 256 * KIB;

  @Env('SCHEMA_DEPTH_MAX', asInteger)
  @Min(4)
  @Max(128)
  schemaDepthMax = 64;

  @Env('SCHEMA_PROPERTIES_MAX', asInteger)
  @Min(1)
  @Max(10_000)
  schemaPropertiesMax = 2000;

  /** The number of compiled schemas in the cache of a process. */
  @Env('SCHEMA_CACHE_MAX', asInteger)
  @Min(1)
  @Max(10_000)
  schemaCacheMax = 200;

  /** How long a replica may serve a version that another replica has replaced. */
  @Env('SCHEMA_CACHE_TTL', asDurationSeconds)
  @Min(0)
  @Max(3600)
  schemaCacheTtlSeconds = 5;

  /** Seal the secrets of webhook endpoints; without them, there can be none. */
  @Secret()
  @Env('ENCRYPTION_KEYS', asList)
  @ValidateIf(({ encryptionKeys }: IdentityFormsConfig) => encryptionKeys.length > 0)
  @Validate(IsKeyRing)
  encryptionKeys: string[] = [];

  /** How long attempts to deliver events are kept. */
  @Env('FORMS_WEBHOOK_LOGS_TTL', asDurationSeconds)
  @Min(86_400)
  @Max(100 * 365 * 86_400)
  webhookLogsTtlSeconds = 7 * 86_400;

  /** How long identity events are kept, by whole days. */
  @Env('FORMS_EVENTS_TTL', asDurationSeconds)
  @Min(86_400)
  @Max(100 * 365 * 86_400)
  eventsTtlSeconds = 90 * 86_400;
}

import { isTimeZone } from '@gatehouse/form-decoder';
import {
  asBoolean,
  asDurationSeconds,
  asInteger,
  asList,
  asText,
  Derived,
  Env,
  IsKeyRing,
  Secret,
} from '@gatehouse/kit/settings';
import { AdminConfig, AuditConfig, ClientsConfig, VerdictsConfig } from '@gatehouse/nest-kit/admin';
import { MessagesConfig, ServiceConfig } from '@gatehouse/nest-kit/config';
import {
  HasNoFault,
  IsWebAddress,
  ReturnUrlsConfig,
  type Theme,
  ThemeConfig,
  urlFault,
} from '@gatehouse/pages';
import {
  IsIn,
  IsOptional,
  Max,
  Min,
  Validate,
  ValidateIf,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';

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
class FormsThemeConfig extends ThemeConfig implements Theme {
  @Env('THEME_SIGN_IN_URL', 'Where pages send those who have an account', asText)
  @IsOptional()
  @HasNoFault(urlFault)
  signIn?: string;

  @Env('THEME_HOME_URL', 'Where thank-you and error pages lead', asText)
  @IsOptional()
  @HasNoFault(urlFault)
  home?: string;
}

/** How many forms people may submit. */
class SubmissionsConfig {
  @Env(
    'SUBMISSIONS_PER_ADDRESS',
    'Submissions of one client address in ten minutes; `0` turns the limit off, here and below',
    asInteger,
  )
  @Min(0)
  perAddress = 300;

  @Env('SUBMISSIONS_PER_FLOW', 'Submissions of one flow', asInteger)
  @Min(0)
  perFlow = 100;

  @Env('SUBMISSIONS_PER_IDENTIFIER', 'Submissions with one identifier', asInteger)
  @Min(0)
  perIdentifier = 10;

  @Env(
    'SUBMISSION_LIMIT_ON_ERROR',
    'While Redis cannot count: `open` accepts submissions, `closed` answers 503',
  )
  @IsIn(['open', 'closed'])
  onError: 'open' | 'closed' = 'open';
}

/** Settings of identity forms. */
export class IdentityFormsConfig extends ServiceConfig {
  @Env(
    'PUBLIC_URL',
    'The public URL of the pages, with the path prefix of a proxy; `https` makes cookies `Secure`. ' +
      'Without it, URLs use the Host of the request',
    asText,
  )
  @IsOptional()
  @Validate(IsWebAddress)
  publicUrl?: string;

  @Env('FLOW_TTL', 'Default flow lifetime', asDurationSeconds)
  @Min(60)
  @Max(30 * 86_400)
  flowTtlSeconds = 3600;

  @Env(
    'SIGN_UP_ENUMERATION',
    '`hide` answers a sign-up with a taken identifier like one that succeeds',
  )
  @IsIn(['tell', 'hide'])
  signUpEnumeration: 'tell' | 'hide' = 'tell';

  @Env('EXAMPLE_SCHEMA', 'Registers the schema `example` on start', asBoolean)
  exampleSchema = false;

  @Env('TIME_ZONE', 'The time zone of times that people enter', asText)
  @Validate(TimeZone)
  timeZone = 'UTC';

  @Secret()
  @Env(
    'ENCRYPTION_KEYS',
    'Comma-separated, each at least 32 characters: the first encrypts the secrets of webhook endpoints, ' +
      'all decrypt. Without them, there can be no endpoints',
    asList,
    Derived.FORMS_ENCRYPTION_KEYS,
  )
  @ValidateIf(({ encryptionKeys }: IdentityFormsConfig) => encryptionKeys.length > 0)
  @Validate(IsKeyRing)
  encryptionKeys: string[] = [];

  @Env(
    'FORMS_EVENTS_TTL',
    'How long identity events are kept, in whole days, and not before their endpoints have them',
    asDurationSeconds,
  )
  @Min(86_400)
  @Max(100 * 365 * 86_400)
  eventsTtlSeconds = 90 * 86_400;

  readonly messages = new MessagesConfig();
  readonly verdicts = new VerdictsConfig();
  readonly clients = new ClientsConfig();
  readonly audit = new AuditConfig();
  readonly admin = new AdminConfig();
  readonly submissions = new SubmissionsConfig();
  readonly returnUrls = new ReturnUrlsConfig();
  readonly theme = new FormsThemeConfig();
}

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
import {
  AdminConfig,
  AuditConfig,
  ClientsConfig,
  IsPrivateVerdictKey,
} from '@gatehouse/nest-kit/admin';
import { MessagesConfig, ServiceConfig } from '@gatehouse/nest-kit/config';
import { IsWebAddress, ReturnUrlsConfig, ThemeConfig } from '@gatehouse/pages';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsBoolean,
  IsIn,
  IsNotEmpty,
  IsOptional,
  Matches,
  Max,
  Min,
  Validate,
} from 'class-validator';
import { IsSecretPrefix, IsRetention, IsTrustedAddress } from './setting-rules.js';

const TTL_SECONDS_MAX = 10 * 365 * 86_400;
const PREFIXES_MAX = 100;
const DAY_SECONDS = 86_400;

export type SigningAlgorithm = 'EdDSA' | 'ES256' | 'RS256';

/** Settings of the key service. */
export class KeyServiceConfig extends ServiceConfig {
  @Env('SURFACE', '`all`; `admin` or `public` serves only that part, and other routes return 404')
  @IsIn(['all', 'admin', 'public'])
  surface: 'all' | 'admin' | 'public' = 'all';

  @Env('ISSUER', '`iss` of tokens, `issuer` of results')
  @IsNotEmpty()
  issuer = 'gatehouse';

  @Env(
    'AUDIENCE',
    'The audience that verifications expect of tokens when they name none; keys are valid too',
  )
  @IsOptional()
  @IsNotEmpty()
  audience?: string;

  @Secret()
  @Env(
    'HMAC_SECRETS',
    'At least 32 characters each, the current one first: checksums of issued secrets, HMACs of imported keys',
    asList,
    Derived.KEYS_HMAC_SECRETS,
  )
  @Validate(IsKeyRing)
  hmacSecrets: string[] = [];

  @Secret()
  @Env(
    'ENCRYPTION_KEYS',
    'At least 32 characters each, the current one first: encrypt the signing keys, and the secrets of ' +
      'webhook endpoints',
    asList,
    Derived.KEYS_ENCRYPTION_KEYS,
  )
  @Validate(IsKeyRing)
  encryptionKeys: string[] = [];

  @Secret()
  @Env(
    'VERDICT_SIGNING_KEY',
    'A private Ed25519 key in PEM (`openssl genpkey -algorithm ed25519`): signs ' +
      '[verdicts](docs/adr/0005-control-plane-messages.md) about administrators',
    asText,
    Derived.VERDICT_SIGNING_KEY,
  )
  @Validate(IsPrivateVerdictKey)
  verdictSigningKey = '';

  @Secret()
  @Env(
    'CONSOLE_ADMIN_KEY',
    'The key of the [console](docs/console.md), which is accepted like one of `ADMIN_API_KEYS`; at least 24 ' +
      'characters',
    asText,
    Derived.CONSOLE_ADMIN_KEY,
  )
  @IsOptional()
  @Matches(/^[\x21-\x7e]{24,}$/, { message: 'must have at least 24 characters, all visible ASCII' })
  consoleAdminKey?: string;

  @Env(
    'SECRET_PREFIX',
    'Prefixes that issuers may choose, such as one for each product, at most 100; the first is the default',
    asList,
  )
  @ArrayMinSize(1)
  @ArrayMaxSize(PREFIXES_MAX)
  @ArrayUnique()
  @Validate(IsSecretPrefix)
  secretPrefixes: string[] = ['gate_sk'];

  @Env('PUBLIC_PREFIX', 'The same for public keys', asList)
  @ArrayMinSize(1)
  @ArrayMaxSize(PREFIXES_MAX)
  @ArrayUnique()
  @Validate(IsSecretPrefix)
  publicPrefixes: string[] = ['gate_pk'];

  @Env('RETIRED_PREFIXES', 'Former prefixes, whose secrets are still accepted', asList)
  @Validate(IsSecretPrefix)
  retiredPrefixes: string[] = [];

  /** The prefixes of all secrets that are accepted. */
  get acceptedPrefixes(): readonly string[] {
    return [...this.secretPrefixes, ...this.publicPrefixes, ...this.retiredPrefixes];
  }

  @Env('MAX_TTL', 'Longer lifetimes return 400', asDurationSeconds)
  @Min(1)
  @Max(TTL_SECONDS_MAX)
  maxTtlSeconds = 8760 * 3600;

  @Env('DEFAULT_TTL', 'Lifetime of keys without a `ttl`; `0` means no expiry', asDurationSeconds)
  @Min(0)
  @Max(TTL_SECONDS_MAX)
  defaultTtlSeconds = 8760 * 3600;

  @Env('MAX_KEYS', 'Maximum number of live keys; one more returns 402', asInteger)
  @IsOptional()
  @Min(0)
  maxKeys?: number;

  @Env('CACHE_TTL', 'How long a key is cached; `0` disables the cache', asDurationSeconds)
  @Min(0)
  @Max(86_400)
  cacheTtlSeconds = 30;

  @Env(
    'SECRET_SCANNING_KEYS_URL',
    'Where GitHub publishes the keys that sign its reports of [leaked keys](docs/leaks.md); unset takes none',
  )
  @IsOptional()
  @Validate(IsTrustedAddress)
  secretScanningKeysUrl?: string;

  @Env(
    'LEAK_ACTION',
    'What a report does to a key, besides its event: `revoke`, or `notify` for nothing more',
  )
  @IsIn(['revoke', 'notify'])
  leakAction: 'revoke' | 'notify' = 'revoke';

  @Env(
    'EXTERNAL_URL',
    'Address of the public surface, with which addresses of the [portal](docs/portal.md) start; unset opens none',
    asText,
  )
  @IsOptional()
  @Validate(IsWebAddress)
  externalUrl?: string;

  @Env(
    'UNKNOWN_FIELDS',
    '`ignore` accepts fields and query parameters that do not exist; `refuse` returns 400',
  )
  @IsIn(['refuse', 'ignore'])
  unknownFields: 'refuse' | 'ignore' = 'refuse';

  @Env(
    'RATE_LIMIT_ON_ERROR',
    'Without Redis, `open` accepts limited requests and `closed` rejects them',
  )
  @IsIn(['open', 'closed'])
  rateLimitOnError: 'open' | 'closed' = 'open';

  @Env(
    'RATE_LIMIT_LEASES',
    '`false` makes every limit [strict](docs/limits.md#leases-and-how-exact-a-limit-is)',
    asBoolean,
  )
  @IsBoolean()
  rateLimitLeases = true;

  @Env('SIGNING_ALGORITHM', '`EdDSA`, `ES256` or `RS256`')
  @IsIn(['EdDSA', 'ES256', 'RS256'])
  signingAlgorithm: SigningAlgorithm = 'EdDSA';

  @Env(
    'SIGNING_KEY_MAX_AGE',
    'Older signing keys are replaced automatically; `0` disables this',
    asDurationSeconds,
  )
  @Min(0)
  signingKeyMaxAgeSeconds = 90 * DAY_SECONDS;

  @Env(
    'KEY_EXPIRING_THRESHOLDS',
    'How long before their expiry keys without `expiring_thresholds` are announced; at most ten',
    asDurationListSeconds,
  )
  @ArrayMaxSize(10)
  @Min(1, { each: true })
  @Max(TTL_SECONDS_MAX, { each: true })
  expiringThresholdsSeconds: number[] = [30 * DAY_SECONDS, 7 * DAY_SECONDS, DAY_SECONDS];

  @Env(
    'KEY_UNUSED_AFTER',
    'How long a key is not used before it is announced, at least `1d`; `0` announces none',
    asDurationSeconds,
  )
  @Max(TTL_SECONDS_MAX)
  @Validate(IsRetention)
  unusedAfterSeconds = 0;

  @Env(
    'KEY_EXPIRY_SCAN_INTERVAL',
    'How often a replica looks for keys that expire or are unused',
    asDurationSeconds,
  )
  @Min(1)
  @Max(86_400)
  expiryScanIntervalSeconds = 60;

  @Env(
    'KEY_EVENTS_TTL',
    'Key events are deleted after this time, at least `1d`, and not before their endpoints have them; ' +
      '`0` keeps them',
    asDurationSeconds,
  )
  @Max(100 * 365 * DAY_SECONDS)
  @Validate(IsRetention)
  eventsTtlSeconds = 90 * DAY_SECONDS;

  @Env(
    'USAGE_RECORDING',
    'Whether verifications are counted; see [usage](docs/usage.md)',
    asBoolean,
  )
  @IsBoolean()
  isUsageRecorded = true;

  readonly messages = new MessagesConfig();
  readonly clients = new ClientsConfig();
  readonly audit = new AuditConfig();
  readonly admin = new AdminConfig();
  readonly returnUrls = new ReturnUrlsConfig();
  readonly theme = new ThemeConfig();
}

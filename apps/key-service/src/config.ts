import {
  accentFault,
  HasNoFault,
  IsWebAddress,
  NAME_CHARACTERS_MAX,
  urlFault,
} from '@gatehouse/pages';
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
import { AdminServiceConfig, IsPrivateVerdictKey } from '@gatehouse/nest-kit/admin';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsBoolean,
  IsIn,
  IsNotEmpty,
  IsOptional,
  Max,
  MaxLength,
  Min,
  Validate,
} from 'class-validator';
import { IsSecretPrefix, IsRetention, IsTrustedAddress } from './setting-rules.js';

const TTL_SECONDS_MAX = 10 * 365 * 86_400;
const MIB = 1024 * 1024;
const PREFIXES_MAX = 100;
const DAY_SECONDS = 86_400;

export type SigningAlgorithm = 'EdDSA' | 'ES256' | 'RS256';

/** Settings of the key service; docs/key-service.md explains each of them. */
export class KeyServiceConfig extends AdminServiceConfig {
  @Env('SURFACE')
  @IsIn(['all', 'admin', 'public'])
  surface: 'all' | 'admin' | 'public' = 'all';

  /** `iss` of derived tokens and `issuer` of verification results. */
  @Env('ISSUER')
  @IsNotEmpty()
  issuer = 'gatehouse';

  /** Expected of tokens with an audience by verifications that name none. */
  @Env('AUDIENCE')
  @IsOptional()
  @IsNotEmpty()
  audience?: string;

  @Secret()
  @Env('HMAC_SECRETS', asList)
  @Validate(IsKeyRing)
  hmacSecrets: string[] = [];

  @Secret()
  @Env('ENCRYPTION_KEYS', asList)
  @Validate(IsKeyRing)
  encryptionKeys: string[] = [];

  /** Signs verdicts about administrators; the other services have its public key. */
  @Secret()
  @Env('VERDICT_SIGNING_KEY')
  @Validate(IsPrivateVerdictKey)
  verdictSigningKey = '';

  /** Prefixes that issuers may choose, such as one for each product; the first is the default. */
  @Env('SECRET_PREFIX', asList)
  @ArrayMinSize(1)
  @ArrayMaxSize(PREFIXES_MAX)
  @ArrayUnique()
  @Validate(IsSecretPrefix)
  secretPrefixes: string[] = ['gate_sk'];

  @Env('PUBLIC_PREFIX', asList)
  @ArrayMinSize(1)
  @ArrayMaxSize(PREFIXES_MAX)
  @ArrayUnique()
  @Validate(IsSecretPrefix)
  publicPrefixes: string[] = ['gate_pk'];

  /** Former prefixes, whose secrets are still accepted. */
  @Env('RETIRED_PREFIXES', asList)
  @Validate(IsSecretPrefix)
  retiredPrefixes: string[] = [];

  /** The prefixes of all secrets that are accepted. */
  get acceptedPrefixes(): readonly string[] {
    return [...this.secretPrefixes, ...this.publicPrefixes, ...this.retiredPrefixes];
  }

  @Env('MAX_TTL', asDurationSeconds)
  @Min(1)
  @Max(TTL_SECONDS_MAX)
  maxTtlSeconds = 8760 * 3600;

  /** Applies to keys without a ttl; 0 means that they do not expire. */
  @Env('DEFAULT_TTL', asDurationSeconds)
  @Min(0)
  @Max(TTL_SECONDS_MAX)
  defaultTtlSeconds = 8760 * 3600;

  @Env('DERIVE_TTL', asDurationSeconds)
  @Min(1)
  @Max(TTL_SECONDS_MAX)
  deriveTtlSeconds = 3600;

  /** The maximum number of live keys; unlimited when unset. */
  @Env('MAX_KEYS', asInteger)
  @IsOptional()
  @Min(0)
  maxKeys?: number;

  @Env('CACHE_TTL', asDurationSeconds)
  @Min(0)
  @Max(86_400)
  cacheTtlSeconds = 30;

  @Env('CACHE_ENTRIES_MAX', asInteger)
  @Min(1)
  @Max(10_000_000)
  cacheEntriesMax = 100_000;

  @Env('CACHE_BYTES_MAX', asInteger)
  @Min(MIB)
  cacheBytesMax = 256 * MIB;

  /** Raw keys with fewer characters are not imported. */
  @Env('IMPORT_LENGTH_MIN', asInteger)
  @Min(1)
  @Max(4096)
  importLengthMin = 8;

  /** How much of a core the checks of imported slow hashes may use. */
  @Env('IMPORTED_HASH_CPU_PERCENT', asInteger)
  @Min(1)
  @Max(100)
  importedHashCpuPercent = 25;

  /** How often one client may try to revoke a key as its holder, each minute. */
  @Env('SELF_REVOKE_LIMIT', asInteger)
  @Min(1)
  @Max(1_000_000)
  selfRevokeLimit = 30;

  /** Where GitHub publishes the keys that sign its reports of leaked keys; unset takes none. */
  @Env('SECRET_SCANNING_KEYS_URL')
  @IsOptional()
  @Validate(IsTrustedAddress)
  secretScanningKeysUrl?: string;

  /** What happens to a key that is reported as leaked, besides its event. */
  @Env('LEAK_ACTION')
  @IsIn(['revoke', 'notify'])
  leakAction: 'revoke' | 'notify' = 'revoke';

  /** The address of the public surface, with which the addresses of the portal start. */
  @Env('EXTERNAL_URL', asText)
  @IsOptional()
  @Validate(IsWebAddress)
  externalUrl?: string;

  /** Where portal pages may lead back to; any https address when empty. */
  @Env('ALLOWED_RETURN_URLS', asList)
  @Validate(IsWebAddress, { each: true })
  allowedReturnUrls: string[] = [];

  /** The look and the links of portal pages. */
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

  /** What happens to fields and query parameters that do not exist. */
  @Env('UNKNOWN_FIELDS')
  @IsIn(['refuse', 'ignore'])
  unknownFields: 'refuse' | 'ignore' = 'refuse';

  @Env('RATE_LIMIT_ON_ERROR')
  @IsIn(['open', 'closed'])
  rateLimitOnError: 'open' | 'closed' = 'open';

  /** Whether processes count hot keys from leases; otherwise every limit is strict. */
  @Env('RATE_LIMIT_LEASES', asBoolean)
  @IsBoolean()
  rateLimitLeases = true;

  @Env('SIGNING_ALGORITHM')
  @IsIn(['EdDSA', 'ES256', 'RS256'])
  signingAlgorithm: SigningAlgorithm = 'EdDSA';

  /** Older signing keys are replaced automatically; 0 turns that off. */
  @Env('SIGNING_KEY_MAX_AGE', asDurationSeconds)
  @Min(0)
  signingKeyMaxAgeSeconds = 90 * 86_400;

  /** How long before their expiry keys are announced, with an event each. */
  @Env('KEY_EXPIRING_THRESHOLDS', asDurationListSeconds)
  @ArrayMaxSize(10)
  @Min(1, { each: true })
  @Max(TTL_SECONDS_MAX, { each: true })
  expiringThresholdsSeconds: number[] = [30 * DAY_SECONDS, 7 * DAY_SECONDS, DAY_SECONDS];

  /** How long a key is not used before it is announced; 0 announces none. */
  @Env('KEY_UNUSED_AFTER', asDurationSeconds)
  @Max(TTL_SECONDS_MAX)
  @Validate(IsRetention)
  unusedAfterSeconds = 0;

  @Env('KEY_EXPIRY_SCAN_INTERVAL', asDurationSeconds)
  @Min(1)
  @Max(86_400)
  expiryScanIntervalSeconds = 60;

  /** Older key events are deleted; 0 keeps them forever. */
  @Env('KEY_EVENTS_TTL', asDurationSeconds)
  @Max(100 * 365 * DAY_SECONDS)
  @Validate(IsRetention)
  eventsTtlSeconds = 90 * DAY_SECONDS;

  /** Older attempts to deliver key events are deleted; 0 keeps them forever. */
  @Env('KEY_WEBHOOK_LOGS_TTL', asDurationSeconds)
  @Max(100 * 365 * DAY_SECONDS)
  @Validate(IsRetention)
  webhookLogsTtlSeconds = 7 * DAY_SECONDS;

  /** Whether verifications are counted by key, actor, outcome, tag and limit. */
  @Env('USAGE_RECORDING', asBoolean)
  @IsBoolean()
  isUsageRecorded = true;

  /** Older counts by minute are deleted; 0 keeps them forever, here and below. */
  @Env('USAGE_MINUTES_TTL', asDurationSeconds)
  @Max(100 * 365 * DAY_SECONDS)
  @Validate(IsRetention)
  usageMinutesTtlSeconds = 2 * DAY_SECONDS;

  @Env('USAGE_HOURS_TTL', asDurationSeconds)
  @Max(100 * 365 * DAY_SECONDS)
  @Validate(IsRetention)
  usageHoursTtlSeconds = 90 * DAY_SECONDS;

  @Env('USAGE_DAYS_TTL', asDurationSeconds)
  @Max(100 * 365 * DAY_SECONDS)
  @Validate(IsRetention)
  usageDaysTtlSeconds = 2 * 365 * DAY_SECONDS;
}

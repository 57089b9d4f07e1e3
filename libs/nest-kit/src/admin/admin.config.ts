import {
  IsIn,
  IsOptional,
  Matches,
  Max,
  MinLength,
  Validate,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { type ClientAddressOptions, type ClientAddressSource } from '@gatehouse/kit/clients';
import { asDurationSeconds, asList, asText, Derived, Env, Secret } from '@gatehouse/kit/settings';
import { AreNetworks, ProxiesRequiredForHeader } from '../http/trusted-proxies.constraint.js';
import { ArePublicVerdictKeys } from './verdict-key.constraint.js';

const DAY_SECONDS = 86_400;
/** The database refuses to delete younger audit events; see the migrations of the audit tables. */
const AUDIT_TTL_DAYS_MIN = 7;

@ValidatorConstraint({ name: 'auditTtl' })
class IsAuditTtl implements ValidatorConstraintInterface {
  validate(seconds: number): boolean {
    return seconds === 0 || seconds >= AUDIT_TTL_DAYS_MIN * DAY_SECONDS;
  }

  defaultMessage(): string {
    return `must be 0, or at least ${AUDIT_TTL_DAYS_MIN}d`;
  }
}

/** Where the addresses of clients come from. */
export class ClientsConfig implements ClientAddressOptions {
  @Env(
    'CLIENT_IP_SOURCE',
    'Where the address of a client is read: `socket`, or `x-forwarded-for` or `x-real-ip`, which are ' +
      'accepted only from `TRUSTED_PROXIES`. For limits, keys that are bound to addresses, and the audit log',
  )
  @IsIn(['socket', 'x-forwarded-for', 'x-real-ip'])
  clientIpSource: ClientAddressSource = 'socket';

  @Env('TRUSTED_PROXIES', 'Networks (CIDR) of the proxies in front, comma-separated', asList)
  @Validate(ProxiesRequiredForHeader)
  @Validate(AreNetworks)
  trustedProxies: string[] = [];
}

/** How long the audit log is kept. */
export class AuditConfig {
  @Env(
    'AUDIT_TTL',
    'Audit events are deleted after this time, at least `7d`; `0` keeps them',
    asDurationSeconds,
  )
  @Max(100 * 365 * DAY_SECONDS)
  @Validate(IsAuditTtl)
  ttlSeconds = 400 * DAY_SECONDS;
}

/** Static keys of an admin surface. */
export class AdminKeysConfig {
  @Secret()
  @Env(
    'ADMIN_API_KEYS',
    "Keys of the admin API, and of the worker's [queue board](docs/operations.md#queue-board), " +
      'at least 24 characters each, comma-separated; without one, there is no board',
    asList,
  )
  @Matches(/^[\x21-\x7e]*$/, {
    each: true,
    message: 'each key must be visible ASCII, or no header could carry it',
  })
  @MinLength(24, { each: true, message: 'each key must have at least 24 characters' })
  keys: string[] = [];
}

/** Access to an admin surface; see docs/architecture.md, "Access control". */
export class AdminConfig extends AdminKeysConfig {
  @Env('ADMIN_AUTH', '`none` turns authentication off, for an authenticating proxy in front')
  @IsOptional()
  @IsIn(['none'])
  auth?: 'none';

  /** Who is accepted without a credential while there are no keys. */
  get mode(): 'none' | 'protected' | 'closed' {
    return this.auth === 'none' ? 'none' : 'protected';
  }
}

/** The verdicts about administrators that a service accepts. */
export class VerdictsConfig {
  @Env(
    'VERDICT_PUBLIC_KEYS',
    "The public key of the key service's `VERDICT_SIGNING_KEY`, in PEM; several during a rotation",
    asText,
    Derived.VERDICT_PUBLIC_KEYS,
  )
  @Validate(ArePublicVerdictKeys)
  publicKeys = '';
}

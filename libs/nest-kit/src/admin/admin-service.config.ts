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
import { Env, Secret } from '@gatehouse/kit/settings';
import { MessagingServiceConfig } from '../config/service.config.js';
import { asDurationSeconds, asList } from '@gatehouse/kit/settings';
import { type ClientAddressSource } from '@gatehouse/kit/clients';
import { AreNetworks, ProxiesRequiredForHeader } from '../http/trusted-proxies.constraint.js';

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

/** Settings of a service with a guarded surface: its clients and its audit log. */
export class GuardedServiceConfig extends MessagingServiceConfig {
  @Env('CLIENT_IP_SOURCE')
  @IsIn(['socket', 'x-forwarded-for', 'x-real-ip'])
  clientIpSource: ClientAddressSource = 'socket';

  @Env('TRUSTED_PROXIES', asList)
  @Validate(ProxiesRequiredForHeader)
  @Validate(AreNetworks)
  trustedProxies: string[] = [];

  /** Older audit events are deleted; 0 keeps them forever. */
  @Env('AUDIT_TTL', asDurationSeconds)
  @Max(100 * 365 * DAY_SECONDS)
  @Validate(IsAuditTtl)
  auditTtlSeconds = 400 * DAY_SECONDS;
}

/** Settings of a service with an admin surface; see docs/architecture.md, "Access control". */
export class AdminServiceConfig extends GuardedServiceConfig {
  @Secret()
  @Env('ADMIN_API_KEYS', asList)
  @Matches(/^[\x21-\x7e]*$/, {
    each: true,
    message: 'each key must be visible ASCII, or no header could carry it',
  })
  @MinLength(24, { each: true, message: 'each key must have at least 24 characters' })
  adminApiKeys: string[] = [];

  @Env('ADMIN_AUTH')
  @IsOptional()
  @IsIn(['none'])
  adminAuth?: 'none';
}

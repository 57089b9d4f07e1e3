import {
  type ValidationArguments,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { parseRedisUrl } from '../redis/redis-target.js';

const PEM_MESSAGE = 'must be certificates in PEM; REDIS_TLS_CA_FILE names a file';

/** An address of one Redis, of a group under Sentinel, or of a Cluster. */
@ValidatorConstraint({ name: 'redisUrl' })
export class IsRedisUrl implements ValidatorConstraintInterface {
  validate(url: string): boolean {
    return parseRedisUrl(url) !== undefined;
  }

  defaultMessage(): string {
    return (
      'must be redis://host:port, redis-sentinel://host:port,host:port/masterName or ' +
      'redis-cluster://host:port,host:port; over TLS rediss, rediss-sentinel or rediss-cluster'
    );
  }
}

/** Certificates in PEM, which only a connection over TLS is verified with. */
@ValidatorConstraint({ name: 'redisTlsCa' })
export class IsTlsAuthority implements ValidatorConstraintInterface {
  validate(pem: string, { object }: ValidationArguments): boolean {
    if (pem === '') return true;
    const { url } = object as { url: string };
    return isPem(pem) && parseRedisUrl(url)?.isEncrypted === true;
  }

  defaultMessage({ value }: ValidationArguments): string {
    if (!isPem(value as string)) return PEM_MESSAGE;
    return 'has no effect, because REDIS_URL does not begin with rediss';
  }
}

function isPem(text: string): boolean {
  return text.includes('-----BEGIN CERTIFICATE-----');
}

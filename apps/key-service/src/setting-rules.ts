/** Rules for the settings of the key service. */
import { isSecretPrefix } from '@gatehouse/crypto';
import { parseUrl } from '@gatehouse/kit/input';
import { ValidatorConstraint, type ValidatorConstraintInterface } from 'class-validator';

const DAY_SECONDS = 86_400;

@ValidatorConstraint({ name: 'secretPrefix' })
export class IsSecretPrefix implements ValidatorConstraintInterface {
  validate(value: string | string[]): boolean {
    return [value].flat().every(isSecretPrefix);
  }

  defaultMessage(): string {
    return 'must be lower-case words joined by underscores, such as gate_sk';
  }
}

@ValidatorConstraint({ name: 'retention' })
export class IsRetention implements ValidatorConstraintInterface {
  validate(seconds: number): boolean {
    return seconds === 0 || seconds >= DAY_SECONDS;
  }

  defaultMessage(): string {
    return 'must be 0, or at least 1d';
  }
}

/** Whether an address is of https, or of http on this machine. */
export function isTrustedAddress(text: string): boolean {
  const url = parseUrl(text);
  const isLocal = ['127.0.0.1', '[::1]', 'localhost'].includes(url?.hostname ?? '');
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal);
}

@ValidatorConstraint({ name: 'trustedAddress' })
export class IsTrustedAddress implements ValidatorConstraintInterface {
  validate(value: string): boolean {
    return isTrustedAddress(value);
  }

  defaultMessage(): string {
    return 'must be an https address';
  }
}

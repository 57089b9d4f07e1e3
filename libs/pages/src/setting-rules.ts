/** Rules for the settings of services that show pages. */
import { parseUrl } from '@gatehouse/kit/input';
import {
  ValidateBy,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { withoutAnyPort } from './return-address.js';

/** Refuses a text with the fault that a rule of themes finds in it. */
export function HasNoFault(faultOf: (text: string) => string | undefined): PropertyDecorator {
  return ValidateBy({
    name: faultOf.name,
    validator: {
      validate: (value) => typeof value === 'string' && faultOf(value) === undefined,
      defaultMessage: (failed) => faultOf(String(failed?.value)) ?? '',
    },
  });
}

@ValidatorConstraint({ name: 'webAddress' })
export class IsWebAddress implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    const url = typeof value === 'string' ? parseUrl(value) : undefined;
    if (!url) return false;
    const { protocol, username, password, search, hash } = url;
    const isWeb = protocol === 'https:' || protocol === 'http:';
    return isWeb && username === '' && password === '' && search === '' && hash === '';
  }

  defaultMessage(): string {
    return 'must be an http or https address without query, fragment and credentials';
  }
}

@ValidatorConstraint({ name: 'returnAddress' })
export class IsReturnAddress extends IsWebAddress {
  override validate(value: unknown): boolean {
    return super.validate(typeof value === 'string' ? withoutAnyPort(value) : value);
  }
}

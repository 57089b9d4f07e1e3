import { ValidatorConstraint, type ValidatorConstraintInterface } from 'class-validator';
import { arePublicVerdictKeys, isPrivateVerdictKey } from './admin-verdict.js';

/** `@Validate(IsPrivateVerdictKey)`: a private Ed25519 key in PEM. */
@ValidatorConstraint({ name: 'privateVerdictKey' })
export class IsPrivateVerdictKey implements ValidatorConstraintInterface {
  validate(pem: string): boolean {
    return isPrivateVerdictKey(pem);
  }

  defaultMessage(): string {
    return 'must be a private Ed25519 key in PEM (openssl genpkey -algorithm ed25519)';
  }
}

/** `@Validate(ArePublicVerdictKeys)`: one or more public Ed25519 keys in PEM. */
@ValidatorConstraint({ name: 'publicVerdictKeys' })
export class ArePublicVerdictKeys implements ValidatorConstraintInterface {
  validate(pems: string): boolean {
    return arePublicVerdictKeys(pems);
  }

  defaultMessage(): string {
    return 'must be the public key of VERDICT_SIGNING_KEY in PEM (openssl pkey -pubout)';
  }
}

import { KeyRing } from '@gatehouse/crypto';
import { ValidatorConstraint, type ValidatorConstraintInterface } from 'class-validator';

/** Accepts lists of texts that form a valid key ring: `@Validate(IsKeyRing)`. */
@ValidatorConstraint({ name: 'keyRing' })
export class IsKeyRing implements ValidatorConstraintInterface {
  validate(texts: string[]): boolean {
    try {
      KeyRing.fromTexts(texts);
      return true;
    } catch {
      return false;
    }
  }

  defaultMessage(): string {
    return 'must list one or more different secrets of at least 32 characters, the one in use first';
  }
}

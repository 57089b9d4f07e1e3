import { DomainError, type FieldViolation } from '../errors/domain-error.js';
import { KitErrors } from '../errors/kit.errors.js';

/** Writes the message of an error from its violations. */
export type ViolationMessage = (violations: readonly FieldViolation[]) => string;

/** A 400 that names the fields at fault. */
export function invalidInput(
  violations: readonly FieldViolation[],
  message: ViolationMessage = listViolations,
): DomainError {
  return new DomainError(KitErrors.INVALID_ARGUMENT, {
    message: message(violations),
    violations,
  });
}

/** A 400 for one field. To report all faults of a request, use `InputReader`. */
export function invalidField(field: string, description: string): DomainError {
  return invalidInput([{ field, description }]);
}

function listViolations(violations: readonly FieldViolation[]): string {
  return violations.map(({ field, description }) => `${field}: ${description}`).join('; ');
}

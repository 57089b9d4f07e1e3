export {
  DomainError,
  type DomainErrorOptions,
  type ErrorCode,
  type ErrorKind,
  type FieldViolation,
  errorCodes,
} from './domain-error.js';
export { KitErrors } from './kit.errors.js';
export { isUnavailable, toDomainError } from './to-domain-error.js';

import {
  type FieldError,
  FormError,
  type JsonReadOptions,
  type JsonValue,
  parseJson,
} from '@gatehouse/form-decoder';
import { DomainError, type ErrorCode, KitErrors } from '@gatehouse/kit/errors';
import { jsonFaultOf } from '@gatehouse/kit/input';
import { FormsErrors } from '../errors.js';

/** The DomainError for a form that cannot be read at all. */
function fromFormError(error: FormError, message = error.message): DomainError {
  const { name } = error.params;
  return new DomainError(errorOf(error.code), {
    message,
    violations: typeof name === 'string' ? [{ field: name, description: message }] : undefined,
    metadata: metadataOf(error.params),
    cause: error,
  });
}

/** The error of a decoder code: `limit.fields` becomes LIMIT_FIELDS. */
function errorOf(code: string): ErrorCode {
  const name = code.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();
  return FormsErrors[name as keyof typeof FormsErrors] ?? KitErrors.INVALID_ARGUMENT;
}

/** Message parameters as the strings that error metadata holds. */
function metadataOf(params: Readonly<Record<string, JsonValue>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

/** The message about values that do not fit, if their names seem to be the reason. */
export function refusalMessage(
  errors: readonly FieldError[],
  ignored: readonly string[],
): string | undefined {
  const name = ignored.find((each) => errors.some((error) => error.name === `traits.${each}`));
  if (name === undefined) return undefined;
  const { message } = FormsErrors.FORM_REFUSED;
  return `${message} Names of fields begin with "traits.", as in "traits.${name}".`;
}

/** Runs a reader of the decoder and converts its errors. */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormError) throw fromFormError(error);
    throw error;
  }
}

/** Reads JSON and converts the errors; that of a malformed text says where, without repeating it. */
export function readingJson(body: Uint8Array, options: JsonReadOptions): JsonValue {
  try {
    return parseJson(body, options);
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
    const place = error.code === 'json' ? jsonFaultOf(new TextDecoder().decode(body)) : undefined;
    throw fromFormError(error, place && `The JSON text is malformed: ${place}.`);
  }
}

/**
 * Refuses a form that is over a limit as a whole, rather than one of its values.
 * @throws DomainError `payload_too_large` or `invalid_argument` for a limit among the conflicts
 */
export function refuseLimits(conflicts: readonly FieldError[]): void {
  const excess = conflicts.find(({ code }) => code.startsWith('limit.'));
  if (!excess) {
    return;
  }
  const { message } = excess;
  throw new DomainError(errorOf(excess.code), {
    message,
    violations: [{ field: excess.name, description: message }],
    metadata: metadataOf(excess.params),
  });
}

import { type FieldError, FormError, type JsonValue } from '@gatehouse/form-decoder';
import { DomainError } from '@gatehouse/service-kit';

/** The DomainError for a form that cannot be read at all. */
function fromFormError(error: FormError): DomainError {
  const kind = error.status === 413 ? 'payload_too_large' : 'invalid_argument';
  return new DomainError(kind, errorCode(error.code), error.message, {
    metadata: metadataOf(error.params),
    cause: error,
  });
}

/** The error code of a decoder code: `limit.fields` becomes LIMIT_FIELDS. */
export function errorCode(code: string): string {
  return code.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();
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

/** Runs a reader of the decoder and converts its errors. */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormError) throw fromFormError(error);
    throw error;
  }
}

/** Limits of size answer 413; limits of shape answer 400. */
const SIZE_LIMITS: ReadonlySet<string> = new Set(['limit.fields', 'limit.name', 'limit.value']);

/**
 * Refuses a form that is over a limit as a whole, rather than one of its values.
 * @throws DomainError `payload_too_large` or `invalid_argument` for a limit among the conflicts
 */
export function refuseLimits(conflicts: readonly FieldError[]): void {
  const excess = conflicts.find(({ code }) => code.startsWith('limit.'));
  if (!excess) return;
  throw new DomainError(
    SIZE_LIMITS.has(excess.code) ? 'payload_too_large' : 'invalid_argument',
    errorCode(excess.code),
    excess.message,
    {
      violations: [{ field: excess.name, description: excess.message }],
      metadata: metadataOf(excess.params),
    },
  );
}

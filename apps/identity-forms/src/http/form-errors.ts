import { type FieldError, FormError, type JsonValue } from '@gatehouse/form-decoder';
import { DomainError } from '@gatehouse/service-kit';

/** A form that cannot be read as a whole, as the error that the protocol answers with. */
function fromFormError(error: FormError): DomainError {
  const kind = error.status === 413 ? 'payload_too_large' : 'invalid_argument';
  return new DomainError(kind, errorCode(error.code), error.message, {
    metadata: metadataOf(error.params),
    cause: error,
  });
}

/** `limit.fields` as the code of an error: LIMIT_FIELDS. */
export function errorCode(code: string): string {
  return code.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();
}

/** Parameters of a message as the texts that an error carries. */
function metadataOf(params: Readonly<Record<string, JsonValue>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

/** Runs a reader of the decoder; what it throws becomes a domain error. */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormError) throw fromFormError(error);
    throw error;
  }
}

/** Limits of size; the others are of shape. The readers of bodies make the same difference. */
const SIZE_LIMITS: ReadonlySet<string> = new Set(['limit.fields', 'limit.name', 'limit.value']);

/**
 * Too deep or too many rows: the request as a whole is too much, not one value in it wrong.
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

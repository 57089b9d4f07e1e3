import { FormError, type JsonValue } from '@gatehouse/form-decoder';
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
export function metadataOf(params: Readonly<Record<string, JsonValue>>): Record<string, string> {
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

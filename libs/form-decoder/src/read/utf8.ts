import { Buffer, isUtf8 } from 'node:buffer';
import { FormError } from '../model/form-decoder.errors.js';

/**
 * The text of UTF-8 bytes. Throws FormError `encoding` (400) for other bytes instead of replacing
 * them, so that what is stored is what was sent.
 */
export function textOfUtf8(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw encodingError();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

export function encodingError(): FormError {
  return new FormError('encoding', 400, 'The form is not encoded in UTF-8.');
}

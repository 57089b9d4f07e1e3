/** Checks of media type, charset and content coding. Only UTF-8 is accepted. */
import { DomainError } from '@gatehouse/kit/errors';
import { type IncomingHttpHeaders } from 'node:http';
import { FormsErrors } from '../errors.js';

const PARAMETERS = /^[^;]*(?:;\s*(?:[^\s;="]+\s*=\s*(?:"[^"]*"|[^\s;"]+)\s*)?)*$/;
const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]+))/i;

/** The type alone, in lower case. */
export function mediaTypeOf(contentType: string): string {
  const end = contentType.indexOf(';');
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/**
 * Refuses a charset other than UTF-8, and parameters with broken syntax.
 * @throws DomainError `unsupported_media_type`
 */
export function checkParameters(contentType: string): void {
  if (!PARAMETERS.test(contentType)) {
    throw new DomainError(FormsErrors.MEDIA_TYPE_PARAMETER);
  }
  const match = CHARSET.exec(contentType);
  if (!match) return;
  const charset = match[1] ?? match[2] ?? '';
  if (/^utf-?8$/i.test(charset)) return;
  const named = charset.slice(0, 40);
  const message = `The charset of a body must be UTF-8, not "${named}".`;
  throw new DomainError(FormsErrors.CHARSET, { message });
}

/** Compressed bodies are not accepted. @throws DomainError `unsupported_media_type` */
export function checkContentCoding(headers: IncomingHttpHeaders): void {
  const coding = headers['content-encoding'];
  if (coding === undefined || /^\s*(?:identity)?\s*$/i.test(coding)) return;
  const named = coding.slice(0, 40);
  const message = `Send the body without the content coding "${named}".`;
  throw new DomainError(FormsErrors.CONTENT_ENCODING, { message });
}

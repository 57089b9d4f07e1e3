/** Errors as pages that say what to do. */
import { GatehouseError } from '@gatehouse/client';
import { DomainError } from '@gatehouse/kit/errors';
import { type Language, type Notice } from '@gatehouse/pages';
import { ConsoleErrors } from '../errors.js';
import { signInTexts } from '../texts/sign-in.texts.js';
import { siteTexts } from '../texts/site.texts.js';

const BY_STATUS = {
  401: ConsoleErrors.FORBIDDEN,
  403: ConsoleErrors.FORBIDDEN,
  404: ConsoleErrors.NOT_FOUND,
  409: ConsoleErrors.CONFLICT,
  412: ConsoleErrors.CONFLICT,
  429: ConsoleErrors.TOO_MANY,
} as const;

/** The error of a service as an error of the console, with its message, which names the field. */
export function consoleError(error: unknown): unknown {
  if (!(error instanceof GatehouseError)) return error;
  const { status, message, retryAfterSeconds } = error;
  const known = Object.hasOwn(BY_STATUS, status) && BY_STATUS[status as keyof typeof BY_STATUS];
  const definition = known || (status < 500 ? ConsoleErrors.REFUSED : ConsoleErrors.UNAVAILABLE);
  return new DomainError(definition, { message, retryAfterSeconds, cause: error });
}

export function noticeOf(
  { httpStatus, definition }: DomainError,
  language: Language,
): Notice & { isDetailed?: boolean } {
  const { errors } = siteTexts(language);
  const signIn = signInTexts(language);
  if (definition === ConsoleErrors.FORM_REFUSED) return errors.foreign;
  if (definition === ConsoleErrors.NO_ROLE) return signIn.noRole;
  if (definition === ConsoleErrors.SIGN_IN_FAILED) return signIn.failed;
  if (definition === ConsoleErrors.PROVIDER_UNAVAILABLE) return signIn.unavailable;
  if (httpStatus === 404 || httpStatus === 405) return errors.notFound;
  if (httpStatus === 403) return { ...errors.forbidden, isDetailed: true };
  if (httpStatus === 409) return { ...errors.conflict, isDetailed: true };
  if (httpStatus === 429) return errors.tooMany;
  if (httpStatus < 500) return { ...errors.refused, isDetailed: true };
  return httpStatus === 503 ? { ...errors.unavailable, isDetailed: true } : errors.failed;
}

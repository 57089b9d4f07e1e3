/** Errors of setup pages, as pages. */
import { type Language, type Notice } from '@gatehouse/pages';
import { type DomainError, errorCodes } from '@gatehouse/kit/errors';
import { type ErrorProtocol } from '@gatehouse/nest-kit/errors';
import { type SetupVisits } from './setup-visit.js';
import { setupTexts } from './texts/texts.js';

export const ConsentErrors = errorCodes({
  CONSENT_OF_OTHERS: {
    kind: 'permission_denied',
    message: 'Another browser, or a session that has ended, began this consent.',
  },
});

/** @param headers in addition to those of pages */
export function setupErrors(
  visits: SetupVisits,
  headers: Readonly<Record<string, string>> = {},
): ErrorProtocol {
  return visits.errors({ noticeOf, headers });
}

function noticeOf(
  { httpStatus, code }: DomainError,
  language: Language,
): Notice & { isDetailed?: boolean } {
  const texts = setupTexts(language);
  if (code === ConsentErrors.CONSENT_OF_OTHERS.code) return texts.foreign;
  if (httpStatus === 410) return texts.gone;
  if (httpStatus === 404 || httpStatus === 405) return texts.notFound;
  if (httpStatus === 403) return texts.forbidden;
  // As many tokens as allowed: the message is for the people who sent the link.
  if (httpStatus === 409) return { ...texts.failed, isDetailed: true };
  if (httpStatus === 429) return texts.tooMany;
  return httpStatus < 500 ? texts.unreadable : texts.failed;
}

/** Advice after a refused request: the setting that an administrator changes in the provider. */
import { type GuideLanguage, type ScimGuide } from './guide.types.js';
import { guideTexts } from './sentences.js';
import { type AdviceCode } from './texts/guide-texts.js';

export interface RefusedAnswer {
  status: number;
  /** RFC 7644, table 9. */
  scimType: string | null;
}

const BY_SCIM_TYPE: Readonly<Record<string, AdviceCode>> = {
  uniqueness: 'duplicate',
  invalidFilter: 'filter',
  tooMany: 'filter',
  invalidValue: 'value',
  invalidPath: 'value',
  noTarget: 'value',
  invalidSyntax: 'syntax',
  mutability: 'readOnly',
};

const BY_STATUS: Readonly<Record<number, AdviceCode>> = {
  401: 'token',
  403: 'forbidden',
  405: 'address',
  409: 'duplicate',
  413: 'tooLarge',
  429: 'tooMany',
};

export function adviceCode({ status, scimType }: RefusedAnswer): AdviceCode {
  if (status >= 500) return 'server';
  const byType = scimType === null ? undefined : BY_SCIM_TYPE[scimType];
  return byType ?? BY_STATUS[status] ?? (status === 400 ? 'value' : 'other');
}

/** A sentence or two in the words of the provider, with names in `**`. */
export function adviceFor(
  guide: ScimGuide,
  answer: RefusedAnswer,
  language: GuideLanguage,
): string {
  return guideTexts(language).advice[adviceCode(answer)](guide.words);
}

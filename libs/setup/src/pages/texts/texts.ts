import { type Language } from '@gatehouse/pages';
import { ENGLISH } from './english.js';
import { FRENCH } from './french.js';
import { GERMAN } from './german.js';
import { CONSENT_PROBLEMS, type ConsentProblem, type SetupTexts } from './setup-texts.js';
import { SPANISH } from './spanish.js';

export { CONSENT_PROBLEMS, type ConsentProblem };
export type { SetupTexts };

const CATALOGS: Readonly<Record<Language, SetupTexts>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
};

export function setupTexts(language: Language): SetupTexts {
  return CATALOGS[language];
}

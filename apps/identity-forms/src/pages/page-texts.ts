import { type Language } from '@gatehouse/form-decoder';
import { ENGLISH } from './texts/english.js';
import { FRENCH } from './texts/french.js';
import { GERMAN } from './texts/german.js';
import { SPANISH } from './texts/spanish.js';
import { type PageTexts } from './texts/texts.js';

export type { PageTexts };

const CATALOGUES: Readonly<Record<Language, PageTexts>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
};

export function pageTexts(language: Language): PageTexts {
  return CATALOGUES[language];
}

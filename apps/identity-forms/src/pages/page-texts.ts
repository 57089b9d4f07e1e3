import { type Language } from '@gatehouse/pages';
import { ENGLISH } from './texts/english.js';
import { FRENCH } from './texts/french.js';
import { GERMAN } from './texts/german.js';
import { SPANISH } from './texts/spanish.js';
import { type PageTexts } from './texts/texts.js';

export type { PageTexts };

/** Texts of pages with a single message. */
export type Notice = {
  [K in keyof PageTexts]: PageTexts[K] extends { title: string; text: string } ? K : never;
}[keyof PageTexts];

const CATALOGS: Readonly<Record<Language, PageTexts>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
};

export function pageTexts(language: Language): PageTexts {
  return CATALOGS[language];
}

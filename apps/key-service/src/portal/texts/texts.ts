import { type Language } from '@gatehouse/pages';
import { ENGLISH } from './english.js';
import { FRENCH } from './french.js';
import { GERMAN } from './german.js';
import { type PortalTexts } from './portal-texts.js';
import { SPANISH } from './spanish.js';

const CATALOGS: Readonly<Record<Language, PortalTexts>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
};

export function portalTexts(language: Language): PortalTexts {
  return CATALOGS[language];
}

import { type Language } from '@gatehouse/pages';
import { type Terms, TERMS } from './terms.js';

/**
 * One catalog: the texts of a part of the console in all languages, and the terms that it shares with others.
 * English has the shape of the other languages.
 */
export function inLanguages<Texts>(catalog: {
  en: Texts;
  de: NoInfer<Texts>;
  fr: NoInfer<Texts>;
  es: NoInfer<Texts>;
}): (language: Language) => Terms & Texts {
  const withTerms = (language: Language) => ({ ...TERMS[language], ...catalog[language] });
  const [en, de, fr, es] = [withTerms('en'), withTerms('de'), withTerms('fr'), withTerms('es')];
  return (language) => ({ en, de, fr, es })[language];
}

import { type Language } from '@gatehouse/pages';

/** One catalog: the texts of a part of the console, in all languages. English has the shape of the others. */
export function inLanguages<Texts>(catalog: {
  en: Texts;
  de: NoInfer<Texts>;
  fr: NoInfer<Texts>;
  es: NoInfer<Texts>;
}): (language: Language) => Texts {
  return (language) => catalog[language];
}

import { type Language } from './languages.js';

/** Texts around the content of every page. */
export interface FrameTexts {
  terms: string;
  privacy: string;
  /** The name of the request id, for support requests. */
  reference: string;
}

const CATALOGS: Readonly<Record<Language, FrameTexts>> = {
  en: { terms: 'Terms', privacy: 'Privacy', reference: 'Reference' },
  de: { terms: 'Nutzungsbedingungen', privacy: 'Datenschutz', reference: 'Vorgang' },
  fr: {
    terms: 'Conditions d’utilisation',
    privacy: 'Confidentialité',
    reference: 'Référence',
  },
  es: { terms: 'Condiciones', privacy: 'Privacidad', reference: 'Referencia' },
};

export function frameTexts(language: Language): FrameTexts {
  return CATALOGS[language];
}

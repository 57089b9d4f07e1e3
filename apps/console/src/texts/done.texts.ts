import { inLanguages } from './in-languages.js';

/** What was done, above the page that an act leads to. Their names are in addresses. */
export const doneTexts = inLanguages({
  en: {
    'session-ended': 'The session was ended.',
  },
  de: {
    'session-ended': 'Die Sitzung wurde beendet.',
  },
  fr: {
    'session-ended': 'La session a été fermée.',
  },
  es: {
    'session-ended': 'La sesión se ha cerrado.',
  },
});

export type Done = keyof ReturnType<typeof doneTexts>;

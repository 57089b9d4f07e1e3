import { inLanguages } from './in-languages.js';

export const auditTexts = inLanguages({
  en: {
    caller: 'Caller',
    target: 'Target',
    details: 'Details',
    empty:
      'No event matches. Every change by an administrator and every refused call writes an event, such as key.issued or directory.updated.',
  },
  de: {
    caller: 'Wer',
    target: 'Woran',
    details: 'Einzelheiten',
    empty:
      'Kein Ereignis passt. Jede Änderung durch einen Administrator und jeder abgelehnte Aufruf schreibt eines, etwa key.issued oder directory.updated.',
  },
  fr: {
    caller: 'Auteur',
    target: 'Cible',
    details: 'Détails',
    empty:
      'Aucun événement ne correspond. Chaque modification par un administrateur et chaque appel refusé en écrit un, comme key.issued ou directory.updated.',
  },
  es: {
    caller: 'Autor',
    target: 'Objeto',
    details: 'Detalles',
    empty:
      'Ningún evento coincide. Cada cambio de un administrador y cada llamada rechazada escribe uno, como key.issued o directory.updated.',
  },
});

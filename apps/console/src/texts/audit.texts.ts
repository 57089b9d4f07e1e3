import { inLanguages } from './in-languages.js';

export const auditTexts = inLanguages({
  en: {
    caller: 'Caller',
    target: 'Target',
    details: 'Details',
    empty: 'No event matches. Each change and each refused call writes one.',
  },
  de: {
    caller: 'Wer',
    target: 'Woran',
    details: 'Einzelheiten',
    empty: 'Kein Ereignis passt. Jede Änderung und jeder abgelehnte Aufruf schreibt eines.',
  },
  fr: {
    caller: 'Auteur',
    target: 'Cible',
    details: 'Détails',
    empty: 'Aucun événement ne correspond. Chaque modification ou appel refusé en écrit un.',
  },
  es: {
    caller: 'Autor',
    target: 'Objeto',
    details: 'Detalles',
    empty: 'Ningún evento coincide. Cada cambio y cada llamada rechazada escribe uno.',
  },
});

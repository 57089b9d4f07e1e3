import { inLanguages } from './in-languages.js';

export const auditTexts = inLanguages({
  en: {
    caller: 'Caller',
    target: 'Target',
    details: 'Details',
    empty:
      'No event matches. Every change by an administrator and every refused call writes an event, such as key.issued or directory.updated.',
    unavailable: {
      keys: 'The key service cannot be reached: its events are missing.',
      directories: 'Directory sync cannot be reached: its events are missing.',
      forms: 'Identity forms cannot be reached: their events are missing.',
    },
  },
  de: {
    caller: 'Wer',
    target: 'Woran',
    details: 'Einzelheiten',
    empty:
      'Kein Ereignis passt. Jede Änderung durch einen Administrator und jeder abgelehnte Aufruf schreibt eines, etwa key.issued oder directory.updated.',
    unavailable: {
      keys: 'Der Schlüsseldienst ist nicht erreichbar: Seine Ereignisse fehlen.',
      directories: 'Der Verzeichnisabgleich ist nicht erreichbar: Seine Ereignisse fehlen.',
      forms: 'Der Formulardienst ist nicht erreichbar: Seine Ereignisse fehlen.',
    },
  },
  fr: {
    caller: 'Auteur',
    target: 'Cible',
    details: 'Détails',
    empty:
      'Aucun événement ne correspond. Chaque modification par un administrateur et chaque appel refusé en écrit un, comme key.issued ou directory.updated.',
    unavailable: {
      keys: 'Le service de clés est injoignable : ses événements manquent.',
      directories: 'La synchronisation des annuaires est injoignable : ses événements manquent.',
      forms: 'Le service de formulaires est injoignable : ses événements manquent.',
    },
  },
  es: {
    caller: 'Autor',
    target: 'Objeto',
    details: 'Detalles',
    empty:
      'Ningún evento coincide. Cada cambio de un administrador y cada llamada rechazada escribe uno, como key.issued o directory.updated.',
    unavailable: {
      keys: 'No se puede acceder al servicio de claves: faltan sus eventos.',
      directories: 'No se puede acceder a la sincronización de directorios: faltan sus eventos.',
      forms: 'No se puede acceder al servicio de formularios: faltan sus eventos.',
    },
  },
});

import { inLanguages } from './in-languages.js';

/** What was done, above the page that an act leads to. Their names are in addresses. */
export const doneTexts = inLanguages({
  en: {
    'endpoint-changed': 'The endpoint was changed.',
    'endpoint-deleted': 'The endpoint was deleted.',
    'endpoint-paused': 'The endpoint is paused. Events wait.',
    'endpoint-resumed': 'The endpoint is tried again now.',
    'event-resent': 'The event is delivered again.',
    'identity-erased': 'The identity was erased.',
    'replay-empty': 'The endpoint does not receive events at the moment, so nothing is sent again.',
    'replay-started': 'The events are being sent again.',
    'schema-saved': 'The schema was saved.',
    'session-ended': 'The session was ended.',
  },
  de: {
    'endpoint-changed': 'Der Endpunkt wurde geändert.',
    'endpoint-deleted': 'Der Endpunkt wurde gelöscht.',
    'endpoint-paused': 'Der Endpunkt ist angehalten. Ereignisse warten.',
    'endpoint-resumed': 'Der Endpunkt wird jetzt wieder versucht.',
    'event-resent': 'Das Ereignis wird erneut zugestellt.',
    'identity-erased': 'Die Identität wurde gelöscht.',
    'replay-empty':
      'Der Endpunkt empfängt derzeit keine Ereignisse, daher wird nichts erneut gesendet.',
    'replay-started': 'Die Ereignisse werden erneut gesendet.',
    'schema-saved': 'Das Schema wurde gespeichert.',
    'session-ended': 'Die Sitzung wurde beendet.',
  },
  fr: {
    'endpoint-changed': 'Le point de terminaison a été modifié.',
    'endpoint-deleted': 'Le point de terminaison a été supprimé.',
    'endpoint-paused': 'Le point de terminaison est suspendu. Les événements attendent.',
    'endpoint-resumed': 'Le point de terminaison est essayé à nouveau.',
    'event-resent': 'L’événement est livré à nouveau.',
    'identity-erased': 'L’identité a été effacée.',
    'replay-empty':
      'Le point de terminaison ne reçoit pas d’événements pour le moment : rien n’est renvoyé.',
    'replay-started': 'Les événements sont renvoyés.',
    'schema-saved': 'Le schéma a été enregistré.',
    'session-ended': 'La session a été fermée.',
  },
  es: {
    'endpoint-changed': 'El destino se ha cambiado.',
    'endpoint-deleted': 'El destino se ha eliminado.',
    'endpoint-paused': 'El destino está en pausa. Los eventos esperan.',
    'endpoint-resumed': 'El destino se intenta de nuevo ahora.',
    'event-resent': 'El evento se entrega de nuevo.',
    'identity-erased': 'La identidad se ha borrado.',
    'replay-empty': 'El destino no recibe eventos en este momento, así que no se reenvía nada.',
    'replay-started': 'Los eventos se están reenviando.',
    'schema-saved': 'El esquema se ha guardado.',
    'session-ended': 'La sesión se ha cerrado.',
  },
});

export type Done = keyof ReturnType<typeof doneTexts>;

import { type PortalTexts } from './portal-texts.js';

export const GERMAN: PortalTexts = {
  title: 'API-Schlüssel',
  openText: 'Auf den nächsten Seiten verwalten Sie Ihre API-Schlüssel.',
  openOnce:
    'Diese Adresse lässt sich einmal öffnen. Machen Sie in dem Browser weiter, in dem Sie die Schlüssel verwalten möchten.',
  openButton: 'Weiter',

  listText: 'Mit diesen Schlüsseln rufen Programme diese Anwendung in Ihrem Namen auf.',
  empty: 'Es gibt noch keine Schlüssel.',
  more: 'Ältere Schlüssel',
  create: 'Schlüssel erstellen',
  back: 'Zurück zu den Schlüsseln',
  until: (time) => `Sie können diese Seiten bis ${time} benutzen.`,

  statuses: {
    KEY_STATUS_UNSPECIFIED: 'unbekannt',
    KEY_STATUS_ACTIVE: 'aktiv',
    KEY_STATUS_PAUSED: 'angehalten',
    KEY_STATUS_EXPIRED: 'abgelaufen',
    KEY_STATUS_REVOKED: 'widerrufen',
  },
  status: 'Status',
  created: 'Erstellt',
  lastUsed: 'Zuletzt benutzt',
  never: 'nie',
  expires: 'Läuft ab',
  noExpiry: 'läuft nicht ab',
  preview: 'Schlüssel',
  scopes: 'Berechtigungen',
  noScopes: 'keine',
  scopesHint:
    'Wählen Sie, was die Programme brauchen, die den Schlüssel benutzen. Später lassen sich keine Berechtigungen hinzufügen.',
  limits: 'Limits',

  newTitle: 'Schlüssel erstellen',
  name: 'Name',
  nameHint: 'Wo der Schlüssel benutzt wird, zum Beispiel „Nächtlicher Bericht“.',
  nameFault: 'Geben Sie einen Namen mit 1 bis 255 Zeichen ein.',
  faultPrefix: 'Fehler:',

  secretTitle: 'Ihr Schlüssel',
  secretOnce: 'Kopieren Sie ihn jetzt: Er wird nur einmal angezeigt.',
  secretGone: 'Dieser Schlüssel wurde bereits erstellt und wird nicht noch einmal angezeigt.',
  lostReplace: 'Ist er verloren, ersetzen Sie ihn.',
  lostCreate: 'Ist er verloren, erstellen Sie einen anderen.',

  usageTitle: (days) => `Nutzung in den letzten ${days} Tagen`,
  usageNone: 'Keine Anfragen in dieser Zeit.',
  usageAccepted: 'angenommen',
  usageRefused: 'abgelehnt',
  usageDay: 'Tag',
  usageTable: 'Als Tabelle',
  usageLabel: (highest) => `Anfragen nach Tagen; die meisten an einem Tag: ${highest}`,

  rotateTitle: 'Schlüssel ersetzen',
  rotateText: 'Ein neuer Schlüssel übernimmt Namen und Berechtigungen.',
  rotateNow: 'Jetzt ersetzen: Dieser Schlüssel gilt sofort nicht mehr',
  rotateLater: 'Ersetzen: Dieser Schlüssel gilt noch 24 Stunden',
  rotateOther:
    'Dieser Schlüssel hat Berechtigungen, die hier nicht vergeben werden können. Deshalb kann er hier nicht ersetzt werden.',
  revokeTitle: 'Schlüssel widerrufen',
  revokeText: 'Programme, die ihn benutzen, funktionieren sofort nicht mehr.',
  revoke: 'Widerrufen',
  revokeQuestion: 'Möchten Sie diesen Schlüssel widerrufen?',
  revokeUndo:
    'Sie können das nicht rückgängig machen. Ein Administrator kann es innerhalb einer Stunde.',
  revoked:
    'Dieser Schlüssel ist widerrufen. War das ein Versehen, melden Sie sich innerhalb einer Stunde bei Ihrem Administrator: Er kann es rückgängig machen.',
  replaceQuestion: 'Möchten Sie diesen Schlüssel jetzt ersetzen?',
  replaceText:
    'Programme, die ihn benutzen, funktionieren sofort nicht mehr, bis sie den neuen Schlüssel haben. Das lässt sich nicht rückgängig machen.',
  replace: 'Jetzt ersetzen',
  replaced: 'Der bisherige Schlüssel gilt nicht mehr.',
  cancel: 'Abbrechen',
  keysLimit: (max) => `Sie haben so viele Schlüssel wie erlaubt (${max}).`,
  keysLimitRevoke: 'Widerrufen Sie einen, um einen anderen zu erstellen.',
  newKeysLimit: (max) =>
    `Sie haben in 24 Stunden so viele Schlüssel erstellt wie erlaubt (${max}). Versuchen Sie es morgen noch einmal.`,

  gone: {
    title: 'Diese Adresse gilt nicht mehr',
    text: 'Sie wurde schon geöffnet, ist abgelaufen oder wurde zurückgezogen. Gehen Sie zurück zur Anwendung, um eine neue zu erhalten.',
  },
  notFound: {
    title: 'Seite nicht gefunden',
    text: 'Prüfen Sie die Adresse, oder gehen Sie zurück zur Anwendung.',
  },
  forbidden: {
    title: 'Das ist hier nicht erlaubt',
    text: 'Es wurde nichts geändert. Wenn Sie von unseren Seiten kommen, erlauben Sie Cookies für diese Website, gehen Sie zurück, und versuchen Sie es noch einmal.',
  },
  conflict: {
    title: 'Das ist jetzt nicht möglich',
    text: 'Es wurde nichts geändert. Der Schlüssel wurde inzwischen geändert: Gehen Sie zurück zu den Schlüsseln, um seinen Zustand zu sehen.',
  },
  tooMany: {
    title: 'Zu viele Anfragen',
    text: 'Es wurde nichts geändert. Warten Sie eine Minute, und laden Sie die Seite dann neu.',
  },
  unreadable: {
    title: 'Das konnten wir nicht lesen',
    text: 'Es wurde nichts geändert. Gehen Sie zurück, und versuchen Sie es noch einmal.',
  },
  failed: {
    title: 'Etwas ist schiefgegangen',
    text: 'Versuchen Sie es in ein paar Minuten noch einmal.',
  },
};

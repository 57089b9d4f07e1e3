import { type PageTexts } from './texts.js';

export const GERMAN: PageTexts = {
  signUpTitle: 'Konto anlegen',
  profileTitle: 'Ihr Profil',
  signUpButton: 'Konto anlegen',
  profileButton: 'Änderungen speichern',
  faultPrefix: 'Fehler:',
  faultsHeading: 'Bitte prüfen Sie Ihre Angaben',
  optional: '(freiwillig)',
  choose: 'Bitte wählen',
  yes: 'Ja',
  no: 'Nein',
  addFirst: 'Hinzufügen',
  addMore: 'Weiteren Eintrag hinzufügen',
  addFirstNamed: (title) => `${title} hinzufügen`,
  addMoreNamed: (title) => `Noch hinzufügen: ${title}`,
  remove: 'Entfernen',
  removeRow: (label) => `${label} entfernen`,
  onlyIf: (label, values) => `Nur wenn „${label}“ ${values} ist.`,
  doneSignUp: {
    title: 'Ihr Konto ist angelegt',
    text: 'Vielen Dank. Sie können diese Seite schließen.',
  },
  doneProfile: {
    title: 'Ihre Änderungen sind gespeichert',
    text: 'Vielen Dank. Sie können diese Seite schließen.',
  },
  expired: {
    title: 'Diese Seite ist abgelaufen',
    text: 'Zu Ihrer Sicherheit gilt die Adresse nur für begrenzte Zeit. Beginnen Sie dort noch einmal, wo Sie hergekommen sind.',
  },
  used: {
    title: 'Dieses Formular wurde schon gesendet',
    text: 'Ihre Angaben sind gespeichert. Sie müssen sie nicht noch einmal senden.',
  },
  elsewhere: {
    title: 'Diese Seite wurde in einem anderen Browser geöffnet',
    text: 'Zu Ihrer Sicherheit funktioniert sie nur dort.',
  },
  notFound: {
    title: 'Seite nicht gefunden',
    text: 'Prüfen Sie die Adresse, oder beginnen Sie dort noch einmal, wo Sie hergekommen sind.',
  },
  forbidden: {
    title: 'Wir konnten nicht prüfen, ob das Formular von Ihnen kommt',
    text: 'Es wurde nichts gespeichert. Erlauben Sie Cookies für diese Seite, öffnen Sie das Formular neu und senden Sie es von dort.',
  },
  tooLarge: {
    title: 'Das ist zu viel für dieses Formular',
    text: 'Es wurde nichts gespeichert. Gehen Sie zurück, kürzen Sie Ihre Angaben und senden Sie das Formular noch einmal.',
  },
  tooMany: {
    title: 'Zu viele Versuche',
    text: 'Es wurde nichts gespeichert. Warten Sie einige Minuten, gehen Sie zurück und senden Sie das Formular noch einmal.',
  },
  unreadable: {
    title: 'Wir konnten die Angaben nicht lesen',
    text: 'Es wurde nichts gespeichert. Gehen Sie zurück und senden Sie das Formular noch einmal.',
  },
  failed: {
    title: 'Leider ist etwas schiefgegangen',
    text: 'Ihre Angaben wurden nicht gespeichert. Versuchen Sie es in einigen Minuten noch einmal.',
  },
  haveAccount: 'Haben Sie schon ein Konto?',
  signIn: 'Anmelden',
  goOn: 'Weiter',
  goBack: 'Zurück',
  startAgain: 'Neu beginnen',
};

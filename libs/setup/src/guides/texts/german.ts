import { type GuideTexts } from './guide-texts.js';

export const GERMAN: GuideTexts = {
  steps: {
    app: 'Die Anwendung anlegen',
    connect: 'Adresse und Token eintragen',
    attributes: 'Prüfen, was gesendet wird',
    people: 'Personen und Gruppen wählen',
    start: 'Die Synchronisierung starten',
    account: 'Was gelesen wird, und mit welchem Konto',
    consent: 'Zustimmung geben',
  },
  open: (path) => `Öffnen Sie ${path}.`,
  press: (button) => `Wählen Sie ${button}.`,
  find: (name) => `Suchen Sie ${name} und wählen Sie es aus.`,
  enter: (field) => `Tragen Sie in ${field} ein:`,
  choose: (field, option) => `Setzen Sie ${field} auf ${option}.`,
  turnOn: (names) => `Schalten Sie ein: ${names}.`,
  review: 'Prüfen Sie, worum die Anwendung bittet:',
  address: 'die Adresse des Verzeichnisses',
  token: 'das Token',
  advice: {
    token: ({ token }) =>
      `Das Token ist falsch. Erstellen Sie im Schritt „Adresse und Token eintragen“ ein neues, und tragen Sie es in **${token}** ein, ohne das Wort Bearer und ohne Leerzeichen.`,
    forbidden: () =>
      'Das Verzeichnis nimmt dies zurzeit nicht an. Fragen Sie dort nach, wo Sie den Link bekommen haben.',
    duplicate: ({ mapping }) =>
      `Es gibt schon einen Benutzer oder eine Gruppe mit diesem Namen. Zwei Konten dürfen nicht denselben Benutzernamen haben: Prüfen Sie unter **${mapping}** das Attribut, das \`userName\` zugeordnet ist.`,
    filter: ({ mapping }) =>
      `Die Suche war nicht lesbar. Benutzer werden über \`userName\` abgeglichen: Prüfen Sie das Attribut für den Abgleich unter **${mapping}**.`,
    value: ({ mapping, retry }) =>
      `Ein Wert fehlt oder hat die falsche Form. Berichtigen Sie das Attribut, das die Meldung nennt, bei der Person oder unter **${mapping}**. Senden Sie es dann noch einmal: **${retry}**.`,
    syntax: ({ mapping }) =>
      `Die Anfrage war nicht lesbar. Machen Sie Änderungen an Vorlagen und Ausdrücken unter **${mapping}** rückgängig.`,
    readOnly: ({ mapping }) =>
      `Es wurde ein Attribut gesendet, das nicht geändert werden kann. Entfernen Sie es unter **${mapping}**.`,
    address: ({ address }) =>
      `Die Adresse ist nicht vollständig. Kopieren Sie sie noch einmal in **${address}**, ohne etwas anzufügen.`,
    tooLarge: () =>
      'Die Anfrage ist zu groß. Senden Sie weniger Mitglieder oder Attribute auf einmal.',
    tooMany: () =>
      'Es kamen zu viele Anfragen auf einmal. Der Anbieter wiederholt sie; Sie müssen nichts tun.',
    server: () => 'Das ist ein Fehler bei uns. Der Anbieter wiederholt die Anfrage.',
    other: ({ retry }) =>
      `Prüfen Sie, was die Meldung sagt, und senden Sie die Änderung noch einmal: **${retry}**.`,
  },
};

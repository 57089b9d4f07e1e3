import { type SetupTexts } from './setup-texts.js';

export const GERMAN: SetupTexts = {
  openTitle: 'Ihren Identitätsanbieter verbinden',
  openText: (application) =>
    `Die nächsten Seiten zeigen, wie Benutzer und Gruppen Ihrer Organisation aus Ihrem Identitätsanbieter ${
      application === undefined ? 'in diese Anwendung' : `zu ${application}`
    } kommen. Sie brauchen Administratorrechte beim Anbieter.`,
  openTime: 'Planen Sie etwa 15 Minuten ein.',
  openOnce:
    'Dieser Link öffnet sich nur einmal. Machen Sie in dem Browser weiter, in dem Sie die Einrichtung abschließen möchten.',
  openButton: 'Weiter',

  stepsLabel: 'Schritte der Einrichtung',
  progress: (step, steps) => `Schritt ${step} von ${steps}`,
  back: 'Zurück',
  next: 'Weiter',
  skip: 'Überspringen',
  toSetup: 'Zurück zur Einrichtung',

  providerTitle: 'Ihren Identitätsanbieter wählen',
  providerText: (directory) => `Sie verbinden „${directory}“.`,
  providerMissing: 'Wählen Sie einen Identitätsanbieter.',
  otherProvider: 'Ein anderer, der SCIM 2.0 spricht',
  faultPrefix: 'Fehler:',

  inProvider: (provider) => `In ${provider}:`,
  yourProvider: 'Ihrem Identitätsanbieter',
  createToken: 'Token erstellen',
  replaceToken:
    'Ein neues Token ersetzt das letzte. Ist das Verzeichnis in Gebrauch, gilt das letzte noch 24 Stunden.',
  tokenBelow: (field) => `Erstellen Sie ein Token, und fügen Sie es dann in ${field} ein.`,
  tokenElsewhere: (field) =>
    `Geben Sie in ${field} das Token ein. Sie bekommen es dort, wo Sie den Link bekommen haben.`,
  yourToken: 'Ihr Token',
  tokenOnce:
    'Kopieren Sie es jetzt: Es wird nur einmal angezeigt. Ein Klick markiert es ganz. Geht es verloren, erstellen Sie ein neues.',
  notesTitle: 'Gut zu wissen',

  mappingTitle: 'Die Attribute wählen',
  mappingText:
    'Neben Name und E-Mail-Adresse fragt die Anwendung nach diesen Attributen. Geben Sie an, in welchem SCIM-Attribut Ihr Identitätsanbieter sie sendet; was Sie nicht senden, lassen Sie leer.',
  mappingSave: 'Speichern und weiter',
  mappingRefused:
    'Geben Sie den Namen eines SCIM-Attributs an, zum Beispiel title oder name.givenName.',
  mappingChanged:
    'Diese Attribute wurden inzwischen geändert. Ihre Angaben wurden nicht gespeichert; jetzt gilt, was hier steht.',

  groupsTitle: 'Gruppen auswählen',
  groupsText:
    'Die Anwendung liest die Benutzer Ihrer Organisation. Wählen Sie, welche Gruppen sie außerdem liest.',
  groupsQuestion: 'Welche Gruppen?',
  groupsAll: 'Alle Gruppen',
  groupsSome: 'Nur diese Gruppen:',
  groupsNames: 'Namen, E-Mail-Adressen oder IDs von Gruppen, eine pro Zeile',
  groupsSave: 'Speichern und weiter',
  groupsRefused:
    'Geben Sie mindestens eine Gruppe ein, eine pro Zeile, mit höchstens 512 Zeichen und höchstens 1.000 Gruppen.',
  groupsBoth:
    'Sie haben alle Gruppen gewählt, aber auch einzelne genannt. Wählen Sie „Nur diese Gruppen“, oder entfernen Sie die Namen.',
  groupsChanged:
    'Jemand hat die Auswahl inzwischen geändert. Ihre Eingaben wurden nicht gespeichert; hier steht, was jetzt gilt.',
  groupsLater:
    'Gruppen, die Sie aus der Liste entfernen, werden in der Anwendung gelöscht. Sind das viele, muss zustimmen, wer Ihnen den Link geschickt hat.',

  rolesTitle: 'Gruppen Rollen geben',
  rolesText:
    'Wählen Sie, welche Rolle die Mitglieder jeder Gruppe in der Anwendung erhalten. Gruppen innerhalb einer Gruppe zählen mit.',
  rolesNone: 'Keine Rolle',
  rolesNoGroups:
    'Es ist noch keine Gruppe angekommen. Kommen Sie wieder, wenn die Prüfung die erste zeigt.',
  rolesMore: (shown) =>
    `Das sind die ersten ${shown} Gruppen nach Namen. Wer Ihnen den Link geschickt hat, kann auch anderen Rollen geben.`,
  rolesPreview: 'Zeigen, was sich ändert',
  rolesSave: 'Speichern',
  rolesSaveAndFinish: 'Speichern und abschließen',
  rolesFinishOnly: 'Abschließen, ohne zu speichern',
  rolesSaved:
    'Gespeichert. In einem großen Verzeichnis erhalten die Benutzer ihre Rollen innerhalb von Minuten.',
  rolesEffectTitle: 'Das würde sich ändern',
  rolesGained: (users) => (users === 1 ? '1 Benutzer erhält' : `${users} Benutzer erhalten`),
  rolesLost: (users) => (users === 1 ? '1 Benutzer verliert' : `${users} Benutzer verlieren`),
  rolesNoEffect: 'Kein Benutzer erhält eine andere Rolle.',
  rolesPartial: (users) => `Nur die ersten ${users} Benutzer wurden verglichen.`,
  rolesChanged:
    'Die Rollen wurden inzwischen geändert. Ihre Auswahl wurde nicht gespeichert; jetzt gilt, was hier steht.',
  rolesTooMany: 'Das sind mehr Gruppen mit Rollen als möglich. Nichts wurde gespeichert.',

  checkTitle: 'Die Verbindung prüfen',
  checkText: 'Diese Seite zeigt, was von Ihrem Identitätsanbieter ankommt.',
  checks: { request: 'Erste Anfrage', user: 'Erster Benutzer', group: 'Erste Gruppe' },
  seen: 'angekommen',
  seenRefused: 'angekommen, aber abgelehnt',
  notSeen: 'noch nicht',
  groupOptional: 'Nur wenn Sie Gruppen senden',
  otherRecognized: (recognized, chosen) =>
    `Die Anfragen sehen nach ${recognized} aus, Sie haben aber ${chosen} gewählt. Prüfen Sie den Anbieter im ersten Schritt.`,
  refusedTitle: 'Abgelehnte Anfragen',
  refusedText: 'Diese Anfragen wurden abgelehnt. Das ist zu ändern:',
  times: (count) => `${count}-mal`,
  refreshing: (seconds) => `Diese Seite wird alle ${seconds} Sekunden aktualisiert.`,
  stopRefreshing: 'Nicht mehr aktualisieren',
  startRefreshing: 'Von selbst aktualisieren',
  checkAgain: 'Noch einmal prüfen',
  finish: 'Abschließen',
  finishLater: (until) =>
    `Sie können diese Seite schließen und in diesem Browser bis ${until} wiederkommen. Sobald eine Anfrage angenommen wurde, können Sie hier abschließen.`,

  workspace: {
    accountOf: (domain) => `Verwenden Sie ein Konto der Organisation „${domain}“.`,
    continueTo: (company) => `Weiter zu ${company}`,
    consentAgain:
      'Die Zustimmung wurde gegeben. Geben Sie sie noch einmal, um ein anderes Konto zu verwenden.',
    problems: {
      refused:
        'Die Zustimmung wurde abgelehnt, also wurde nichts verbunden. Darf Ihr Konto sie nicht geben, bitten Sie einen Administrator, es in diesem Browser zu tun.',
      expired:
        'Das hat länger als zehn Minuten gedauert oder war schon beendet. Es wurde nichts verbunden. Beginnen Sie noch einmal mit der Schaltfläche.',
      unanswered:
        'Der Anbieter hat keine Zustimmung gesendet, also wurde nichts verbunden. Beginnen Sie noch einmal mit der Schaltfläche.',
      incomplete:
        'Nicht alle Berechtigungen wurden erlaubt, also wurde nichts verbunden. Beginnen Sie noch einmal, und erlauben Sie alle.',
      wrong_account:
        'Die Zustimmung wurde für eine andere Organisation gegeben, also wurde nichts verbunden. Melden Sie sich mit einem Konto der richtigen an.',
      failed:
        'Der Anbieter hat keinen Zugriff gegeben, also wurde nichts verbunden. Versuchen Sie es in einigen Minuten noch einmal. Hilft das nicht, fragen Sie dort nach, wo Sie den Link bekommen haben.',
    },
    checkText: (provider) => `Diese Seite zeigt, was aus ${provider} gelesen wird.`,
    checks: { consent: 'Zustimmung', users: 'Benutzer', groups: 'Gruppen' },
    given: 'gegeben',
    read: (number) => `${number} gelesen`,
    same: 'unverändert',
    noneFound: 'Keine der ausgewählten Gruppen wurde gefunden. Prüfen Sie die Namen.',
    run: {
      queued: 'Das erste Lesen beginnt in Kürze.',
      listing: 'Benutzer und Gruppen werden gelesen.',
      applying: 'Was gelesen wurde, wird gespeichert.',
      held: 'Was gelesen wurde, würde viel ändern. Deshalb muss es dort genehmigt werden, wo Sie den Link bekommen haben.',
      failed: 'Das Lesen ist fehlgeschlagen. Der Grund:',
      discarded: 'Was gelesen wurde, wurde dort verworfen, wo Sie den Link bekommen haben.',
      paused: 'Das Lesen geht später von selbst weiter. Der Grund:',
      unchanged: 'Alles wurde gelesen; seit dem letzten Mal hat sich nichts geändert.',
      succeeded: 'Alles wurde gelesen und gespeichert.',
    },
    whatToDo: {
      consent:
        'Der Zugriff wurde nicht gegeben oder ist beendet. Geben Sie die Zustimmung noch einmal.',
      account:
        'Prüfen Sie, ob das Konto zur richtigen Organisation gehört und die Rolle aus dem ersten Schritt hat; geben Sie dann die Zustimmung noch einmal. Ist der Grund eine Einstellung der Anwendung, fragen Sie dort nach, wo Sie den Link bekommen haben.',
    },
    toConsent: 'Zustimmung noch einmal geben',
    finishLater: (until) =>
      `Sie können diese Seite schließen und in diesem Browser bis ${until} wiederkommen. Sobald Benutzer gelesen wurden, können Sie hier abschließen.`,
  },

  doneTitle: 'Die Einrichtung ist abgeschlossen',
  connected: (directory, provider = 'Ihrem Identitätsanbieter') =>
    `„${directory}“ ist mit ${provider} verbunden.`,
  doneText: 'Änderungen kommen von jetzt an hier an. Sie können diese Seite schließen.',

  gone: {
    title: 'Dieser Link gilt nicht mehr',
    text: 'Er wurde schon geöffnet, ist abgelaufen oder wurde zurückgezogen. Haben Sie ihn geöffnet, machen Sie in jenem Browser weiter. Bitten Sie sonst um einen neuen Link.',
  },
  foreign: {
    title: 'Diese Zustimmung wurde nicht hier begonnen',
    text: 'Es wurde nichts verbunden. Machen Sie in dem Browser weiter, in dem Sie den Link geöffnet haben, und verwenden Sie dort noch einmal die Schaltfläche. Ist der Link abgelaufen oder zurückgezogen, bitten Sie um einen neuen.',
  },
  notFound: {
    title: 'Seite nicht gefunden',
    text: 'Prüfen Sie die Adresse, oder bitten Sie um einen neuen Link.',
  },
  forbidden: {
    title: 'Wir konnten nicht prüfen, ob das von Ihnen kommt',
    text: 'Es wurde nichts geändert. Erlauben Sie Cookies für diese Seite, gehen Sie zurück, und versuchen Sie es noch einmal.',
  },
  tooMany: {
    title: 'Zu viele Anfragen',
    text: 'Es wurde nichts geändert. Warten Sie eine Minute, und laden Sie die Seite noch einmal.',
  },
  unreadable: {
    title: 'Das konnten wir nicht lesen',
    text: 'Es wurde nichts geändert. Gehen Sie zurück, und versuchen Sie es noch einmal.',
  },
  failed: {
    title: 'Leider ist etwas schiefgegangen',
    text: 'Versuchen Sie es in einigen Minuten noch einmal.',
  },
};

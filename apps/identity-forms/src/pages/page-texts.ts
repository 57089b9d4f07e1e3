/** Texts of the pages. Labels and hints come from the schema, errors from the decoder. */

import { type Language } from '@gatehouse/form-decoder';

export interface PageTexts {
  signUpTitle: string;
  profileTitle: string;
  signUpButton: string;
  profileButton: string;
  faultPrefix: string;
  faultsHeading: string;
  optional: string;
  choose: string;
  yes: string;
  no: string;
  /** The button that adds the first row, and the one that adds a further row. */
  addFirst: string;
  addMore: string;
  remove: string;
  removeRow: (label: string) => string;
  onlyIf: (label: string, values: string) => string;
  doneSignUp: { title: string; text: string };
  doneProfile: { title: string; text: string };
  expired: { title: string; text: string };
  used: { title: string; text: string };
  notFound: { title: string; text: string };
  forbidden: { title: string; text: string };
  tooLarge: { title: string; text: string };
  tooMany: { title: string; text: string };
  unreadable: { title: string; text: string };
  failed: { title: string; text: string };
  reference: string;
}

const EN: PageTexts = {
  signUpTitle: 'Create your account',
  profileTitle: 'Your profile',
  signUpButton: 'Create account',
  profileButton: 'Save changes',
  faultPrefix: 'Error:',
  faultsHeading: 'There is a problem',
  optional: '(optional)',
  choose: 'Please choose',
  yes: 'Yes',
  no: 'No',
  addFirst: 'Add',
  addMore: 'Add another',
  remove: 'Remove',
  removeRow: (label) => `Remove ${label}`,
  onlyIf: (label, values) => `Only if “${label}” is ${values}.`,
  doneSignUp: { title: 'Your account is ready', text: 'Thank you. You can close this page.' },
  doneProfile: { title: 'Your changes are saved', text: 'Thank you. You can close this page.' },
  expired: {
    title: 'This page has expired',
    text: 'For your security the address works for a limited time. Go back to where you came from and start again.',
  },
  used: {
    title: 'This form was already sent',
    text: 'Your answers are saved. You do not need to send them again.',
  },
  notFound: {
    title: 'Page not found',
    text: 'Check the address, or go back to where you came from and start again.',
  },
  forbidden: {
    title: 'We could not check that this form came from you',
    text: 'Nothing was saved. Allow cookies for this site, open the form again and send it from there.',
  },
  tooLarge: {
    title: 'That is too much for this form',
    text: 'Nothing was saved. Go back, shorten your answers and send the form again.',
  },
  tooMany: {
    title: 'Too many attempts',
    text: 'Nothing was saved. Wait some minutes, go back and send the form again.',
  },
  unreadable: {
    title: 'We could not read what was sent',
    text: 'Nothing was saved. Go back and send the form again.',
  },
  failed: {
    title: 'Sorry, something went wrong',
    text: 'Your answers were not saved. Try again in a few minutes.',
  },
  reference: 'Reference',
};

const DE: PageTexts = {
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
  reference: 'Vorgang',
};

const FR: PageTexts = {
  signUpTitle: 'Créer votre compte',
  profileTitle: 'Votre profil',
  signUpButton: 'Créer le compte',
  profileButton: 'Enregistrer',
  faultPrefix: 'Erreur :',
  faultsHeading: 'Vérifiez vos réponses',
  optional: '(facultatif)',
  choose: 'Choisissez',
  yes: 'Oui',
  no: 'Non',
  addFirst: 'Ajouter',
  addMore: 'Ajouter une autre entrée',
  remove: 'Supprimer',
  removeRow: (label) => `Supprimer ${label}`,
  onlyIf: (label, values) => `Seulement si « ${label} » est ${values}.`,
  doneSignUp: { title: 'Votre compte est prêt', text: 'Merci. Vous pouvez fermer cette page.' },
  doneProfile: {
    title: 'Vos modifications sont enregistrées',
    text: 'Merci. Vous pouvez fermer cette page.',
  },
  expired: {
    title: 'Cette page a expiré',
    text: 'Pour votre sécurité, l’adresse ne fonctionne que pour une durée limitée. Revenez à votre point de départ et recommencez.',
  },
  used: {
    title: 'Ce formulaire a déjà été envoyé',
    text: 'Vos réponses sont enregistrées. Il est inutile de les envoyer de nouveau.',
  },
  notFound: {
    title: 'Page introuvable',
    text: 'Vérifiez l’adresse, ou revenez à votre point de départ et recommencez.',
  },
  forbidden: {
    title: 'Nous n’avons pas pu vérifier que ce formulaire vient de vous',
    text: 'Rien n’a été enregistré. Autorisez les cookies pour ce site, rouvrez le formulaire et envoyez-le depuis cette page.',
  },
  tooLarge: {
    title: 'C’est trop pour ce formulaire',
    text: 'Rien n’a été enregistré. Revenez en arrière, raccourcissez vos réponses et renvoyez le formulaire.',
  },
  tooMany: {
    title: 'Trop de tentatives',
    text: 'Rien n’a été enregistré. Attendez quelques minutes, revenez en arrière et renvoyez le formulaire.',
  },
  unreadable: {
    title: 'Nous n’avons pas pu lire l’envoi',
    text: 'Rien n’a été enregistré. Revenez en arrière et renvoyez le formulaire.',
  },
  failed: {
    title: 'Désolé, une erreur est survenue',
    text: 'Vos réponses n’ont pas été enregistrées. Réessayez dans quelques minutes.',
  },
  reference: 'Référence',
};

const ES: PageTexts = {
  signUpTitle: 'Crea tu cuenta',
  profileTitle: 'Tu perfil',
  signUpButton: 'Crear cuenta',
  profileButton: 'Guardar cambios',
  faultPrefix: 'Error:',
  faultsHeading: 'Revisa tus respuestas',
  optional: '(opcional)',
  choose: 'Elige una opción',
  yes: 'Sí',
  no: 'No',
  addFirst: 'Añadir',
  addMore: 'Añadir otra entrada',
  remove: 'Quitar',
  removeRow: (label) => `Quitar ${label}`,
  onlyIf: (label, values) => `Solo si «${label}» es ${values}.`,
  doneSignUp: { title: 'Tu cuenta está lista', text: 'Gracias. Puedes cerrar esta página.' },
  doneProfile: {
    title: 'Tus cambios se han guardado',
    text: 'Gracias. Puedes cerrar esta página.',
  },
  expired: {
    title: 'Esta página ha caducado',
    text: 'Por tu seguridad, la dirección funciona durante un tiempo limitado. Vuelve al lugar de donde venías y empieza de nuevo.',
  },
  used: {
    title: 'Este formulario ya se envió',
    text: 'Tus respuestas están guardadas. No hace falta enviarlas otra vez.',
  },
  notFound: {
    title: 'Página no encontrada',
    text: 'Comprueba la dirección, o vuelve al lugar de donde venías y empieza de nuevo.',
  },
  forbidden: {
    title: 'No hemos podido comprobar que el formulario viene de ti',
    text: 'No se ha guardado nada. Permite las cookies de este sitio, abre el formulario otra vez y envíalo desde allí.',
  },
  tooLarge: {
    title: 'Es demasiado para este formulario',
    text: 'No se ha guardado nada. Vuelve atrás, acorta tus respuestas y envía el formulario otra vez.',
  },
  tooMany: {
    title: 'Demasiados intentos',
    text: 'No se ha guardado nada. Espera unos minutos, vuelve atrás y envía el formulario otra vez.',
  },
  unreadable: {
    title: 'No hemos podido leer lo que se envió',
    text: 'No se ha guardado nada. Vuelve atrás y envía el formulario otra vez.',
  },
  failed: {
    title: 'Lo sentimos, algo ha fallado',
    text: 'Tus respuestas no se han guardado. Inténtalo de nuevo en unos minutos.',
  },
  reference: 'Referencia',
};

const CATALOGUES: Readonly<Record<Language, PageTexts>> = { en: EN, de: DE, fr: FR, es: ES };

export function pageTexts(language: Language): PageTexts {
  return CATALOGUES[language];
}

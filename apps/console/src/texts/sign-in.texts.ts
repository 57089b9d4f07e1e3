import { inLanguages } from './in-languages.js';

export const signInTexts = inLanguages({
  en: {
    title: 'Sign in',
    lead: 'The console of Gatehouse: keys, directories, webhooks and forms.',
    withProvider: 'Sign in with your organization',
    withKey: 'Sign in with a key',
    key: 'Administrator key',
    keyHint: 'The key that the first start printed, or an issued key with control scopes.',
    keyRefused: 'No service accepts this key. Check that you copied all of it.',
    signedOut: 'You are signed out.',
    lostAccess: 'Your key was revoked or paused, or it has expired. Sign in again.',
    signOutTitle: 'Sign out?',
    signOutText: 'Your session ends here and, where it can, at your organization.',
    noRole: {
      title: 'You have no role in this console',
      text: 'None of your groups is listed in CONSOLE_ROLES. Ask the administrator of Gatehouse.',
    },
    failed: {
      title: 'The sign-in was not confirmed',
      text: 'It was canceled, took longer than ten minutes, or belongs to another browser. Start again.',
    },
    unavailable: {
      title: 'Your organization cannot be reached',
      text: 'The sign-in page of your organization does not answer. Try again in a moment.',
    },
  },
  de: {
    title: 'Anmelden',
    lead: 'Die Konsole von Gatehouse: Schlüssel, Verzeichnisse, Webhooks und Formulare.',
    withProvider: 'Mit Ihrer Organisation anmelden',
    withKey: 'Mit einem Schlüssel anmelden',
    key: 'Administrator-Schlüssel',
    keyHint: 'Der Schlüssel des ersten Starts oder ein ausgestellter mit Verwaltungsrechten.',
    keyRefused: 'Kein Dienst nimmt diesen Schlüssel an. Prüfen Sie, ob Sie ihn ganz kopiert haben.',
    signedOut: 'Sie sind abgemeldet.',
    lostAccess: 'Ihr Schlüssel wurde widerrufen oder pausiert oder ist abgelaufen.',
    signOutTitle: 'Abmelden?',
    signOutText: 'Ihre Sitzung endet hier und, wo möglich, bei Ihrer Organisation.',
    noRole: {
      title: 'Sie haben keine Rolle in dieser Konsole',
      text: 'Keine Ihrer Gruppen steht in CONSOLE_ROLES. Fragen Sie den Administrator von Gatehouse.',
    },
    failed: {
      title: 'Die Anmeldung wurde nicht bestätigt',
      text: 'Sie wurde abgebrochen, dauerte länger als zehn Minuten oder gehört zu einem anderen Browser. Beginnen Sie neu.',
    },
    unavailable: {
      title: 'Ihre Organisation ist nicht erreichbar',
      text: 'Die Anmeldeseite Ihrer Organisation antwortet nicht. Versuchen Sie es gleich noch einmal.',
    },
  },
  fr: {
    title: 'Se connecter',
    lead: 'La console de Gatehouse : clés, annuaires, webhooks et formulaires.',
    withProvider: 'Se connecter avec votre organisation',
    withKey: 'Se connecter avec une clé',
    key: 'Clé d’administrateur',
    keyHint: 'La clé affichée au premier démarrage, ou une clé avec des droits d’administration.',
    keyRefused: 'Aucun service n’accepte cette clé. Vérifiez que vous l’avez copiée en entier.',
    signedOut: 'Vous êtes déconnecté.',
    lostAccess: 'Votre clé a été révoquée ou suspendue, ou a expiré. Reconnectez-vous.',
    signOutTitle: 'Se déconnecter ?',
    signOutText: 'Votre session se termine ici et, si possible, auprès de votre organisation.',
    noRole: {
      title: 'Vous n’avez aucun rôle dans cette console',
      text: 'Aucun de vos groupes ne figure dans CONSOLE_ROLES. Adressez-vous à l’administrateur de Gatehouse.',
    },
    failed: {
      title: 'La connexion n’a pas été confirmée',
      text: 'Elle a été annulée, a duré plus de dix minutes ou appartient à un autre navigateur. Recommencez.',
    },
    unavailable: {
      title: 'Votre organisation est injoignable',
      text: 'La page de connexion de votre organisation ne répond pas. Réessayez dans un instant.',
    },
  },
  es: {
    title: 'Iniciar sesión',
    lead: 'La consola de Gatehouse: claves, directorios, webhooks y formularios.',
    withProvider: 'Iniciar sesión con su organización',
    withKey: 'Iniciar sesión con una clave',
    key: 'Clave de administrador',
    keyHint: 'La clave que mostró el primer arranque, o una clave con permisos de administración.',
    keyRefused: 'Ningún servicio acepta esta clave. Compruebe que la ha copiado completa.',
    signedOut: 'Ha cerrado la sesión.',
    lostAccess: 'Su clave se ha revocado o pausado, o ha caducado. Vuelva a entrar.',
    signOutTitle: '¿Cerrar la sesión?',
    signOutText: 'Su sesión termina aquí y, si es posible, en su organización.',
    noRole: {
      title: 'No tiene ningún rol en esta consola',
      text: 'Ninguno de sus grupos figura en CONSOLE_ROLES. Consulte al administrador de Gatehouse.',
    },
    failed: {
      title: 'El inicio de sesión no se ha confirmado',
      text: 'Se canceló, tardó más de diez minutos o pertenece a otro navegador. Empiece de nuevo.',
    },
    unavailable: {
      title: 'No se puede acceder a su organización',
      text: 'La página de inicio de sesión de su organización no responde. Inténtelo de nuevo en un momento.',
    },
  },
});

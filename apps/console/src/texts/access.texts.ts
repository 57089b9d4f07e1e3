import { inLanguages } from './in-languages.js';

export const accessTexts = inLanguages({
  en: {
    title: 'Who has access',
    sessions: 'Who is signed in',
    seen: 'Last seen',
    ownKey: 'signed in with an own key',
    you: 'you',
    endText:
      'The person is signed out at once, and the key of the session is revoked. They can sign in again.',
    empty: 'No one is signed in.',
    rolesText:
      'People who sign in at your organization have the highest role of their groups; the setting CONSOLE_ROLES says which groups have a role. Keys may do what their scopes allow.',
    may: 'What they may do',
    everyone: 'everyone',
    mayOf: {
      viewer: 'See everything except secrets.',
      support: 'See everything, issue keys, and pause or revoke them.',
      operator: 'See everything, work with keys, and change directories and their webhooks.',
      administrator: 'Do everything, and end the sessions of others.',
    },
  },
  de: {
    title: 'Wer Zugang hat',
    sessions: 'Wer angemeldet ist',
    seen: 'Zuletzt gesehen',
    ownKey: 'mit eigenem Schlüssel angemeldet',
    you: 'Sie',
    endText:
      'Die Person wird sofort abgemeldet, und der Schlüssel der Sitzung wird widerrufen. Sie kann sich wieder anmelden.',
    empty: 'Niemand ist angemeldet.',
    rolesText:
      'Wer sich bei Ihrer Organisation anmeldet, hat die höchste Rolle seiner Gruppen; die Einstellung CONSOLE_ROLES nennt die Gruppen jeder Rolle. Schlüssel dürfen, was ihre Berechtigungen erlauben.',
    may: 'Was sie dürfen',
    everyone: 'alle',
    mayOf: {
      viewer: 'Alles außer Geheimnissen sehen.',
      support: 'Alles sehen, Schlüssel ausstellen, pausieren und widerrufen.',
      operator:
        'Alles sehen, mit Schlüsseln arbeiten sowie Verzeichnisse und ihre Webhooks ändern.',
      administrator: 'Alles tun und die Sitzungen anderer beenden.',
    },
  },
  fr: {
    title: 'Qui a accès',
    sessions: 'Qui est connecté',
    seen: 'Vu pour la dernière fois',
    ownKey: 'connecté avec sa propre clé',
    you: 'vous',
    endText:
      'La personne est déconnectée immédiatement et la clé de la session est révoquée. Elle peut se reconnecter.',
    empty: 'Personne n’est connecté.',
    rolesText:
      'Les personnes qui se connectent auprès de votre organisation ont le rôle le plus élevé de leurs groupes ; le paramètre CONSOLE_ROLES indique les groupes de chaque rôle. Une clé permet ce que ses portées autorisent.',
    may: 'Ce qu’il permet',
    everyone: 'tout le monde',
    mayOf: {
      viewer: 'Tout voir, sauf les secrets.',
      support: 'Tout voir, émettre des clés, les suspendre et les révoquer.',
      operator: 'Tout voir, gérer les clés, modifier les annuaires et leurs webhooks.',
      administrator: 'Tout faire, et fermer les sessions des autres.',
    },
  },
  es: {
    title: 'Quién tiene acceso',
    sessions: 'Quién ha iniciado sesión',
    seen: 'Visto por última vez',
    ownKey: 'ha entrado con una clave propia',
    you: 'usted',
    endText:
      'La persona sale de inmediato y se revoca la clave de la sesión. Puede volver a entrar.',
    empty: 'Nadie ha iniciado sesión.',
    rolesText:
      'Quien entra con su organización tiene el rol más alto de sus grupos; el ajuste CONSOLE_ROLES indica los grupos de cada rol. Una clave permite lo que autorizan sus permisos.',
    may: 'Qué permite',
    everyone: 'todos',
    mayOf: {
      viewer: 'Ver todo, salvo los secretos.',
      support: 'Ver todo, emitir claves, pausarlas y revocarlas.',
      operator: 'Ver todo, gestionar claves y cambiar directorios y sus webhooks.',
      administrator: 'Hacer todo y cerrar las sesiones de otras personas.',
    },
  },
});

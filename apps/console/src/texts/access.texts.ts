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
    everyone: 'everyone',
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
    everyone: 'alle',
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
    everyone: 'tout le monde',
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
    everyone: 'todos',
  },
});

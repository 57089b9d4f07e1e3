import { type PullGuide, type Permission } from '../guide.types.js';

const SCOPE = 'https://www.googleapis.com/auth/admin.directory';

const PERMISSIONS: readonly Permission[] = [
  { name: 'See info about users on your domain', scope: `${SCOPE}.user.readonly` },
  { name: 'View groups on your domain', scope: `${SCOPE}.group.readonly` },
  { name: 'View group subscriptions on your domain', scope: `${SCOPE}.group.member.readonly` },
];

/** Google sends no SCIM to applications of others, so its directory is read. */
export const GOOGLE: PullGuide = {
  id: 'google',
  name: 'Google Workspace',
  kind: 'pull',
  type: 'workspace',
  steps: [
    {
      kind: 'account',
      instructions: [
        {
          do: 'say',
          text: {
            en: 'Users, groups and who is in which group are read: names, e-mail addresses, phone numbers, titles and departments. Nothing is changed, and no e-mail, file or password is read.',
            de: 'Gelesen werden Nutzer, Gruppen und wer in welcher Gruppe ist: Namen, E-Mail-Adressen, Telefonnummern, Titel und Abteilungen. Nichts wird geändert, und keine E-Mail, keine Datei und kein Passwort wird gelesen.',
            fr: 'Sont lus les utilisateurs, les groupes et qui est dans quel groupe : noms, adresses e-mail, numéros de téléphone, fonctions et services. Rien n’est modifié, et aucun e-mail, fichier ou mot de passe n’est lu.',
            es: 'Se leen los usuarios, los grupos y quién está en qué grupo: nombres, direcciones de correo, teléfonos, cargos y departamentos. No se cambia nada, y no se lee ningún correo, archivo ni contraseña.',
          },
        },
        {
          do: 'review',
          permissions: PERMISSIONS,
        },
        {
          do: 'say',
          text: {
            en: 'Use the account of a super administrator, or one whose role has the Admin API privileges **Users > Read** and **Groups > Read**. The access lasts as long as that account and its role.',
            de: 'Verwenden Sie das Konto eines Super Admins oder eines, dessen Rolle die Admin-API-Berechtigungen **Users > Read** und **Groups > Read** hat. Der Zugriff gilt so lange wie dieses Konto und seine Rolle.',
            fr: 'Utilisez le compte d’un super-administrateur, ou un compte dont le rôle a les droits d’API Admin **Users > Read** et **Groups > Read**. L’accès dure aussi longtemps que ce compte et son rôle.',
            es: 'Use la cuenta de un superadministrador, o una cuyo rol tenga los privilegios de la API de administrador **Users > Read** y **Groups > Read**. El acceso dura lo que duren esa cuenta y su rol.',
          },
        },
      ],
    },
    {
      kind: 'consent',
      instructions: [
        {
          do: 'say',
          text: {
            en: 'Continue to Google, and sign in with that account.',
            de: 'Gehen Sie weiter zu Google, und melden Sie sich mit diesem Konto an.',
            fr: 'Continuez vers Google et connectez-vous avec ce compte.',
            es: 'Continúe a Google e inicie sesión con esa cuenta.',
          },
        },
        {
          do: 'say',
          text: {
            en: 'If Google shows boxes beside the permissions, check all three.',
            de: 'Zeigt Google Kästchen neben den Berechtigungen, setzen Sie alle drei Häkchen.',
            fr: 'Si Google affiche des cases à côté des autorisations, cochez les trois.',
            es: 'Si Google muestra casillas junto a los permisos, marque las tres.',
          },
        },
        { do: 'grant', permissions: PERMISSIONS, button: 'Allow' },
      ],
    },
  ],
  notes: [
    {
      en: 'If Google blocks the application, allow it in the Admin console under **Security > Access and data control > API controls > Manage app access**.',
      de: 'Blockiert Google die Anwendung, erlauben Sie sie in der Admin-Konsole unter **Security > Access and data control > API controls > Manage app access**.',
      fr: 'Si Google bloque l’application, autorisez-la dans la console d’administration sous **Security > Access and data control > API controls > Manage app access**.',
      es: 'Si Google bloquea la aplicación, permítala en la consola de administración en **Security > Access and data control > API controls > Manage app access**.',
    },
  ],
  behavior: [
    'Google pushes SCIM to applications of its catalog only, so Gatehouse reads the directory.',
    'A service account with domain-wide delegation needs no consent, and no setup link; see [Workspace directories](../workspace.md).',
  ],
};

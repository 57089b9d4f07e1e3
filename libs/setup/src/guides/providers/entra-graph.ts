import { type PullGuide, type Permission } from '../guide.types.js';

const PERMISSIONS: readonly Permission[] = [
  { name: "Read all users' full profiles", scope: 'User.Read.All' },
  { name: 'Read all groups', scope: 'Group.Read.All' },
];

/** Entra ID that is read by Microsoft Graph. The guide `entra` is for Entra ID that sends SCIM. */
export const ENTRA_GRAPH: PullGuide = {
  id: 'entra-graph',
  name: 'Microsoft Entra ID',
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
            de: 'Gelesen werden Benutzer, Gruppen und wer in welcher Gruppe ist: Namen, E-Mail-Adressen, Telefonnummern, Titel und Abteilungen. Nichts wird geändert, und keine E-Mail, keine Datei und kein Passwort wird gelesen.',
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
            en: 'Use an account with the role **Global Administrator** or **Privileged Role Administrator**: only these can give an application permissions of Microsoft Graph. The access does not depend on that account afterwards.',
            de: 'Verwenden Sie ein Konto mit der Rolle **Global Administrator** oder **Privileged Role Administrator**: Nur diese können einer Anwendung Berechtigungen von Microsoft Graph geben. Der Zugriff hängt danach nicht von diesem Konto ab.',
            fr: 'Utilisez un compte avec le rôle **Global Administrator** ou **Privileged Role Administrator** : eux seuls peuvent donner à une application des autorisations de Microsoft Graph. Ensuite, l’accès ne dépend pas de ce compte.',
            es: 'Use una cuenta con el rol **Global Administrator** o **Privileged Role Administrator**: solo ellos pueden dar a una aplicación permisos de Microsoft Graph. Después, el acceso no depende de esa cuenta.',
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
            en: 'Continue to Microsoft, and sign in with that account.',
            de: 'Gehen Sie weiter zu Microsoft, und melden Sie sich mit diesem Konto an.',
            fr: 'Continuez vers Microsoft et connectez-vous avec ce compte.',
            es: 'Continúe a Microsoft e inicie sesión con esa cuenta.',
          },
        },
        { do: 'grant', permissions: PERMISSIONS, button: 'Accept' },
      ],
    },
  ],
  notes: [
    {
      en: 'The access ends when you delete the application under **Entra ID > Enterprise apps**.',
      de: 'Der Zugriff endet, wenn Sie die Anwendung unter **Entra ID > Enterprise apps** löschen.',
      fr: 'L’accès prend fin quand vous supprimez l’application sous **Entra ID > Enterprise apps**.',
      es: 'El acceso termina cuando elimina la aplicación en **Entra ID > Enterprise apps**.',
    },
  ],
  behavior: [
    'The permissions are those of the application itself, so no token of the administrator is stored.',
  ],
};

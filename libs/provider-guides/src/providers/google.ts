import { type Guide } from '../guide.types.js';

/** Google sends no SCIM to applications of others, so its directory is read. */
export const GOOGLE: Guide = {
  id: 'google',
  name: 'Google Workspace',
  kind: 'pull',
  type: 'workspace',
  steps: [
    {
      kind: 'consent',
      instructions: [
        {
          do: 'say',
          text: {
            en: 'Open the authorization URL of the directory as a super administrator of the Google Workspace, and allow reading users, groups and members.',
            de: 'Öffnen Sie die Autorisierungs-URL des Verzeichnisses als Super Admin von Google Workspace, und erlauben Sie das Lesen von Nutzern, Gruppen und Mitgliedern.',
            fr: 'Ouvrez l’URL d’autorisation de l’annuaire en tant que super-administrateur de Google Workspace et autorisez la lecture des utilisateurs, des groupes et des membres.',
            es: 'Abra la URL de autorización del directorio como superadministrador de Google Workspace y permita leer usuarios, grupos y miembros.',
          },
        },
        { do: 'press', button: 'Allow' },
      ],
    },
    {
      kind: 'start',
      instructions: [
        {
          do: 'say',
          text: {
            en: 'If the application is blocked, allow it in the Admin console.',
            de: 'Ist die Anwendung blockiert, erlauben Sie sie in der Admin-Konsole.',
            fr: 'Si l’application est bloquée, autorisez-la dans la console d’administration.',
            es: 'Si la aplicación está bloqueada, permítala en la consola de administración.',
          },
        },
        { do: 'open', path: ['Security', 'Access and data control', 'API controls'] },
        { do: 'press', button: 'Manage app access' },
      ],
    },
  ],
  words: {
    address: 'API controls',
    token: 'API controls',
    mapping: 'API controls',
    retry: 'API controls',
  },
  notes: [
    {
      en: 'A service account with domain-wide delegation needs no consent; see [Workspace directories](../workspace.md).',
      de: 'Ein Dienstkonto mit domainweiter Delegierung braucht keine Zustimmung.',
      fr: 'Un compte de service avec délégation au niveau du domaine n’a pas besoin de consentement.',
      es: 'Una cuenta de servicio con delegación de todo el dominio no necesita consentimiento.',
    },
  ],
  behaviour: [
    'Google pushes SCIM to applications of its catalogue only, so Gatehouse reads the directory.',
  ],
};

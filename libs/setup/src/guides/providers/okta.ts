import { type ScimGuide } from '../guide.types.js';

export const OKTA: ScimGuide = {
  id: 'okta',
  name: 'Okta',
  kind: 'scim',
  type: 'okta-scim-v2',
  steps: [
    {
      kind: 'app',
      instructions: [
        { do: 'open', path: ['Applications', 'Applications'] },
        {
          do: 'say',
          text: {
            en: 'Open the SAML or SWA integration of this application. If there is none, select **Create App Integration** and create one; Okta offers no SCIM for OpenID Connect integrations.',
            de: 'Öffnen Sie die SAML- oder SWA-Integration dieser Anwendung. Gibt es keine, wählen Sie **Create App Integration** und legen Sie eine an; für OpenID-Connect-Integrationen bietet Okta kein SCIM.',
            fr: 'Ouvrez l’intégration SAML ou SWA de cette application. S’il n’y en a pas, sélectionnez **Create App Integration** et créez-en une ; Okta ne propose pas SCIM pour les intégrations OpenID Connect.',
            es: 'Abra la integración SAML o SWA de esta aplicación. Si no existe, seleccione **Create App Integration** y cree una; Okta no ofrece SCIM para integraciones OpenID Connect.',
          },
        },
        { do: 'open', path: ['General', 'App Settings', 'Edit'] },
        { do: 'choose', field: 'Provisioning', option: 'SCIM' },
        { do: 'press', button: 'Save' },
      ],
    },
    {
      kind: 'connect',
      instructions: [
        { do: 'open', path: ['Provisioning', 'Integration', 'Edit'] },
        { do: 'enter', field: 'SCIM connector base URL', value: { is: 'address' } },
        { do: 'enter', field: 'Unique identifier field for users', value: { text: 'userName' } },
        { do: 'turnOn', names: ['Push New Users', 'Push Profile Updates', 'Push Groups'] },
        { do: 'choose', field: 'Authentication Mode', option: 'HTTP Header' },
        { do: 'enter', field: 'Authorization', value: { is: 'token' } },
        { do: 'press', button: 'Test Connector Configuration' },
        { do: 'press', button: 'Save' },
      ],
    },
    {
      kind: 'attributes',
      instructions: [
        { do: 'open', path: ['Provisioning', 'To App', 'Edit'] },
        { do: 'turnOn', names: ['Create Users', 'Update User Attributes', 'Deactivate Users'] },
        { do: 'press', button: 'Save' },
      ],
    },
    {
      kind: 'people',
      instructions: [
        { do: 'open', path: ['Assignments', 'Assign'] },
        {
          do: 'say',
          text: {
            en: 'Assign people or groups. Okta sends them as users.',
            de: 'Weisen Sie Personen oder Gruppen zu. Okta sendet sie als Benutzer.',
            fr: 'Attribuez des personnes ou des groupes. Okta les envoie comme utilisateurs.',
            es: 'Asigne personas o grupos. Okta los envía como usuarios.',
          },
        },
        { do: 'open', path: ['Push Groups', 'Push Groups', 'Find groups by name'] },
        {
          do: 'say',
          text: {
            en: 'Select the groups to send. Do not push the groups through which the application is assigned.',
            de: 'Wählen Sie die Gruppen, die gesendet werden. Nehmen Sie andere als die, über die die Anwendung zugewiesen ist.',
            fr: 'Sélectionnez les groupes à envoyer. N’envoyez pas les groupes par lesquels l’application est attribuée.',
            es: 'Seleccione los grupos que se envían. No envíe los grupos mediante los que se asigna la aplicación.',
          },
        },
      ],
    },
  ],
  words: {
    address: 'SCIM connector base URL',
    token: 'Authorization',
    mapping: 'Provisioning > To App > Attribute Mappings',
    retry: 'Dashboard > Tasks',
  },
  notes: [
    {
      en: 'Okta never deletes a user; it sets `active` to false. Unlinking a group may delete it.',
      de: 'Okta löscht nie einen Benutzer, sondern setzt `active` auf false. Wird eine Gruppe getrennt, kann sie gelöscht werden.',
      fr: 'Okta ne supprime jamais un utilisateur ; il met `active` à false. Dissocier un groupe peut le supprimer.',
      es: 'Okta nunca elimina un usuario; pone `active` en false. Desvincular un grupo puede eliminarlo.',
    },
    {
      en: 'Okta does not repeat a change that was refused with 400.',
      de: 'Eine Änderung, die mit 400 abgelehnt wurde, wiederholt Okta nicht.',
      fr: 'Okta ne répète pas une modification refusée avec 400.',
      es: 'Okta no repite un cambio que se rechazó con 400.',
    },
  ],
  behavior: [
    'To try it without an integration of your own, add **SCIM 2.0 Test App (OAuth Bearer Token)** from **Applications > Browse App Catalog**, which Okta intends for development only. Its fields are **SCIM 2.0 Base Url** and **OAuth Bearer Token**.',
    'The base URL must not contain an underscore. Directory ids have none; make sure that `EXTERNAL_URL` has none either.',
    'Okta waits 60 seconds for a response.',
    'Okta imports in pages of 100, by `startIndex`, and depends on correct totals and a stable order.',
    "Okta sends the group's name with each change of its members. An unchanged name causes no event.",
    'Okta sends a placeholder `password`, which is discarded.',
  ],
};

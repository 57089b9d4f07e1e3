import { type ScimGuide } from '../guide.types.js';

export const RIPPLING: ScimGuide = {
  id: 'rippling',
  name: 'Rippling',
  kind: 'scim',
  type: 'generic-scim-v2',
  steps: [
    {
      kind: 'app',
      instructions: [
        {
          do: 'open',
          path: ['IT', 'Third-Party Access', 'Add Integration', 'Create New Custom Integration'],
        },
        { do: 'turnOn', names: ['User Management via SCIM'] },
        { do: 'press', button: 'Continue' },
      ],
    },
    {
      kind: 'connect',
      instructions: [
        { do: 'choose', field: 'SCIM version', option: '2.0' },
        { do: 'enter', field: 'SCIM base URL', value: { is: 'address' } },
        { do: 'choose', field: 'SCIM authorization method', option: 'Bearer Token' },
        {
          do: 'turnOn',
          names: [
            'Supports groups',
            'Supports pagination',
            'Create & Delete Groups',
            'Use PATCH to edit Groups',
          ],
        },
        { do: 'press', button: 'Continue' },
        { do: 'press', button: 'Install now' },
        { do: 'enter', field: 'Bearer Token', value: { is: 'token' } },
      ],
    },
    {
      kind: 'attributes',
      instructions: [
        {
          do: 'say',
          text: {
            en: 'Under **Supported SCIM Attributes**, add `externalId`, `emails.primary`, `name.givenName` and `name.familyName`. Under **Attribute Mappings**, set each of them to **On user creation and updates**.',
            de: 'Fügen Sie unter **Supported SCIM Attributes** `externalId`, `emails.primary`, `name.givenName` und `name.familyName` hinzu. Setzen Sie unter **Attribute Mappings** jedes davon auf **On user creation and updates**.',
            fr: 'Sous **Supported SCIM Attributes**, ajoutez `externalId`, `emails.primary`, `name.givenName` et `name.familyName`. Sous **Attribute Mappings**, réglez chacun sur **On user creation and updates**.',
            es: 'En **Supported SCIM Attributes**, añada `externalId`, `emails.primary`, `name.givenName` y `name.familyName`. En **Attribute Mappings**, ponga cada uno en **On user creation and updates**.',
          },
        },
      ],
    },
    {
      kind: 'people',
      instructions: [
        {
          do: 'say',
          text: {
            en: 'Choose under **App Access Rules** who gets the application, and match or create their accounts.',
            de: 'Wählen Sie unter **App Access Rules**, wer die Anwendung bekommt, und ordnen Sie die Konten zu oder legen Sie sie an.',
            fr: 'Choisissez sous **App Access Rules** qui reçoit l’application, puis associez ou créez les comptes.',
            es: 'Elija en **App Access Rules** quién recibe la aplicación, y asocie o cree sus cuentas.',
          },
        },
      ],
    },
  ],
  words: {
    address: 'SCIM base URL',
    token: 'Bearer Token',
    mapping: 'Attribute Mappings',
    retry: 'App Access Rules',
  },
  notes: [],
  behavior: [
    'Bodies of requests are not public. Rippling is treated as a generic client of SCIM 2.0.',
  ],
};

import { type ScimGuide } from '../guide.types.js';

export const OTHER: ScimGuide = {
  id: 'other',
  name: 'SCIM 2.0',
  kind: 'scim',
  type: 'generic-scim-v2',
  steps: [
    {
      kind: 'app',
      instructions: [
        {
          do: 'say',
          text: {
            en: 'In your identity provider, create an application that provisions users by SCIM 2.0.',
            de: 'Legen Sie in Ihrem Identitätsanbieter eine Anwendung an, die Benutzer über SCIM 2.0 bereitstellt.',
            fr: 'Dans votre fournisseur d’identité, créez une application qui approvisionne les utilisateurs par SCIM 2.0.',
            es: 'En su proveedor de identidad, cree una aplicación que aprovisione usuarios mediante SCIM 2.0.',
          },
        },
      ],
    },
    {
      kind: 'connect',
      instructions: [
        { do: 'enter', field: 'SCIM base URL', value: { is: 'address' } },
        { do: 'enter', field: 'Bearer token', value: { is: 'token' } },
      ],
    },
    {
      kind: 'people',
      instructions: [
        {
          do: 'say',
          text: {
            en: 'Map the attribute with which people sign in to `userName`. Assign people and groups, and turn provisioning on.',
            de: 'Ordnen Sie das Attribut, mit dem sich Personen anmelden, `userName` zu. Weisen Sie Personen und Gruppen zu, und schalten Sie die Bereitstellung ein.',
            fr: 'Associez à `userName` l’attribut avec lequel les personnes se connectent. Attribuez des personnes et des groupes, puis activez l’approvisionnement.',
            es: 'Asigne a `userName` el atributo con el que las personas inician sesión. Asigne personas y grupos, y active el aprovisionamiento.',
          },
        },
      ],
    },
  ],
  words: {
    address: 'SCIM base URL',
    token: 'Bearer token',
    mapping: 'Attribute mapping',
    retry: 'Provisioning',
  },
  notes: [],
  behavior: [],
};

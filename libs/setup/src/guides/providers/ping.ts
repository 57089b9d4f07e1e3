import { type ScimGuide } from '../guide.types.js';

export const PING: ScimGuide = {
  id: 'ping',
  name: 'PingOne',
  kind: 'scim',
  type: 'generic-scim-v2',
  steps: [
    {
      kind: 'app',
      instructions: [
        { do: 'open', path: ['Integrations', 'Provisioning', '+', 'New connection'] },
        { do: 'choose', field: 'Identity Store', option: 'SCIM Outbound' },
        { do: 'press', button: 'Next' },
      ],
    },
    {
      kind: 'connect',
      instructions: [
        { do: 'enter', field: 'SCIM Base URL', value: { is: 'address' } },
        { do: 'enter', field: 'Users Resource', value: { text: '/Users' } },
        { do: 'choose', field: 'SCIM Version', option: '2.0' },
        { do: 'enter', field: 'Groups Resource', value: { text: '/Groups' } },
        { do: 'choose', field: 'Authentication Method', option: 'OAuth 2 Bearer Token' },
        { do: 'enter', field: 'OAuth Access Token', value: { is: 'token' } },
        { do: 'choose', field: 'Auth Type Header', option: 'Bearer' },
        { do: 'press', button: 'Test Connection' },
      ],
    },
    {
      kind: 'attributes',
      instructions: [
        { do: 'enter', field: 'User Filter Expression', value: { text: 'userName eq "%s"' } },
        { do: 'choose', field: 'User Identifier', option: 'userName' },
        { do: 'press', button: 'Save' },
        {
          do: 'say',
          text: {
            en: 'Turn the connection on.',
            de: 'Schalten Sie die Verbindung ein.',
            fr: 'Activez la connexion.',
            es: 'Active la conexión.',
          },
        },
      ],
    },
    {
      kind: 'people',
      instructions: [
        { do: 'open', path: ['Integrations', 'Provisioning', '+', 'New rule'] },
        {
          do: 'say',
          text: {
            en: 'Add the connection to the rule. **User Filter** chooses the people, **Group Provisioning** the groups, **Attribute Mapping** what is sent. Then turn the rule on.',
            de: 'Fügen Sie der Regel die Verbindung hinzu. **User Filter** wählt die Personen, **Group Provisioning** die Gruppen, **Attribute Mapping** was gesendet wird. Schalten Sie dann die Regel ein.',
            fr: 'Ajoutez la connexion à la règle. **User Filter** choisit les personnes, **Group Provisioning** les groupes, **Attribute Mapping** ce qui est envoyé. Activez ensuite la règle.',
            es: 'Añada la conexión a la regla. **User Filter** elige a las personas, **Group Provisioning** los grupos, **Attribute Mapping** lo que se envía. Después active la regla.',
          },
        },
      ],
    },
  ],
  words: {
    address: 'SCIM Base URL',
    token: 'OAuth Access Token',
    mapping: 'Attribute Mapping',
    retry: 'Integrations > Provisioning',
  },
  notes: [
    {
      en: 'PingFederate has the same settings under other names: **SCIM URL**, **Authentication Methods**, **Access Token**, **Unique User Identifier**.',
      de: 'PingFederate hat dieselben Einstellungen unter anderen Namen: **SCIM URL**, **Authentication Methods**, **Access Token**, **Unique User Identifier**.',
      fr: 'PingFederate a les mêmes réglages sous d’autres noms : **SCIM URL**, **Authentication Methods**, **Access Token**, **Unique User Identifier**.',
      es: 'PingFederate tiene los mismos ajustes con otros nombres: **SCIM URL**, **Authentication Methods**, **Access Token**, **Unique User Identifier**.',
    },
  ],
  behavior: [
    'PingFederate updates users by PUT and groups by PATCH. It finds users by `userName` or `emails`, and groups by reading all of them.',
  ],
};

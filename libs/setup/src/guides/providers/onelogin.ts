import { type ScimGuide } from '../guide.types.js';

export const ONELOGIN: ScimGuide = {
  id: 'onelogin',
  name: 'OneLogin',
  kind: 'scim',
  type: 'onelogin-scim-v2',
  steps: [
    {
      kind: 'app',
      instructions: [
        { do: 'open', path: ['Applications', 'Applications', 'Add App'] },
        { do: 'find', name: 'SCIM Provisioner with SAML (SCIM v2 Enterprise)' },
        { do: 'press', button: 'Save' },
      ],
    },
    {
      kind: 'connect',
      instructions: [
        { do: 'open', path: ['Configuration'] },
        { do: 'enter', field: 'SCIM Base URL', value: { is: 'address' } },
        { do: 'enter', field: 'SCIM Bearer Token', value: { is: 'token' } },
        { do: 'press', button: 'Save' },
        { do: 'choose', field: 'API Status', option: 'Enable' },
        { do: 'press', button: 'Save' },
      ],
    },
    {
      kind: 'attributes',
      instructions: [
        { do: 'open', path: ['Parameters'] },
        { do: 'choose', field: 'SCIM Username', option: 'Email' },
        { do: 'open', path: ['Provisioning'] },
        { do: 'turnOn', names: ['Enable provisioning'] },
        { do: 'press', button: 'Save' },
      ],
    },
    {
      kind: 'people',
      instructions: [
        { do: 'open', path: ['Parameters', 'Groups'] },
        { do: 'turnOn', names: ['Include in User Provisioning'] },
        { do: 'open', path: ['Rules', 'Add Rule'] },
        {
          do: 'say',
          text: {
            en: 'Add a rule with the action **Set Groups in** this application. Then give people the application under **Access** or **Users**. If an approval is required, approve each user under **Users**, **Pending**.',
            de: 'Fügen Sie eine Regel mit der Aktion **Set Groups in** dieser Anwendung hinzu. Geben Sie dann Personen die Anwendung unter **Access** oder **Users**. Ist eine Freigabe nötig, geben Sie jeden Benutzer unter **Users**, **Pending** frei.',
            fr: 'Ajoutez une règle avec l’action **Set Groups in** cette application. Donnez ensuite l’application aux personnes sous **Access** ou **Users**. Si une approbation est requise, approuvez chaque utilisateur sous **Users**, **Pending**.',
            es: 'Añada una regla con la acción **Set Groups in** esta aplicación. Después dé la aplicación a las personas en **Access** o **Users**. Si se requiere aprobación, apruebe a cada usuario en **Users**, **Pending**.',
          },
        },
      ],
    },
  ],
  words: {
    address: 'SCIM Base URL',
    token: 'SCIM Bearer Token',
    mapping: 'Parameters',
    retry: 'Users > Sync Logins',
  },
  notes: [
    {
      en: 'OneLogin updates users as a whole: what is missing in **SCIM JSON Template** is removed.',
      de: 'OneLogin ersetzt Benutzer als Ganzes: Was in **SCIM JSON Template** fehlt, wird entfernt.',
      fr: 'OneLogin remplace les utilisateurs en entier : ce qui manque dans **SCIM JSON Template** est supprimé.',
      es: 'OneLogin sustituye a los usuarios por completo: lo que falta en **SCIM JSON Template** se elimina.',
    },
    {
      en: 'A rule can only name groups that exist here; **Provisioning**, **Entitlements**, **Refresh** loads them.',
      de: 'Eine Regel kann nur Gruppen nennen, die es hier gibt; **Provisioning**, **Entitlements**, **Refresh** lädt sie.',
      fr: 'Une règle ne peut nommer que des groupes qui existent ici ; **Provisioning**, **Entitlements**, **Refresh** les charge.',
      es: 'Una regla solo puede nombrar grupos que existen aquí; **Provisioning**, **Entitlements**, **Refresh** los carga.',
    },
  ],
  behavior: [
    'The template determines what is sent. Unusual templates are accepted: an object instead of a list for `emails`, strings for booleans, SCIM 1.1 names and unknown attributes. `userName` is required.',
    'When you enable the connection, OneLogin queries a user that does not exist and expects an empty list.',
    'Under **Provisioning**, OneLogin offers what happens when a user is deleted or suspended: _Delete_ or _Suspend_ (`active: false`).',
    'OneLogin reads all groups before it maps any, and adds users to them by PATCH.',
  ],
};

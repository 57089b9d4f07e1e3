import { type ScimGuide } from '../guide.types.js';

export const ENTRA: ScimGuide = {
  id: 'entra',
  name: 'Microsoft Entra ID',
  kind: 'scim',
  type: 'azure-scim-v2',
  steps: [
    {
      kind: 'app',
      instructions: [
        { do: 'open', path: ['Entra ID', 'Enterprise apps', 'New application'] },
        { do: 'press', button: 'Create your own application' },
        {
          do: 'choose',
          field: 'What are you looking to do with your application?',
          option: "Integrate any other application you don't find in the gallery (Non-gallery)",
        },
        { do: 'press', button: 'Create' },
      ],
    },
    {
      kind: 'connect',
      instructions: [
        { do: 'open', path: ['Provisioning', 'New configuration'] },
        {
          do: 'enter',
          field: 'Tenant URL',
          value: { is: 'address', suffix: '?aadOptscim062020' },
        },
        { do: 'enter', field: 'Secret token', value: { is: 'token' } },
        { do: 'press', button: 'Test connection' },
        { do: 'press', button: 'Create' },
      ],
    },
    {
      kind: 'attributes',
      instructions: [
        {
          do: 'open',
          path: ['Provisioning', 'Attribute mapping', 'Provision Microsoft Entra ID Users'],
        },
        {
          do: 'say',
          text: {
            en: 'The attribute with which people sign in must be mapped to `userName`; it is **userPrincipalName** unless you change it.',
            de: 'Das Attribut, mit dem sich Personen anmelden, muss `userName` zugeordnet sein; ohne Änderung ist es **userPrincipalName**.',
            fr: 'L’attribut avec lequel les personnes se connectent doit être associé à `userName` ; sans modification, c’est **userPrincipalName**.',
            es: 'El atributo con el que las personas inician sesión debe estar asignado a `userName`; si no lo cambia, es **userPrincipalName**.',
          },
        },
      ],
    },
    {
      kind: 'people',
      instructions: [
        { do: 'open', path: ['Users and groups', 'Add user/group'] },
        {
          do: 'say',
          text: {
            en: 'Choose who is in scope. Nested groups are not expanded: assign every group whose members are needed.',
            de: 'Wählen Sie, wer dazugehört. Verschachtelte Gruppen werden nicht aufgelöst: Weisen Sie jede Gruppe zu, deren Mitglieder gebraucht werden.',
            fr: 'Choisissez qui est concerné. Les groupes imbriqués ne sont pas développés : attribuez chaque groupe dont les membres sont nécessaires.',
            es: 'Elija a quién incluir. Los grupos anidados no se expanden: asigne cada grupo cuyos miembros se necesiten.',
          },
        },
      ],
    },
    {
      kind: 'start',
      instructions: [
        { do: 'open', path: ['Provisioning', 'Overview'] },
        { do: 'press', button: 'Start provisioning' },
        {
          do: 'say',
          text: {
            en: 'The first cycle starts within minutes, later ones every 20 to 40 minutes. **Provision on demand** sends one user at once.',
            de: 'Der erste Durchlauf beginnt nach wenigen Minuten, weitere alle 20 bis 40 Minuten. **Provision on demand** sendet einen Benutzer sofort.',
            fr: 'Le premier cycle commence après quelques minutes, les suivants toutes les 20 à 40 minutes. **Provision on demand** envoie un utilisateur tout de suite.',
            es: 'El primer ciclo empieza en pocos minutos, los siguientes cada 20 a 40 minutos. **Provision on demand** envía un usuario enseguida.',
          },
        },
      ],
    },
  ],
  words: {
    address: 'Tenant URL',
    token: 'Secret token',
    mapping: 'Provisioning > Attribute mapping',
    retry: 'Provision on demand',
  },
  notes: [
    {
      en: 'Users who are unassigned or disabled are set to `active: false`, and deleted about 30 days after they are deleted in Entra ID.',
      de: 'Benutzer, die nicht mehr zugewiesen oder deaktiviert sind, werden auf `active: false` gesetzt und etwa 30 Tage nach der Löschung in Entra ID gelöscht.',
      fr: 'Les utilisateurs non attribués ou désactivés passent à `active: false` et sont supprimés environ 30 jours après leur suppression dans Entra ID.',
      es: 'Los usuarios sin asignar o desactivados pasan a `active: false` y se eliminan unos 30 días después de eliminarse en Entra ID.',
    },
    {
      en: 'If most requests fail, Entra ID puts the job in quarantine and tries less often. **Restart provisioning** ends it.',
      de: 'Schlagen die meisten Anfragen fehl, stellt Entra ID den Auftrag unter Quarantäne und versucht es seltener. **Restart provisioning** beendet das.',
      fr: 'Si la plupart des requêtes échouent, Entra ID met la tâche en quarantaine et essaie moins souvent. **Restart provisioning** y met fin.',
      es: 'Si la mayoría de las solicitudes falla, Entra ID pone el trabajo en cuarentena y lo intenta con menos frecuencia. **Restart provisioning** la termina.',
    },
  ],
  behavior: [
    '`?aadOptscim062020` makes Entra ID send requests that comply with the RFC. Both dialects are supported, so it is optional.',
    '**Test connection** queries a user that does not exist and expects an empty list.',
    'Groups are created empty and filled by PATCH. Two groups with the same display name conflict (409).',
    'A manager is sent in a later cycle than the user, as an id that may not exist in the directory.',
    'If more than 40 percent of at least 5,000 requests fail, Entra ID quarantines the job: it retries after 6, 12 and 24 hours, then daily, and disables the job after four weeks.',
    'Gallery applications must support 25 requests per second for each tenant.',
  ],
};

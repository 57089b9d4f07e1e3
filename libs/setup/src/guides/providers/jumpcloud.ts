import { type ScimGuide } from '../guide.types.js';

export const JUMPCLOUD: ScimGuide = {
  id: 'jumpcloud',
  name: 'JumpCloud',
  kind: 'scim',
  type: 'jumpcloud-scim-v2',
  steps: [
    {
      kind: 'app',
      instructions: [
        { do: 'open', path: ['SSO Applications', 'Add New Application', 'Custom Application'] },
        { do: 'turnOn', names: ['Export users to this app (Identity Management)'] },
        { do: 'press', button: 'Save Application' },
        { do: 'press', button: 'Configure Application' },
      ],
    },
    {
      kind: 'connect',
      instructions: [
        { do: 'open', path: ['Identity Management'] },
        { do: 'choose', field: 'SCIM Version', option: 'SCIM 2.0' },
        { do: 'enter', field: 'Base URL', value: { is: 'address' } },
        { do: 'enter', field: 'Token Key', value: { is: 'token' } },
        {
          do: 'say',
          text: {
            en: 'In **Test User Email**, enter an address that no one in the directory has.',
            de: 'Geben Sie in **Test User Email** eine Adresse ein, die niemand im Verzeichnis hat.',
            fr: 'Dans **Test User Email**, saisissez une adresse que personne n’a dans l’annuaire.',
            es: 'En **Test User Email**, introduzca una dirección que nadie tenga en el directorio.',
          },
        },
        { do: 'turnOn', names: ['Group Management'] },
        { do: 'press', button: 'Test Connection' },
        { do: 'press', button: 'Activate' },
        { do: 'press', button: 'Save' },
      ],
    },
    {
      kind: 'people',
      instructions: [
        { do: 'open', path: ['User Groups'] },
        {
          do: 'say',
          text: {
            en: 'Select the groups whose members get the application, and select **Save**.',
            de: 'Wählen Sie die Gruppen, deren Mitglieder die Anwendung bekommen, und wählen Sie **Save**.',
            fr: 'Sélectionnez les groupes dont les membres reçoivent l’application, puis **Save**.',
            es: 'Seleccione los grupos cuyos miembros reciben la aplicación y después **Save**.',
          },
        },
      ],
    },
  ],
  words: {
    address: 'Base URL',
    token: 'Token Key',
    mapping: 'Identity Management',
    retry: 'User Groups',
  },
  notes: [
    {
      en: '**Test Connection** creates, updates and deletes a test user and a test group.',
      de: '**Test Connection** legt einen Testbenutzer und eine Testgruppe an, ändert und löscht sie.',
      fr: '**Test Connection** crée, modifie et supprime un utilisateur et un groupe de test.',
      es: '**Test Connection** crea, modifica y elimina un usuario y un grupo de prueba.',
    },
    {
      en: 'A custom application has no mapping of attributes.',
      de: 'Eine eigene Anwendung hat keine Zuordnung von Attributen.',
      fr: 'Une application personnalisée n’a pas d’association d’attributs.',
      es: 'Una aplicación personalizada no tiene asignación de atributos.',
    },
  ],
  behavior: [
    'The test user and the test group of every **Test Connection** are real requests, so your application receives their events.',
    'JumpCloud looks up users by `userName` before it creates them, and updates them by PUT or PATCH.',
    'Users who lose the application are set to `active: false`, or deleted, depending on the settings.',
  ],
};

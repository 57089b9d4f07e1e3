/** The schema `example` of the local stack, with one question of each kind. */
export const EXAMPLE_SCHEMA_ID = 'example';

export const exampleSchema: Record<string, unknown> = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Create your account',
  description: 'It takes about two minutes. You can change your answers later.',
  'x-i18n': {
    de: {
      title: 'Konto anlegen',
      description: 'Es dauert etwa zwei Minuten. Sie können Ihre Angaben später ändern.',
    },
  },
  type: 'object',
  required: ['traits'],
  properties: {
    traits: {
      type: 'object',
      required: ['name', 'email'],
      additionalProperties: false,
      properties: {
        name: {
          type: 'string',
          title: 'Full name',
          minLength: 2,
          maxLength: 100,
          'x-i18n': { de: { title: 'Name' } },
        },
        email: {
          type: 'string',
          format: 'email',
          title: 'E-mail address',
          description: 'We only use it to reach you about your account.',
          maxLength: 254,
          'x-identifier': true,
          'x-i18n': {
            de: {
              title: 'E-Mail-Adresse',
              description: 'Wir schreiben Ihnen nur wegen Ihres Kontos.',
            },
          },
        },
        age: {
          type: 'integer',
          title: 'Age',
          minimum: 16,
          maximum: 130,
          'x-i18n': { de: { title: 'Alter' } },
        },
        newsletter: {
          type: 'boolean',
          title: 'Send me the monthly newsletter',
          'x-i18n': { de: { title: 'Ich möchte den monatlichen Newsletter' } },
        },
        address: {
          type: 'object',
          title: 'Address',
          'x-i18n': { de: { title: 'Anschrift' } },
          required: ['city'],
          properties: {
            street: {
              type: 'string',
              title: 'Street and number',
              maxLength: 100,
              'x-i18n': { de: { title: 'Straße und Hausnummer' } },
            },
            postcode: {
              type: 'string',
              title: 'Postcode',
              maxLength: 12,
              'x-i18n': { de: { title: 'Postleitzahl' } },
            },
            city: {
              type: 'string',
              title: 'Town or city',
              maxLength: 80,
              'x-i18n': { de: { title: 'Ort' } },
            },
          },
        },
        interests: {
          type: 'array',
          title: 'Interests',
          description: 'For example: climbing, pottery, chess.',
          maxItems: 10,
          items: { type: 'string', title: 'Interest', minLength: 2, maxLength: 40 },
          'x-i18n': {
            de: { title: 'Interessen', description: 'Zum Beispiel: Klettern, Töpfern, Schach.' },
          },
        },
        phones: {
          type: 'array',
          title: 'Phone numbers',
          maxItems: 5,
          items: {
            type: 'object',
            title: 'Phone number',
            required: ['number'],
            properties: {
              kind: {
                type: 'string',
                title: 'Kind',
                oneOf: [
                  { const: 'mobile', title: 'Mobile', 'x-i18n': { de: { title: 'Mobil' } } },
                  { const: 'home', title: 'Home', 'x-i18n': { de: { title: 'Privat' } } },
                  { const: 'work', title: 'Work', 'x-i18n': { de: { title: 'Arbeit' } } },
                ],
                'x-i18n': { de: { title: 'Art' } },
              },
              number: {
                type: 'string',
                format: 'tel',
                title: 'Number',
                maxLength: 30,
                'x-i18n': { de: { title: 'Nummer' } },
              },
            },
            'x-i18n': { de: { title: 'Telefonnummer' } },
          },
          'x-i18n': { de: { title: 'Telefonnummern' } },
        },
      },
    },
  },
};

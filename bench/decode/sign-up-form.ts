/**
 * A sign-up form of 23 fields, as a browser sends it: 817 bytes of text, numbers, dates, checkboxes
 * with their hidden `false`, an address, a list.
 */

const object = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const text = { type: 'string', minLength: 1, maxLength: 100 };

export const schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Sign up',
  type: 'object',
  properties: {
    traits: object(
      {
        email: { type: 'string', format: 'email', 'x-identifier': true },
        name: object({ first: text, last: text, middle: text }, ['first', 'last']),
        birthday: { type: 'string', format: 'date' },
        age: { type: 'integer', minimum: 13, maximum: 150 },
        height: { type: 'number', exclusiveMinimum: 0 },
        phone: { type: 'string', maxLength: 32 },
        website: { type: 'string', format: 'uri' },
        bio: { type: 'string', maxLength: 500 },
        language: { type: 'string', enum: ['en', 'de', 'fr', 'es'] },
        plan: { type: 'string', enum: ['free', 'team', 'company'] },
        seats: { type: 'integer', minimum: 1 },
        newsletter: { type: 'boolean' },
        terms: { const: true },
        address: object(
          { street: text, city: text, zip: { type: 'string', maxLength: 12 }, country: text },
          ['city', 'country'],
        ),
        interests: { type: 'array', items: { type: 'string' }, uniqueItems: true },
        score: { type: 'number', multipleOf: 0.5 },
      },
      ['email', 'name', 'terms'],
    ),
  },
  required: ['traits'],
};

/** Name and value in the order of the page. */
export const fields: [name: string, value: string][] = [
  ['traits.email', 'ada.lovelace@example.com'],
  ['traits.name.first', 'Ada'],
  ['traits.name.middle', 'Augusta King'],
  ['traits.name.last', 'Lovelace'],
  ['traits.birthday', '1815-12-10'],
  ['traits.age', '36'],
  ['traits.height', '1.65'],
  ['traits.phone', '+44 20 7946 0958'],
  ['traits.website', 'https://example.com/people/ada?view=full'],
  [
    'traits.bio',
    'First programmer.\r\nWrote notes on the Analytical Engine, longer than the paper itself.',
  ],
  ['traits.language', 'en'],
  ['traits.plan', 'team'],
  ['traits.seats', '12'],
  ['traits.newsletter', 'false'],
  ['traits.newsletter', 'true'],
  ['traits.terms', 'false'],
  ['traits.terms', 'true'],
  ['traits.address.street', "12 St James's Square"],
  ['traits.address.city', 'London'],
  ['traits.address.zip', 'SW1Y 4JH'],
  ['traits.address.country', 'United Kingdom'],
  ['traits.interests', 'mathematics'],
  ['traits.interests', 'poetry'],
];

export const body = new URLSearchParams(fields).toString();

export const traits = {
  email: 'ada.lovelace@example.com',
  name: { first: 'Ada', middle: 'Augusta King', last: 'Lovelace' },
  birthday: '1815-12-10',
  age: 36,
  height: 1.65,
  phone: '+44 20 7946 0958',
  website: 'https://example.com/people/ada?view=full',
  bio: 'First programmer.\nWrote notes on the Analytical Engine, longer than the paper itself.',
  language: 'en',
  plan: 'team',
  seats: 12,
  newsletter: true,
  terms: true,
  address: {
    street: "12 St James's Square",
    city: 'London',
    zip: 'SW1Y 4JH',
    country: 'United Kingdom',
  },
  interests: ['mathematics', 'poetry'],
};

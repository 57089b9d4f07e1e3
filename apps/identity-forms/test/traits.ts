/** One property of each type, for decoding. */
export const PERSON = {
  required: ['email'],
  properties: {
    email: { type: 'string', format: 'email', title: 'E-mail' },
    age: { type: 'integer', minimum: 16 },
    score: { type: 'number' },
    newsletter: { type: 'boolean' },
    plan: { type: 'string', default: 'free' },
    nickname: { type: ['string', 'null'] },
    address: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        geo: { type: 'object', properties: { lat: { type: 'number' } } },
      },
    },
    tags: { type: 'array', items: { type: 'string' } },
    phones: {
      type: 'array',
      items: {
        type: 'object',
        properties: { number: { type: 'string' }, main: { type: 'boolean' } },
      },
    },
  },
};

/** Properties that a form shows and some that it does not, for flows. */
export const MEMBER = {
  required: ['email'],
  properties: {
    email: { type: 'string', format: 'email', title: 'E-mail', 'x-identifier': true },
    newsletter: { type: 'boolean', title: 'Newsletter' },
    nickname: { type: ['string', 'null'], title: 'Nickname' },
    tags: { type: 'array', items: { type: 'string' }, title: 'Tags' },
    role: { type: 'string', readOnly: true, default: 'member' },
    credit: { type: 'number', 'x-immutable': true },
  },
};

/** With two identifiers. */
export const USER = {
  required: ['email'],
  properties: {
    email: { type: 'string', format: 'email', 'x-identifier': true },
    username: { type: 'string', maxLength: 70_000, 'x-identifier': true },
    age: { type: 'integer', minimum: 16 },
    address: { type: 'object', properties: { city: { type: 'string' }, zip: { type: 'string' } } },
  },
};

import { compileSchema } from '../compile-schema.js';
import { MESSAGE_IDS } from './catalog.js';
import { fieldError, LANGUAGES, localizeError } from './localize.js';

describe('messages', () => {
  it('exist for every code in every language, and name the field and the limit', () => {
    const params = {
      limit: 42,
      actual: 7,
      types: ['integer', 'null'],
      allowed: ['a', 1],
      expected: true,
      base: 0.5,
      format: 'uuid',
      index: '01',
      member: 'm',
    };
    for (const code of Object.keys(MESSAGE_IDS)) {
      const error = fieldError('/traits/x', code, params);
      const texts = LANGUAGES.map((language) => localizeError(error, language, 'Feld').message);
      expect(new Set(texts).size).toBe(LANGUAGES.length);
      for (const text of texts) {
        expect(text).toContain('Feld');
        expect(text).not.toMatch(/undefined|\[object/);
        if (/^(min|max|limit)/.test(code) && code !== 'limit.work') expect(text).toContain('42');
      }
    }
  });

  it('count in words', () => {
    const one = fieldError('/x', 'minLength', { limit: 1, actual: 0 }, 'Name');
    expect(one.message).toBe('“Name” must have at least 1 character; it has 0.');
    expect(localizeError(one, 'fr', 'Nom').message).toBe(
      '« Nom » doit compter au moins 1 caractère (0 saisis).',
    );
    const type = fieldError('/x', 'type', { types: ['integer', 'boolean', 'null'] }, 'Age');
    expect(type.message).toBe('“Age” must be a whole number or yes or no.');
  });

  it('ask for a box to be ticked, and for any other value by its name', () => {
    const ticked = fieldError('/x', 'const', { expected: true }, 'Terms');
    expect(ticked.message).toBe('“Terms” must be ticked.');
    expect(localizeError(ticked, 'de', 'AGB').message).toBe('„AGB“ muss angekreuzt sein.');
    const named = fieldError('/x', 'const', { expected: 'v1' }, 'Terms');
    expect(named.message).toBe('“Terms” must be v1.');
  });

  it('of an unknown code still say something', () => {
    expect(fieldError('/x', 'app.special')).toMatchObject({
      id: 4000001,
      message: '“x” is not valid.',
    });
    expect(fieldError('/x', 'toString').id).toBe(4000001);
  });

  it('carry the number that Kratos gives', () => {
    expect(fieldError('/traits/email', 'identifier.taken')).toMatchObject({
      id: 4000007,
      name: 'traits.email',
    });
    expect(fieldError('/x', 'format', { format: 'email' }).id).toBe(4000040);
    expect(fieldError('/x', 'format', { format: 'uuid' }).id).toBe(4000001);
  });

  it('take the labels of the schema in the language', () => {
    const plan = compileSchema({
      properties: {
        traits: {
          type: 'object',
          required: ['name', 'zipCode'],
          properties: {
            name: { type: 'string', title: 'Name', 'x-i18n': { de: { title: 'Vorname' } } },
            zipCode: { type: 'string' },
            tags: { type: 'array', title: 'Interests', items: { type: 'string', minLength: 2 } },
          },
        },
      },
    });
    const errors = plan.validate({ traits: { tags: ['ok', 'x'] } });
    expect(errors.map(({ message }) => message)).toEqual([
      '“Name” is required.',
      '“Zip code” is required.',
      '“Interests 2” must have at least 2 characters; it has 1.',
    ]);
    expect(plan.localize(errors, 'de')[0]?.message).toBe('„Vorname“ muss ausgefüllt werden.');
  });
});

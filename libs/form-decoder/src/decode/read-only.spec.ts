import { compileSchema } from '../compile-schema.js';
import { type JsonValue } from '../model/form-decoder.types.js';

const text = { type: 'string' };
const fixed = { ...text, readOnly: true };

describe('a list with a read-only entry', () => {
  it.each<[string, JsonValue]>([
    ['items', { type: 'array', items: fixed }],
    ['items in allOf', { type: 'array', items: { allOf: [fixed] } }],
    ['x-immutable items', { type: 'array', items: { ...text, 'x-immutable': true } }],
    ['a tuple', { type: 'array', items: [text, fixed] }],
    ['entries after a tuple', { type: 'array', items: [text], additionalItems: fixed }],
    ['a reference', { type: 'array', items: { $ref: '#/definitions/fixed' } }],
  ])('is written by no form: %s', (_, list) => {
    const plan = compileSchema({
      definitions: { fixed },
      properties: { traits: { type: 'object', properties: { list, open: text } } },
    });
    for (const name of ['traits.list', 'traits.list[]', 'traits.list.0', 'traits.list[1]']) {
      expect(plan.decode({ [name]: ['a', 'b'], 'traits.open': 'x' })).toMatchObject({
        value: { traits: { open: 'x' } },
        ignored: [name],
      });
    }
    for (const json of [
      { traits: { list: ['a'] } },
      { 'traits.list': ['a'] },
      { 'traits.list.0': 'a' },
    ]) {
      const { value, ignored } = plan.decodeJson(json);
      expect(value['traits']).toEqual({});
      expect(ignored).toHaveLength(1);
    }
    const stored = { traits: { list: ['kept'] } };
    expect(plan.replaceShown(stored, { traits: {} })).toEqual(stored);
    expect(plan.readOnly).toContain('/traits/list');
  });

  it('may have rows with a read-only property', () => {
    const rows = { type: 'array', items: { type: 'object', properties: { a: text, b: fixed } } };
    const plan = compileSchema({
      properties: { traits: { type: 'object', properties: { rows } } },
    });
    const { value } = plan.decode({ 'traits.rows.0.a': 'x', 'traits.rows.0.b': 'y' });
    expect(value).toEqual({ traits: { rows: [{ a: 'x' }] } });
  });
});

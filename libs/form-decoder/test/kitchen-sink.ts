import { compileSchema } from '../src/compile-schema.js';
import { type FormEntry, type FormPlan, type JsonObject } from '../src/model/form-decoder.types.js';

const text = { type: 'string' };
const integer = { type: 'integer' };
/** A schema with one of everything. */
export const kitchenSink: JsonObject = {
  definitions: {
    n: {
      type: 'object',
      properties: { v: integer, c: { $ref: '#/definitions/n' } },
      required: ['c'],
    },
  },
  properties: {
    traits: {
      type: 'object',
      properties: {
        s: { type: 'string', maxLength: 5, pattern: '^(a|a)*$' },
        l: { type: 'array', items: integer, uniqueItems: true },
        p: { type: 'array', items: { type: 'object', properties: { k: text }, required: ['k'] } },
        o: { type: 'object', properties: { a: integer }, required: ['a'] },
        n: { $ref: '#/definitions/n' },
        u: {
          oneOf: [
            {
              type: 'object',
              properties: { kind: { const: 'a' }, x: integer },
              required: ['kind'],
            },
            { type: 'array', items: { anyOf: [integer, { type: 'boolean' }] } },
            text,
          ],
        },
        free: { type: 'object' },
        t: { type: 'array', items: [text, { $ref: '#/definitions/n' }] },
        e: { enum: ['a', 1, null, { b: [2] }] },
        '5': { type: ['integer', 'null', 'object'] },
      },
      patternProperties: { '^q': { type: ['number', 'null'] } },
      additionalProperties: { type: 'boolean' },
      if: { properties: { s: { const: 'aaa' } }, required: ['s'] },
      then: { required: ['o'], properties: { vat: integer } },
      dependencies: { l: { properties: { dep: integer } } },
    },
  },
};

export const kitchenSinkPlan = compileSchema(kitchenSink);

/** Decodes, validates and shows entries; fails when two runs of it differ. */
export function checkEntriesOf(target: FormPlan, entries: FormEntry[]): void {
  const decoded = target.decode(entries, { useDefaults: true, emptyNullable: 'null' });
  const errors = target.errors(decoded);
  const again = target.decode(entries, { useDefaults: true, emptyNullable: 'null' });
  // Deterministic, and fit to be sent and shown again.
  expect(JSON.stringify(again)).toBe(JSON.stringify(decoded));
  target.form(decoded.value, errors, { language: 'de' });
  target.identifiersOf(decoded.value);
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
}

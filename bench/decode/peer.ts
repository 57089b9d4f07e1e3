/**
 * The usual peer: `qs` for the nesting, ajv with coerceTypes for the types. The body lacks
 * the hidden companions of the checkboxes, which this pair cannot interpret. The formats are the
 * same.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { fields, schema, traits } from './sign-up-form.js';

const require = createRequire(import.meta.url);
// `qs` and ajv have no types that fit an ES module.
const qs = require('qs') as { parse(text: string, options: object): unknown };
const addFormats = require('ajv-formats') as (ajv: Ajv) => void;

const CHECKBOXES = ['traits.newsletter', 'traits.terms'];

export function prepare() {
  const body = new URLSearchParams(
    fields.filter(([name, value]) => !(value === 'false' && CHECKBOXES.includes(name))),
  ).toString();
  const ajv = new Ajv({
    allErrors: true,
    coerceTypes: true,
    multipleOfPrecision: 9,
    strict: false,
  });
  addFormats(ajv);
  const validate = ajv.compile(schemaForCoercion());
  const run = () => {
    const value = qs.parse(body, { allowDots: true });
    return { value, valid: validate(value), errors: validate.errors };
  };
  return {
    run,
    check: ({ value, valid, errors }: ReturnType<typeof run>) => {
      assert.equal(valid, true, JSON.stringify(errors));
      const bio = traits.bio.replace('\n', '\r\n');
      assert.deepEqual(value, { traits: { ...traits, bio } });
    },
  };
}

/** coerceTypes needs a type to coerce to. */
function schemaForCoercion(): object {
  const copy = structuredClone(schema);
  Object.assign(copy.properties.traits.properties['terms'] as object, { type: 'boolean' });
  return copy;
}

/**
 * The usual peer: `qs` for the nesting, ajv with coerceTypes for the types. The form lacks
 * the hidden companions of the checkboxes, which this pair cannot interpret. The formats are the
 * same.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { fields, schema, traits } from './sign-up-form.js';

const require = createRequire(import.meta.url);
// `qs` and ajv have no types that fit an ES module.
export const qs = require('qs') as { parse(form: string | object, options: object): unknown };
const addFormats = require('ajv-formats') as (ajv: Ajv) => void;

const CHECKBOXES = ['traits.newsletter', 'traits.terms'];

export const fieldsOfPeer = fields.filter(
  ([name, value]) => !(value === 'false' && CHECKBOXES.includes(name)),
);
export const traitsOfPeer = { ...traits, bio: traits.bio.replace('\n', '\r\n') };

export function compile() {
  const ajv = new Ajv({
    allErrors: true,
    coerceTypes: true,
    multipleOfPrecision: 9,
    strict: false,
  });
  addFormats(ajv);
  return ajv.compile(schemaForCoercion());
}

export function prepare() {
  const body = new URLSearchParams(fieldsOfPeer).toString();
  const validate = compile();
  const run = () => {
    const value = qs.parse(body, { allowDots: true });
    return { value, valid: validate(value), errors: validate.errors };
  };
  return {
    run,
    check: ({ value, valid, errors }: ReturnType<typeof run>) => {
      assert.equal(valid, true, JSON.stringify(errors));
      assert.deepEqual(value, { traits: traitsOfPeer });
    },
  };
}

/** coerceTypes needs a type to coerce to. */
function schemaForCoercion(): object {
  const copy = structuredClone(schema);
  Object.assign(copy.properties.traits.properties['terms'] as object, { type: 'boolean' });
  return copy;
}

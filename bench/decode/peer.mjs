// @ts-check
// What people use today: `qs` for the nesting, ajv with coerceTypes for the types. The body comes
// without the hidden companions of check boxes, which that pair cannot understand, and the same
// formats are checked.
import assert from 'node:assert/strict';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import qs from 'qs';
import { fields, schema, traits } from './sign-up-form.mjs';

const body = new URLSearchParams(
  fields.filter(
    ([name, value]) =>
      !(value === 'false' && (name === 'traits.newsletter' || name === 'traits.terms')),
  ),
).toString();

export async function prepare() {
  const ajv = new Ajv({
    allErrors: true,
    coerceTypes: true,
    multipleOfPrecision: 9,
    strict: false,
  });
  // @ts-ignore its types are those of a CommonJS default export
  addFormats(ajv);
  const validate = ajv.compile(withoutRawConst(schema));
  return {
    run: () => {
      const value = qs.parse(body, { allowDots: true });
      return { value, valid: validate(value), errors: validate.errors };
    },
    check: (/** @type {any} */ { value, valid, errors }) => {
      assert.equal(valid, true, JSON.stringify(errors));
      assert.deepEqual(value, {
        traits: { ...traits, bio: traits.bio.replace('\n', '\r\n') },
      });
    },
  };
}

/**
 * coerceTypes needs a type to coerce to.
 *
 * @param {any} source
 */
function withoutRawConst(source) {
  const copy = structuredClone(source);
  copy.properties.traits.properties.terms = { type: 'boolean', const: true };
  return copy;
}

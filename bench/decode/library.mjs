// @ts-check
// The library alone: urlencoded text to entries, to typed traits, to the (empty) list of errors.
import assert from 'node:assert/strict';
import { body, schema, traits } from './sign-up-form.mjs';

export async function prepare() {
  const library = '../../dist/libs/form-decoder/src/index.js';
  const { compileSchema, parseUrlencoded } = await import(library);
  const plan = compileSchema(schema);
  return {
    run: () => {
      const decoded = plan.decode(parseUrlencoded(body, plan.limits));
      return { decoded, errors: plan.errors(decoded) };
    },
    check: (/** @type {any} */ { decoded, errors }) => {
      assert.deepEqual(errors, []);
      assert.deepEqual(decoded.ignored, []);
      assert.deepEqual(JSON.parse(JSON.stringify(decoded.value)), { traits });
    },
  };
}

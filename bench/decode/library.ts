/** The library alone: urlencoded text to entries, to typed traits, to the (empty) list of errors. */
import assert from 'node:assert/strict';
import { compileSchema, parseUrlencoded } from '@gatehouse/form-decoder';
import { body, schema, traits } from './sign-up-form.js';

export function prepare() {
  const plan = compileSchema(schema);
  const run = () => {
    const decoded = plan.decode(parseUrlencoded(body, plan.limits));
    return { decoded, errors: plan.errors(decoded) };
  };
  return {
    run,
    check: ({ decoded, errors }: ReturnType<typeof run>) => {
      assert.deepEqual(errors, []);
      assert.deepEqual(decoded.ignored, []);
      assert.deepEqual(JSON.parse(JSON.stringify(decoded.value)), { traits });
    },
  };
}

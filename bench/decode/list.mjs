// @ts-check
// One list of numbers, `length` values long: 9,900 must take about ten times as long as 990.
import assert from 'node:assert/strict';

/** @param {{ options: { length: number } }} context */
export async function prepare({ options: { length } }) {
  const library = '../../dist/libs/form-decoder/src/index.js';
  const { compileSchema, parseUrlencoded } = await import(library);
  const items = { type: 'number' };
  const schema = {
    type: 'object',
    properties: { traits: { type: 'object', properties: { list: { type: 'array', items } } } },
  };
  const plan = compileSchema(schema, { limits: { fieldsMax: 10_000 } });
  const body = new Array(length).fill('traits.list=1').join('&');
  return {
    run: () => {
      const decoded = plan.decode(parseUrlencoded(body, plan.limits));
      return { decoded, errors: plan.errors(decoded) };
    },
    check: (/** @type {any} */ { decoded, errors }) => {
      assert.deepEqual(errors, []);
      assert.equal(decoded.value.traits.list.length, length);
    },
  };
}

/** A list of `length` numbers: 9,900 must take about ten times as long as 990. */
import assert from 'node:assert/strict';
import { compileSchema, parseUrlencoded } from '@gatehouse/form-decoder';
import { type ProcessContext } from '../runner/types.js';

export function prepare({ options: { length } }: ProcessContext<{ length: number }>) {
  const list = { type: 'array', items: { type: 'number' } };
  const schema = {
    type: 'object',
    properties: { traits: { type: 'object', properties: { list } } },
  };
  const plan = compileSchema(schema, { limits: { fieldsMax: 10_000 } });
  const body = new Array(length).fill('traits.list=1').join('&');
  const run = () => {
    const decoded = plan.decode(parseUrlencoded(body, plan.limits));
    return { decoded, errors: plan.errors(decoded) };
  };
  return {
    run,
    check: ({ decoded, errors }: ReturnType<typeof run>) => {
      assert.deepEqual(errors, []);
      const { traits } = decoded.value as { traits: { list: number[] } };
      assert.equal(traits.list.length, length);
    },
  };
}

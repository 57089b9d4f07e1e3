import { compileSchema, type JsonValue } from '@gatehouse/form-decoder';
import { formModel, withoutBlankReadOnly } from './flow-view.js';

const fixed = { type: 'string', readOnly: true };

describe('a form without blank read-only fields', () => {
  it.each<[string, JsonValue, string]>([
    ['a read-only field', fixed, '/traits/x'],
    ['an immutable field', { type: 'string', 'x-immutable': true }, '/traits/x'],
    ['a list', { type: 'array', readOnly: true, items: { properties: { a: fixed } } }, '/traits/x'],
    ['a group', { type: 'object', properties: { a: fixed }, required: ['a'] }, '/traits/x/a'],
  ])('shows the error of %s', (_name, x, pointer) => {
    const traits = { type: 'object', properties: { x, y: { type: 'string' } }, required: ['x'] };
    const plan = compileSchema({ type: 'object', properties: { traits } });
    const decoded = plan.decode({ 'traits.y': '' });
    const options = { language: 'en', timeZone: 'UTC' } as const;
    const model = formModel(plan, decoded.value, plan.errors(decoded), options);
    const { nodes, errors } = withoutBlankReadOnly(model);
    expect(JSON.stringify(nodes)).not.toContain('traits.x');
    expect(errors).toMatchObject([{ pointer, code: 'required' }]);
  });
});

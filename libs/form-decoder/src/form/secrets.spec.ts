import { compileSchema } from '../compile-schema.js';
import { type FormNode, type JsonObject, type JsonValue } from '../model/form-decoder.types.js';
import { planOf } from '../../test/forms.js';

const text = { type: 'string' };
const hushed = { ...text, writeOnly: true };
const listOf = (items: JsonValue): JsonObject => ({ type: 'array', items });
const objectOf = (properties: JsonValue): JsonObject => ({ type: 'object', properties });

const properties: JsonObject = {
  name: text,
  group: { ...objectOf({ pin: text, deep: objectOf({ pin: text }) }), writeOnly: true },
  password: objectOf({ one: text }),
  codes: { ...listOf(text), writeOnly: true },
  marks: listOf(hushed),
  level: { enum: ['hush1', 'hush2', 'hush3'], writeOnly: true },
  many: { ...listOf({ enum: ['hush1', 'hush2'] }), writeOnly: true },
  free: { type: 'object', writeOnly: true },
  rows: { ...listOf(objectOf({ pin: text })), writeOnly: true, minItems: 1 },
};
const value: JsonObject = {
  name: 'Ada',
  group: { pin: 'hush', deep: { pin: 'hush' } },
  password: { one: 'hush' },
  codes: ['hush', 'hush'],
  marks: ['hush'],
  level: 'hush2',
  many: ['hush1'],
  free: { a: 'hush' },
  rows: [{ pin: 'hush' }],
};
const plan = planOf(properties);
const blank = {
  'traits.group.pin': '',
  'traits.group.deep.pin': '',
  'traits.password.one': '',
  'traits.codes': '',
  'traits.marks': '',
  'traits.level': '',
  'traits.free': '',
  'traits.rows.0.pin': '',
};

/** Values in the nodes of a form that do not come from the schema. */
function held(node: FormNode): unknown[] {
  if ('children' in node) return node.children.flatMap(held);
  if ('rows' in node) return node.rows.flatMap(held);
  if ('options' in node) return node.options.filter(({ selected }) => selected);
  return 'value' in node ? [node.value] : [];
}

describe('secrets of every kind', () => {
  it('are shown by no form', () => {
    const { nodes } = plan.form({ traits: value });
    expect(nodes.flatMap(held).filter((each) => each !== '')).toEqual(['Ada']);
  });

  it('are typed unseen', () => {
    const nodes = plan.form().nodes.flatMap((node) => ('rows' in node ? node.rows : [node]));
    const [pin] = nodes.flatMap((node) => (node.name === 'traits.group' ? [node] : []));
    expect(pin).toMatchObject({ children: [{ type: 'password' }, {}] });
    expect(nodes.find(({ name }) => name === 'traits.codes.0')).toMatchObject({ type: 'password' });
  });

  it('never appear in an answer', () => {
    expect(plan.withoutSecrets({ traits: value })).toEqual({ traits: { name: 'Ada' } });
  });

  it('stay when they are left blank', () => {
    const decoded = plan.decode({ ...blank, 'traits.name': 'Bo' }, { emptyNullable: 'null' });
    const after = plan.replaceShown({ traits: value }, decoded.value);
    expect(after).toEqual({ traits: { ...value, name: 'Bo' } });
  });

  it('change one by one', () => {
    const sent = { ...blank, 'traits.group.deep.pin': 'new', 'traits.codes': ['a', 'b'] };
    const after = plan.replaceShown({ traits: value }, plan.decode(sent).value);
    expect(after).toMatchObject({
      traits: { group: { pin: 'hush', deep: { pin: 'new' } }, codes: ['a', 'b'], marks: ['hush'] },
    });
  });

  it('are in no error, wherever they lie', () => {
    const guarded = planOf({
      keys: { ...objectOf({ n: { type: 'integer' } }), writeOnly: true },
      pin: { type: 'integer', minimum: 1000, writeOnly: true },
    });
    const errors = guarded.validate({ traits: { keys: { n: 'hush' }, pin: 77 } });
    expect(errors.map(({ code }) => code)).toEqual(['type', 'minimum']);
    expect(JSON.stringify(errors)).not.toMatch(/hush|77/);
  });
});

describe('what a form does not show of rows', () => {
  const row = objectOf({
    label: text,
    on: { type: 'boolean' },
    key: hushed,
    checked: { type: 'boolean', readOnly: true },
  });
  const rows = compileSchema({ properties: { traits: objectOf({ rows: listOf(row) }) } });
  const stored: JsonObject[] = [
    { label: 'a', key: 'A', checked: true },
    { label: 'b', key: 'B', old: 1 },
    { label: 'b', key: 'C' },
  ];
  const after = (...labels: string[]): JsonValue => afterRows(labels.map((label) => ({ label })));
  const afterRows = (sent: { label: string; number?: number }[]): JsonValue => {
    const entries = sent.flatMap(({ label, number }, index): [string, string][] => [
      [`traits.rows.${number ?? index}.label`, label],
      [`traits.rows.${number ?? index}.on`, 'false'],
      [`traits.rows.${number ?? index}.key`, ''],
    ]);
    const { value: decoded } = rows.decode(entries);
    return rowsOf(decoded);
  };
  const rowsOf = (decoded: JsonObject): JsonValue => {
    const result = rows.replaceShown({ traits: { rows: stored } }, decoded);
    return (result['traits'] as JsonObject)['rows'] as JsonValue;
  };

  it('stays with each row that comes back as it was shown, wherever that is now', () => {
    const [a, b, c] = stored.map((each) => ({ ...each, on: false }));
    expect(after('a', 'b', 'b')).toEqual([a, b, c]);
    expect(after('b', 'new', 'a')).toEqual([b, { label: 'new', on: false }, a]);
  });

  it('stays with a changed row, which keeps its number', () => {
    const [, b, c] = stored.map((each) => ({ ...each, on: false }));
    const changed = { label: 'x', number: 1 };
    expect(afterRows([changed])).toEqual([{ ...b, label: 'x' }]);
    expect(afterRows([changed, { label: 'b', number: 2 }])).toEqual([{ ...b, label: 'x' }, c]);
  });

  it('never comes to another row: not to one with a new number, and in JSON to no changed one', () => {
    const added = ['x', 'y', 'z'].map((label) => ({ label, on: false }));
    expect(afterRows(added.map(({ label }, index) => ({ label, number: index + 3 })))).toEqual(
      added,
    );
    expect(rowsOf(rows.decodeJson({ traits: { rows: added } }).value)).toEqual(added);
  });
});

describe('an object that is shown as JSON text', () => {
  it('is replaced as a whole, and can be cleared', () => {
    const open = planOf({ free: { type: 'object' } });
    const stored = { traits: { free: { a: 1, b: 2 }, unknown: 1 } };
    const after = (free: string): JsonObject =>
      open.replaceShown(stored, open.decode({ 'traits.free': free }).value);
    expect(after('{"a":1}')).toEqual({ traits: { free: { a: 1 }, unknown: 1 } });
    expect(after('')).toEqual({ traits: { unknown: 1 } });
  });
});

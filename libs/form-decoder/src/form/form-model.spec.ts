import { compileSchema } from '../compile-schema.js';
import {
  type FormGroupNode,
  type FormEntry,
  type FormListNode,
  type FormNode,
  type JsonObject,
  type JsonValue,
} from '../model/form-decoder.types.js';
import { formOf, nodeOf, planOf } from '../../test/forms.js';
import { uiNodes } from './ui-nodes.js';

describe('answers with titles', () => {
  const titled = (...members: [JsonValue, string][]): JsonValue =>
    members.map(([member, title]) => ({ const: member, title }));
  const yesOrNo = titled([true, 'Yes'], [false, 'No']);
  const withNull = titled([true, 'Yes'], [false, 'No'], [null, 'No answer']);
  const options = (schema: JsonValue, value?: JsonValue) => {
    const node = nodeOf(schema, value);
    if (!('options' in node)) return node.kind;
    return node.options.map((each) => `${each.value}:${each.label}${each.selected ? '*' : ''}`);
  };

  it.each<[JsonValue, JsonValue | undefined, unknown]>([
    [{ type: 'boolean', oneOf: yesOrNo }, undefined, ['true:Yes', 'false:No']],
    [{ type: 'boolean', anyOf: yesOrNo }, false, ['true:Yes', 'false:No*']],
    [{ oneOf: yesOrNo }, true, ['true:Yes*', 'false:No']],
    [{ type: ['boolean', 'null'], oneOf: yesOrNo }, null, ['true:Yes', 'false:No']],
    [
      { type: ['boolean', 'null'], oneOf: withNull },
      null,
      ['true:Yes', 'false:No', 'null:No answer*'],
    ],
    [{ oneOf: titled([1, 'One'], [null, 'None']) }, 1, ['1:One*', 'null:None']],
    [{ enum: [1, 2, null] }, 1, ['1:1*', '2:2']],
    [{ type: 'boolean', oneOf: titled([true, 'I accept']) }, undefined, 'checkbox'],
    [{ type: 'boolean', title: 'News', enum: [true, false] }, undefined, 'checkbox'],
    [{ const: true, title: 'I accept' }, undefined, 'checkbox'],
    [{ type: ['boolean', 'null'] }, null, 'checkbox'],
  ])('of %j are options: %j', (schema, value, expected) => {
    expect(options(schema, value)).toEqual(expected);
  });

  it('come back as the value that they stand for', () => {
    const x = { type: ['boolean', 'null'], oneOf: withNull };
    const plan = planOf({ x, y: { type: ['string', 'null'], enum: ['a', null] } });
    for (const [text, value] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ] as const) {
      const decoded = plan.decode({ 'traits.x': text, 'traits.y': 'null' });
      expect(decoded.value).toEqual({ traits: { x: value, y: null } });
      expect(plan.errors(decoded)).toEqual([]);
    }
  });

  it('are nodes for programs too, and false is an answer', () => {
    const plan = planOf({ x: { type: 'boolean', oneOf: yesOrNo } });
    const [node] = uiNodes(plan.form());
    expect(node?.attributes['options']).toEqual([
      { value: 'true', label: 'Yes' },
      { value: 'false', label: 'No' },
    ]);
    const group = (on: JsonValue) =>
      planOf({ g: { type: 'object', properties: { on, k: {} }, required: ['k'] } });
    const left = (on: JsonValue) => {
      const one = group(on);
      const decoded = one.decode({ 'traits.g.on': 'false' });
      return one.withoutUntouched(decoded, one.errors(decoded)).value;
    };
    expect(left({ type: 'boolean' })).toEqual({ traits: {} });
    expect(left({ type: 'boolean', oneOf: yesOrNo })).toEqual({ traits: { g: { on: false } } });
  });
});

describe('rows', () => {
  const phones = {
    type: 'array',
    items: { type: 'object', properties: { n: { type: 'string' } }, required: ['n'] },
    minItems: 1,
    maxItems: 3,
  };

  it('are as many as there are values or were sent, and at least the minimum', () => {
    const count = (value: JsonValue | undefined, sent?: number): number => {
      const blank = Array.from({ length: sent ?? 0 }, (_, index): FormEntry => [
        `traits.x.${index}.n`,
        '',
      ]);
      return (nodeOf(phones, value, { sent: blank }) as FormListNode).rows.length;
    };
    expect(count(undefined)).toBe(1);
    expect(count([{ n: '1' }, { n: '2' }])).toBe(2);
    expect(count([{ n: '1' }], 3)).toBe(3);
    expect(count([], 1000)).toBe(4);
    expect(nodeOf(phones)).toMatchObject({ rowsMin: 1, rowsMax: 3 });
  });

  it('are at most one more than allowed, and the errors of the others are left out', () => {
    const many = Array.from({ length: 999 }, () => ({ n: 5 }));
    const plan = planOf({ x: phones });
    const value = { traits: { x: many } };
    const form = plan.form(value, plan.validate(value));
    const [list] = form.nodes as FormListNode[];
    expect(list?.rows).toHaveLength(4);
    expect(list?.errors).toMatchObject([{ code: 'maxItems' }]);
    expect(form).toMatchObject({ errors: [] });
    expect(form.isCut).toBeUndefined();
  });

  it('of all lists together are at most as many as asked for', () => {
    const lists = { type: 'array', items: { type: 'array', items: { enum: ['a'] } } };
    const nested = { type: 'array', items: { type: 'object', properties: { y: lists } } };
    const plan = planOf({ x: nested, z: { type: 'array', items: { type: 'string' } } });
    const traits = { x: Array.from({ length: 30 }, () => ({})), z: Array(30).fill('a') };
    expect(plan.form({ traits }, [], { rowsShownMax: 60 }).isCut).toBeUndefined();
    expect(plan.form({ traits }, [], { rowsShownMax: 59 }).isCut).toBe(true);
  });

  it('have names with their index, and require only where something was filled in', () => {
    const sent: FormEntry[] = [
      ['traits.x.0.n', '1'],
      ['traits.x.1.n', ''],
    ];
    const node = nodeOf(phones, [{ n: '1' }], { sent });
    expect(node).toMatchObject({
      rows: [
        {
          kind: 'group',
          name: 'traits.x.0',
          label: 'X 1',
          children: [{ name: 'traits.x.0.n', required: true }],
        },
        {
          kind: 'group',
          name: 'traits.x.1',
          children: [{ name: 'traits.x.1.n', required: false }],
        },
      ],
    });
  });

  it('keep the numbers under which they were sent, and have their own errors', () => {
    const items = { type: 'object', properties: { n: { type: 'string', minLength: 5 } } };
    const plan = planOf({ x: { type: 'array', items } });
    const sent: FormEntry[] = [
      ['traits.x.1.n', ''],
      ['traits.x.3.n', ' a'],
    ];
    const decoded = plan.decode(sent);
    const form = plan.form(decoded.value, plan.errors(decoded), { sent, rows: { 'traits.x': 9 } });
    const [list] = form.nodes as FormListNode[];
    expect(list?.rows).toMatchObject([
      { name: 'traits.x.1', label: 'X 1', errors: [], children: [{ value: '', errors: [] }] },
      {
        name: 'traits.x.3',
        label: 'X 2',
        errors: [],
        children: [{ value: ' a', errors: [{ code: 'minLength' }] }],
      },
    ]);
  });

  it('get numbers after those of the untouched form', () => {
    const node = nodeOf(phones, undefined, { sent: [], rows: { 'traits.x': 2 } });
    expect(node).toMatchObject({ rows: [{ name: 'traits.x.2' }] });
  });

  it('of a list of texts begin with a blank one', () => {
    expect(nodeOf({ type: 'array', items: { type: 'string' } })).toMatchObject({
      rows: [{ kind: 'input', name: 'traits.x.0', value: '' }],
    });
  });
});

describe('labels, hints, order', () => {
  it('come from the schema, in the language of the reader', () => {
    const schema = {
      type: 'string',
      title: 'Name',
      description: 'As on your passport',
      'x-i18n': { de: { title: 'Name (de)', description: 'Wie im Pass' }, fr: {} },
    };
    expect(nodeOf(schema)).toMatchObject({ label: 'Name', hint: 'As on your passport' });
    expect(nodeOf(schema, undefined, { language: 'de' })).toMatchObject({
      label: 'Name (de)',
      hint: 'Wie im Pass',
    });
    expect(nodeOf(schema, undefined, { language: 'fr' })).toMatchObject({ label: 'Name' });
  });

  it('are derived from the name if the schema has no title', () => {
    expect(
      formOf({ firstName: {}, postal_code: {}, VAT: {}, 'e-mail': {} }).nodes.map(
        ({ label }) => label,
      ),
    ).toEqual(['First name', 'Postal code', 'VAT', 'E mail']);
  });

  it('follow x-order, and else the schema', () => {
    const names = formOf({ a: {}, b: { 'x-order': 2 }, c: { 'x-order': 1 }, d: {} }).nodes.map(
      ({ name }) => name,
    );
    expect(names).toEqual(['traits.c', 'traits.b', 'traits.a', 'traits.d']);
  });

  it('of a place with alternatives are not those of one alternative, unless all agree', () => {
    const label = (schema: JsonValue): string => nodeOf(schema).label;
    const titled = (...titles: string[]): JsonValue[] =>
      titles.map((title, index) => ({ type: 'object', title, properties: { [`p${index}`]: {} } }));
    expect(label({ oneOf: titled('Private', 'Business') })).toBe('X');
    expect(label({ oneOf: titled('Owner', 'Owner') })).toBe('Owner');
    expect(label({ title: 'Who', oneOf: titled('Private', 'Business') })).toBe('Who');
    expect(label({ anyOf: [{ type: 'string', title: 'Nickname' }, { type: 'null' }] })).toBe(
      'Nickname',
    );
    const countries = [
      { const: 'de', title: 'Germany' },
      { const: 'fr', title: 'France' },
    ];
    expect(label({ oneOf: countries })).toBe('X');
  });

  it('of options come from the titles beside their values', () => {
    const schema: JsonValue = {
      oneOf: [
        { const: 'de', title: 'Germany' },
        { const: 'fr', title: 'France', 'x-i18n': { de: { title: 'Frankreich' } } },
      ],
    };
    expect(nodeOf(schema, 'fr', { language: 'de' })).toMatchObject({
      kind: 'radios',
      options: [
        { value: 'de', label: 'Germany', selected: false },
        { value: 'fr', label: 'Frankreich', selected: true },
      ],
    });
  });
});

describe('what is required', () => {
  it('is so only where it is certain to apply', () => {
    const address = { type: 'object', properties: { city: {} }, required: ['city'] };
    const form = (required: string[], value?: JsonObject): FormNode =>
      planOf({ address }, { required }).form(value).nodes[0] as FormNode;
    expect(form([])).toMatchObject({ required: false, children: [{ required: false }] });
    expect(form(['address'])).toMatchObject({ required: true, children: [{ required: true }] });
    expect(form([], { traits: { address: { city: 'B' } } })).toMatchObject({
      children: [{ required: true }],
    });
  });

  it('is so as well where every alternative requires it', () => {
    const kind = (value: string): JsonValue => ({ const: value, title: value });
    const oneOf = ['a', 'b'].map((value) => ({
      properties: { kind: kind(value), [value]: { type: 'string' } },
      required: ['kind', value],
    }));
    const model = planOf({ x: { type: 'object', oneOf } }, { required: ['x'] }).form();
    expect(model.nodes).toMatchObject([
      {
        children: [
          { label: 'Kind', required: true },
          { label: 'A', required: false },
          { label: 'B', required: false },
        ],
      },
    ]);
  });

  it('in a branch depends on the discriminator', () => {
    const union: JsonValue = {
      type: 'object',
      oneOf: [
        {
          properties: { kind: { const: 'biz' }, vat: { type: 'integer' } },
          required: ['kind', 'vat'],
        },
        { properties: { kind: { const: 'me' }, born: { type: 'integer' } }, required: ['kind'] },
      ],
    };
    expect(nodeOf(union)).toMatchObject({
      kind: 'group',
      children: [
        { name: 'traits.x.kind', kind: 'radios', options: [{ value: 'biz' }, { value: 'me' }] },
        { name: 'traits.x.vat', required: false, when: { name: 'traits.x.kind', values: ['biz'] } },
        { name: 'traits.x.born', when: { name: 'traits.x.kind', values: ['me'] } },
      ],
    });
  });
});

describe('alternatives that only a branch declares', () => {
  const kinds = (v: JsonValue, other: JsonValue = true): JsonValue => ({
    oneOf: ['a', 'b'].map((kind) => ({
      type: 'object',
      properties: { kind: { const: kind }, v: kind === 'a' ? v : other },
    })),
  });
  const integer = { type: 'integer' };
  const shown = (schema: JsonValue, value?: JsonValue) => {
    const group = nodeOf(schema, value) as FormGroupNode;
    return group.children[1];
  };

  it('are fields like others, and say when they apply', () => {
    const inner = kinds({
      anyOf: [{ type: 'object', properties: { n: integer } }, { type: 'null' }],
    });
    expect(shown(kinds(inner))).toMatchObject({
      kind: 'group',
      children: [
        { name: 'traits.x.v.kind', kind: 'radios' },
        {
          kind: 'group',
          when: { name: 'traits.x.v.kind' },
          children: [{ name: 'traits.x.v.v.n', type: 'number' }],
        },
      ],
    });
    expect(shown(kinds({ type: 'array', items: kinds(integer) }), { v: [{ v: 5 }] })).toMatchObject(
      {
        kind: 'rows',
        rows: [
          { children: [{ name: 'traits.x.v.0.kind' }, { name: 'traits.x.v.0.v', value: '5' }] },
        ],
      },
    );
  });

  it('have the fields of each kind of value', () => {
    const object = { type: 'object', properties: { n: integer } };
    const entries = { type: 'array', items: integer };
    const string = { type: 'string' };
    const anyOf = [string, object, entries];
    const text = { kind: 'input', name: 'traits.x.v' };
    const member = { kind: 'input', name: 'traits.x.v.n' };
    const list = { kind: 'list', name: 'traits.x.v' };
    for (const schema of [kinds({ anyOf }), kinds({ anyOf: [string, entries] }, object)]) {
      const group = (value?: JsonValue) =>
        shown(schema, value === undefined ? value : { v: value });
      expect(group()).toMatchObject({ kind: 'group', children: [text, member, list] });
      expect(group('q')).toMatchObject({
        children: [{ value: 'q' }, {}, { rows: [{ value: '' }] }],
      });
      expect(group({ n: 5 })).toMatchObject({ children: [{ value: '' }, { value: '5' }, {}] });
      expect(group([6])).toMatchObject({
        children: [{ value: '' }, {}, { rows: [{ value: '6' }] }],
      });
    }
  });

  it('are choices only if every alternative is one', () => {
    const colors = { enum: ['red', 'blue'] };
    expect(shown(kinds(colors, { const: 'green' }))).toMatchObject({ kind: 'radios' });
    expect(shown(kinds(colors, { type: 'null' }))).toMatchObject({ kind: 'radios' });
    expect(shown(kinds(colors, { type: 'string' }))).toMatchObject({ kind: 'input' });
  });
});

describe('errors', () => {
  it('stand at their nodes; those without one stand apart', () => {
    const plan = planOf(
      {
        tags: { type: 'array', items: { enum: ['a'] } },
        l: { type: 'array', items: { minLength: 2 } },
        o: { type: 'object', properties: { a: {} }, required: ['a'] },
      },
      { required: ['zzz'] },
    );
    const value = { traits: { tags: ['b'], l: ['ok', 'x'], o: {} } };
    const form = plan.form(value, plan.validate(value));
    const [tags, list, group] = form.nodes;
    expect(tags?.errors.map(({ pointer }) => pointer)).toEqual(['/traits/tags/0']);
    expect((list as FormListNode).rows[1]?.errors).toMatchObject([{ code: 'minLength' }]);
    expect(group).toMatchObject({ errors: [], children: [{ errors: [{ code: 'required' }] }] });
    expect(form.errors.map(({ pointer }) => pointer)).toEqual(['/traits/zzz']);
  });
});

describe('a schema that contains itself', () => {
  it('is shown as deep as the value goes', () => {
    const plan = compileSchema({
      definitions: {
        n: {
          type: 'object',
          properties: { v: { type: 'integer' }, c: { $ref: '#/definitions/n' } },
        },
      },
      properties: { traits: { type: 'object', properties: { n: { $ref: '#/definitions/n' } } } },
    });
    expect(JSON.stringify(plan.form()).length).toBeLessThan(2000);
    expect(plan.form({ traits: { n: { c: { v: 5 } } } }).nodes[0]).toMatchObject({
      children: [
        { name: 'traits.n.v' },
        { name: 'traits.n.c', children: [{ name: 'traits.n.c.v', value: '5' }] },
      ],
    });
  });
});

describe('uiNodes', () => {
  it('are the inputs that Kratos would list', () => {
    const plan = planOf(
      {
        email: { type: 'string', format: 'email', title: 'E-mail' },
        n: { type: 'number', enum: [1, 2.5] },
        b: { type: 'boolean' },
        l: { type: 'array', items: { type: 'integer' } },
      },
      { required: ['email'] },
    );
    const value = { traits: { n: 2.5, b: true, l: [7] } };
    const nodes = uiNodes(plan.form(value, plan.validate(value)));
    expect(
      nodes.map(({ attributes }) => [attributes['name'], attributes['type'], attributes['value']]),
    ).toEqual([
      ['traits.email', 'email', ''],
      ['traits.n', 'number', 2.5],
      ['traits.b', 'checkbox', true],
      ['traits.l.0', 'number', 7],
    ]);
    expect(nodes[0]).toMatchObject({
      type: 'input',
      group: 'default',
      attributes: { required: true, autocomplete: 'email', disabled: false },
      messages: [{ id: 4000002, type: 'error', context: { property: 'email' } }],
      meta: { label: { id: 1070002, text: 'E-mail' } },
    });
    expect(nodes[1]?.attributes['options']).toEqual([
      { value: 1, label: '1' },
      { value: 2.5, label: '2.5' },
    ]);
  });
});

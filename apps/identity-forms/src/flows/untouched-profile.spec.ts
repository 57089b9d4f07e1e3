import {
  compileSchema,
  type FormEntry,
  type FormNode,
  type FormPlan,
  type JsonObject,
  type JsonValue,
  untouchedFields,
} from '@gatehouse/form-decoder';
import fc from 'fast-check';
import { formPage } from '../pages/form.page.js';
import { sentBy } from '../../test/page-fields.js';
import { removedRows, withoutBlankRows } from './row-actions.js';

interface Sample {
  schema: JsonValue;
  /** Undefined for a property that is absent. */
  value: JsonValue | undefined;
}

const TIME_ZONE = 'Europe/Berlin';
const line = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !text.includes('\0'));
const text = fc.oneof(line, fc.constantFrom('', ' ', 'a\nb', 'a\rb', 'a\r\nb', '\n', ' x ', '5'));
const at = (...values: JsonValue[]) => fc.constantFrom(...values);
const of = (schema: JsonValue, value: fc.Arbitrary<JsonValue>): fc.Arbitrary<Sample> =>
  value.map((each) => ({ schema, value: each }));
const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 });
const titled = (...members: JsonValue[]): JsonValue =>
  members.map((member) => ({ const: member, title: `The ${JSON.stringify(member)}` }));
const MOMENTS = [
  '2024-07-18T11:00:00.123456+02:00',
  '2024-01-02T03:04:05Z',
  '2024-10-27T02:30:00+01:00',
  '0000-02-03T04:05:06Z',
];

const scalar: fc.Arbitrary<Sample> = fc.oneof(
  of({ type: 'string' }, text),
  of({ type: 'string', maxLength: 200 }, text),
  of({ type: ['string', 'null'] }, fc.option(text)),
  of({ type: 'string', format: 'date-time' }, at(...MOMENTS)),
  of({ type: 'string', format: 'time' }, at('03:04:05.6+02:00', '03:04:00Z')),
  of({ type: 'string', format: 'date' }, at('2024-01-02', '0000-01-02')),
  of({ type: 'string', format: 'email' }, at('a@b', ' "a b"@c.d', 'a@b.')),
  of({ type: 'string', writeOnly: true }, text),
  of({ type: 'string', readOnly: true }, text),
  of({ type: 'boolean' }, fc.boolean()),
  of({ type: ['boolean', 'null'] }, at(true, false, null)),
  of({ type: ['boolean', 'null'], oneOf: titled(true, false, null) }, at(true, false, null)),
  of({ type: 'boolean', oneOf: titled(true, false) }, fc.boolean()),
  of({ type: 'integer' }, fc.maxSafeInteger()),
  of({ type: ['number', 'null'] }, fc.option(number)),
  of({ type: ['string', 'integer'] }, fc.oneof(fc.integer(), text)),
  of({ enum: ['a', 1, true, null, '1', ''] }, at('a', 1, true, null, '1', '')),
  of({ enum: [...'abcdefg', null] }, at('a', 'g', null)),
  of({ const: 'v1' }, at('v1')),
  of({}, fc.oneof(text, number, fc.boolean())),
);

const list = (inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  inner.chain(({ schema, value }) =>
    fc.array(fc.constant(value ?? null), { maxLength: 3 }).map((entries) => ({
      schema: { type: 'array', items: value === undefined ? {} : schema },
      value: value === undefined ? [] : entries,
    })),
  );

const tuple = fc.tuple(scalar, scalar).map((entries): Sample => ({
  schema: { type: 'array', items: entries.map(({ schema }) => schema) },
  value: entries.map(({ value }) => value as JsonValue),
}));

const object = (inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc
    .array(fc.tuple(inner, fc.constantFrom('absent', 'optional', 'required', 'undeclared')), {
      maxLength: 4,
    })
    .map((members): Sample => {
      const named = members.map(([sample, kind], index) => ({
        ...sample,
        kind,
        name: `p${index}`,
      }));
      const given = named.filter(({ kind, value }) => kind !== 'absent' && value !== undefined);
      return {
        schema: {
          type: 'object',
          properties: Object.fromEntries(
            named
              .filter(({ kind }) => kind !== 'undeclared')
              .map(({ name, schema }) => [name, schema]),
          ),
          required: given.filter(({ kind }) => kind === 'required').map(({ name }) => name),
        },
        value: Object.fromEntries(given.map(({ name, value }) => [name, value as JsonValue])),
      };
    });

const { traits } = fc.letrec<{ any: Sample; traits: Sample }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    scalar,
    scalar,
    scalar,
    tuple,
    list(tie('any')),
    object(tie('any')),
  ),
  traits: object(tie('any')),
}));

const plain = (value: JsonValue): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue;

/** The traits after the fields were sent in a profile flow. */
function afterForm(plan: FormPlan, stored: JsonObject, sent: readonly FormEntry[]): JsonValue {
  const beneath = plan.replaceShown(stored, {});
  const options = { emptyNullable: 'null', timeZone: TIME_ZONE, beneath } as const;
  const read = (entries: readonly FormEntry[]) =>
    plan.decode(withoutBlankRows(entries), options).value;
  const { nodes } = plan.form(stored, [], { timeZone: TIME_ZONE });
  const untouched = untouchedFields(nodes, true);
  const removed = removedRows(untouched, sent);
  return plain(plan.replaceShown(stored, read(sent), read(untouched), removed));
}

/** The controls of texts that show a value, or could show one in an object that is there. */
function textsOf(nodes: readonly FormNode[], stored: JsonValue): FormNode[] {
  return nodes.flatMap((node) => {
    if ('children' in node) return textsOf(node.children, stored);
    if ('rows' in node) return node.readOnly ? [] : textsOf(node.rows, stored);
    if (!('value' in node) || node.type === 'hidden' || node.readOnly) return [];
    const around = node.pointer.split('/').slice(1, -1);
    const parent = around.reduce<unknown>((part, name) => Object(part)[name], stored);
    const isInObject = typeof parent === 'object' && !Array.isArray(parent);
    return node.value !== '' || isInObject ? [node] : [];
  });
}

/** A value without the `false` of unticked boxes that another one lacks. */
function withoutAnswers(after: JsonValue, before: JsonValue | undefined): JsonValue {
  if (typeof after !== 'object' || after === null) return after;
  if (Array.isArray(after)) {
    const entries = Array.isArray(before) ? before : [];
    return after.map((entry, index) => withoutAnswers(entry, entries[index]));
  }
  const known = (before ?? {}) as JsonObject;
  return Object.fromEntries(
    Object.entries(after)
      .filter(([name, member]) => member !== false || name in known)
      .map(([name, member]) => [name, withoutAnswers(member, known[name])]),
  );
}

/** A value with the part that another one has at a place. */
function withPartOf(value: JsonValue, other: JsonValue, [name, ...rest]: string[]): JsonValue {
  if (name === undefined) return other;
  const part = withPartOf(
    (value as JsonObject)[name] ?? null,
    (other as JsonObject)[name] ?? null,
    rest,
  );
  return Object.assign(plain(value) as object, { [name]: part });
}

function pageOf(plan: FormPlan, stored: JsonObject): [string, string][] {
  const model = plan.form(stored, [], { timeZone: TIME_ZONE });
  return sentBy(formPage(model, { kind: 'profile', action: '/flows/1', basePath: '', theme: {} }));
}

describe('a profile form', () => {
  it('that is untouched changes nothing', () => {
    fc.assert(
      fc.property(traits, ({ schema, value }) => {
        const plan = compileSchema({ properties: { traits: schema } });
        const stored = { traits: value as JsonObject };
        fc.pre(plan.validate(stored).length === 0);
        expect(afterForm(plan, stored, pageOf(plan, stored))).toEqual(plain(stored));
      }),
      { numRuns: 80 },
    );
  });

  it('in which one text changed keeps all other values, in rows too', () => {
    fc.assert(
      fc.property(traits, fc.nat(), ({ schema, value }, chosen) => {
        const plan = compileSchema({ properties: { traits: schema } });
        const stored = { traits: value as JsonObject };
        fc.pre(plan.validate(stored).length === 0);
        const texts = textsOf(plan.form(stored, [], { timeZone: TIME_ZONE }).nodes, stored);
        fc.pre(texts.length > 0);
        const { name, pointer } = texts[chosen % texts.length] as FormNode;
        const sent = pageOf(plan, stored).map(([each, text]): FormEntry => [
          each,
          each === name ? 'changed' : text,
        ]);
        const after = withoutAnswers(afterForm(plan, stored, sent), stored);
        expect(JSON.stringify(after)).toContain('changed');
        expect(after).toEqual(withPartOf(stored, after, pointer.split('/').slice(1)));
      }),
      { numRuns: 80 },
    );
  });

  it('in which one answer changed keeps all others', () => {
    fc.assert(
      fc.property(traits, ({ schema, value }) => {
        const { properties } = schema as { properties: JsonObject };
        const plan = compileSchema({
          properties: {
            traits: { ...(schema as JsonObject), properties: { ...properties, own: {} } },
          },
        });
        const stored = { traits: { ...(value as JsonObject), own: 'before' } };
        fc.pre(plan.validate(stored).length === 0);
        const sent = pageOf(plan, stored).map(([name, each]): FormEntry => [
          name,
          name === 'traits.own' ? 'after' : each,
        ]);
        // An unticked box is an answer where there was none.
        const answers = Object.keys(properties).filter(
          (name) => (properties[name] as JsonObject)['type'] === 'boolean',
        );
        const added = Object.fromEntries(answers.map((name) => [name, false]));
        expect({
          ...added,
          ...(afterForm(plan, stored, sent) as { traits: object }).traits,
        }).toEqual({ ...added, ...(plain(stored.traits) as object), own: 'after' });
      }),
      { numRuns: 50 },
    );
  });
});

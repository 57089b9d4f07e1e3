import fc from 'fast-check';
import { compileSchema } from '../src/compile-schema.js';
import { escapeSegment } from '../src/model/field-names.js';
import {
  type FormEntry,
  type JsonObject,
  type JsonValue,
} from '../src/model/form-decoder.types.js';
import { sentBy } from './forms.js';

/**
 * Any value of a schema, written down as the fields of a form (in any of the spellings that a page
 * may use), decodes to that value, with nothing ignored and nothing in conflict.
 */

interface Sample {
  schema: JsonObject;
  value: JsonValue;
  /** The fields that send the value under a name. */
  fields(name: string): FormEntry[];
}

const property = fc.oneof(
  fc.constantFrom('a', 'b', 'name', 'e-mail', 'firstName', '0', '12', 'a.b', 'a\\b', 'x[0]', 'p[]'),
  fc.constantFrom(
    'ä',
    '名',
    'a b',
    'toString',
    'valueOf',
    'hasOwnProperty',
    'length',
    '*',
    '#',
    '~/',
  ),
  fc.string({ minLength: 1, maxLength: 6 }),
);
const isUsable = (name: string): boolean =>
  !['__proto__', 'constructor', 'prototype'].includes(name) && !name.includes('\u0000');
const propertyName = property.filter(isUsable);

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((value) => !value.includes('\r') && !value.includes('\u0000'));

const textSample: fc.Arbitrary<Sample> = text.map((value) => ({
  schema: { type: 'string' },
  value,
  fields: (name) => [[name, value.replaceAll('\n', '\r\n')]],
}));

const booleanSample: fc.Arbitrary<Sample> = fc
  .tuple(fc.boolean(), fc.constantFrom('true', '1', 'on', 't'))
  .map(([value, word]) => ({
    schema: { type: 'boolean' },
    value,
    fields: (name) =>
      value
        ? [
            [name, 'false'],
            [name, word],
          ]
        : [[name, 'false']],
  }));

const integerSample: fc.Arbitrary<Sample> = fc
  .tuple(fc.maxSafeInteger(), fc.constantFrom('', '.', '.0', 'e0', ' '))
  .map(([value, suffix]) => ({
    schema: { type: ['integer', 'null'] },
    value: value === 0 ? 0 : value,
    fields: (name) => [[name, `${value}${suffix}`]],
  }));

const numberSample: fc.Arbitrary<Sample> = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .filter((value) => Math.abs(value) <= Number.MAX_SAFE_INTEGER)
  .map((value) => ({
    schema: { type: 'number' },
    value: value === 0 ? 0 : value,
    fields: (name) => [[name, String(value)]],
  }));

const memberSample: fc.Arbitrary<Sample> = fc
  .constantFrom('auto', 1, 2.5, true, false)
  .map((value) => ({
    schema: { enum: ['auto', 1, 2.5, true, false] },
    value,
    fields: (name) => [[name, String(value)]],
  }));

const scalarSample = fc.oneof(textSample, booleanSample, integerSample, numberSample, memberSample);

const numbersSample: fc.Arbitrary<Sample> = fc
  .tuple(fc.array(fc.integer(), { maxLength: 5 }), fc.constantFrom('repeat', '[]', '.n', '[n]'))
  .map(([values, style]) => ({
    schema: { type: 'array', items: { type: 'integer' } },
    value: values.map((value) => (value === 0 ? 0 : value)),
    fields: (name) => [
      [name, ''],
      ...values.map((value, index): FormEntry => {
        const suffix = { repeat: '', '[]': '[]', '.n': `.${index * 3}`, '[n]': `[${index}]` }[
          style
        ];
        return [`${name}${suffix ?? ''}`, String(value)];
      }),
    ],
  }));

/** `p[]` means the list `p` only where no property has that very name, so both make no sample. */
const withoutIndexes = (name: string): string => name.replace(/(?:\[\d*\])+$/, '');

const objectSample = (inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc
    .uniqueArray(fc.tuple(propertyName, inner), {
      selector: ([name]) => withoutIndexes(name),
      minLength: 1,
      maxLength: 4,
    })
    .map((members) => ({
      schema: {
        type: 'object',
        properties: Object.fromEntries(members.map(([name, { schema }]) => [name, schema])),
      },
      value: Object.fromEntries(members.map(([name, { value }]) => [name, value])),
      fields: (name) =>
        members.flatMap(([member, sample]) => sample.fields(`${name}.${escapeSegment(member)}`)),
    }));

const rowsSample = (inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc
    .tuple(objectSample(inner), fc.integer({ min: 1, max: 3 }), fc.constantFrom('.n', '[n]'))
    .map(([row, count, style]) => ({
      schema: { type: 'array', items: row.schema },
      value: new Array<JsonValue>(count).fill(row.value),
      fields: (name) =>
        Array.from({ length: count }, (_, index) =>
          row.fields(style === '.n' ? `${name}.${index * 2}` : `${name}[${index * 2}]`),
        ).flat(),
    }));

const { traits: traitsSample } = fc.letrec<{ any: Sample; traits: Sample }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    scalarSample,
    scalarSample,
    numbersSample,
    objectSample(tie('any')),
    rowsSample(tie('any')),
  ),
  traits: objectSample(tie('any')),
}));

const plain = (value: JsonValue): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue;

describe('a value of a schema, sent as form fields', () => {
  it('decodes to the value', () => {
    fc.assert(
      fc.property(traitsSample, (sample) => {
        const plan = compileSchema({ type: 'object', properties: { traits: sample.schema } });
        const decoded = plan.decode(sample.fields('traits'));
        expect(plain(decoded.value)).toEqual({ traits: plain(sample.value) });
        expect(decoded.ignored).toEqual([]);
        expect(plan.errors(decoded)).toEqual([]);
      }),
      { numRuns: 120 },
    );
  });

  it('decodes to the value below a union and a condition as well', () => {
    fc.assert(
      fc.property(traitsSample, (sample) => {
        const branches = [
          { properties: { kind: { const: 'other' }, x: { type: 'integer' } }, required: ['kind'] },
          { properties: { kind: { const: 'this' }, x: sample.schema }, required: ['kind'] },
        ];
        const traits = {
          type: 'object',
          oneOf: branches,
          if: { properties: { kind: { const: 'this' } }, required: ['kind'] },
          then: { properties: { y: sample.schema } },
        };
        const plan = compileSchema({ type: 'object', properties: { traits } });
        const decoded = plan.decode([
          ['traits.kind', 'this'],
          ...sample.fields('traits.x'),
          ...sample.fields('traits.y'),
        ]);
        const value = plain(sample.value);
        expect(plain(decoded.value)).toEqual({ traits: { kind: 'this', x: value, y: value } });
        expect(plan.errors(decoded)).toEqual([]);
      }),
      { numRuns: 80 },
    );
  });

  it('is the same as JSON in form convention', () => {
    fc.assert(
      fc.property(traitsSample, (sample) => {
        const plan = compileSchema({ type: 'object', properties: { traits: sample.schema } });
        const decoded = plan.decodeJson({ traits: plain(sample.value) });
        expect(plain(decoded.value)).toEqual({ traits: plain(sample.value) });
        expect(plan.errors(decoded)).toEqual([]);
      }),
      { numRuns: 120 },
    );
  });

  it('comes back from the form model, field by field', () => {
    fc.assert(
      fc.property(traitsSample, (sample) => {
        const plan = compileSchema({ type: 'object', properties: { traits: sample.schema } });
        const value = { traits: sample.value };
        const model = plan.form(value);
        const decoded = plan.decode(sentBy(model.nodes));
        expect(plain(decoded.value)).toEqual(plain(value));
        expect(plan.errors(decoded)).toEqual([]);
      }),
      { numRuns: 120 },
    );
  });
});

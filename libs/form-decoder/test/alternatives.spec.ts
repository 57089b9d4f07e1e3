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
 * Alternatives within alternatives, to any depth: a value of one of them comes back from fields, from
 * JSON and from the page, although the others declare the same names with other types.
 */

interface Sample {
  schema: JsonObject;
  value: JsonValue;
}

const scalar: fc.Arbitrary<Sample> = fc.oneof(
  fc.integer({ min: -9, max: 99 }).map((value) => ({
    schema: { type: 'integer' },
    value: value === 0 ? 0 : value,
  })),
  fc.constantFrom('ab', '5', 'true', '{}').map((value) => ({ schema: { type: 'string' }, value })),
);

const closed = (members: [string, Sample][]): Sample => ({
  schema: {
    type: 'object',
    properties: Object.fromEntries(members.map(([name, { schema }]) => [name, schema])),
    required: members.map(([name]) => name),
  },
  value: Object.fromEntries(members.map(([name, { value }]) => [name, value])),
});

const objectOf = (inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', '0', '1', 'x.y'), inner), {
      selector: ([name]) => name,
      minLength: 1,
      maxLength: 3,
    })
    .map(closed);

const listOf = (inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc.tuple(inner, fc.integer({ min: 1, max: 3 })).map(([{ schema, value }, count]) => ({
    schema: { type: 'array', items: schema },
    value: new Array<JsonValue>(count).fill(value),
  }));

type Mixture = (chosen: Sample, other: Sample, isFirst: boolean) => Sample;

const pair = (chosen: JsonValue, other: JsonValue, isFirst: boolean): JsonValue[] =>
  isFirst ? [chosen, other] : [other, chosen];

const kindOf = (kind: string, { schema }: Sample): JsonObject => ({
  type: 'object',
  properties: { kind: { const: kind }, v: schema },
  required: ['kind', 'v'],
});

const byKind =
  (keyword: string): Mixture =>
  (chosen, other, isFirst) => ({
    schema: { [keyword]: pair(kindOf('this', chosen), kindOf('that', other), isFirst) },
    value: { kind: 'this', v: chosen.value },
  });

const byCondition: Mixture = (chosen, other, isFirst) => ({
  schema: {
    type: 'object',
    properties: { kind: { type: 'string' } },
    if: { properties: { kind: { const: 'first' } }, required: ['kind'] },
    then: { properties: { v: (isFirst ? chosen : other).schema } },
    else: { properties: { v: (isFirst ? other : chosen).schema } },
  },
  value: { kind: isFirst ? 'first' : 'second', v: chosen.value },
});

const byDependency: Mixture = (chosen, other) => ({
  schema: {
    type: 'object',
    properties: { kind: { type: 'string' } },
    dependencies: {
      kind: { properties: { v: chosen.schema } },
      other: { properties: { v: other.schema } },
    },
  },
  value: { kind: 'this', v: chosen.value },
});

const byRequired: Mixture = (chosen, other, isFirst) => {
  const only = (name: string, { schema }: Sample): JsonObject => ({
    type: 'object',
    properties: { [name]: schema },
    required: [name],
  });
  return {
    schema: { oneOf: pair(only('v', chosen), only('w', other), isFirst) },
    value: { v: chosen.value },
  };
};

const orNull: Mixture = ({ schema, value }, _, isFirst) => ({
  schema: { anyOf: pair(schema, { type: 'null' }, isFirst) },
  value,
});

/** A list, or an object without a name of digits alone, so that the names decide. */
const orList: Mixture = (chosen, other, isFirst) => {
  const object = closed([['k', chosen]]);
  const list: JsonObject = { type: 'array', items: other.schema };
  return { schema: { anyOf: pair(object.schema, list, isFirst) }, value: object.value };
};

const orObject: Mixture = (chosen, other, isFirst) => {
  const list: JsonObject = { type: 'array', items: chosen.schema };
  const object = closed([['k', other]]).schema;
  return { schema: { anyOf: pair(list, object, isFirst) }, value: [chosen.value] };
};

const alternativesOf = (inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc
    .tuple(
      fc.constantFrom(
        byKind('oneOf'),
        byKind('anyOf'),
        byCondition,
        byDependency,
        byRequired,
        orNull,
        orList,
        orObject,
      ),
      inner,
      inner,
      fc.boolean(),
    )
    .map(([mixture, chosen, other, isFirst]) => mixture(chosen, other, isFirst));

const { traits } = fc.letrec<{ any: Sample; traits: Sample }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    scalar,
    objectOf(tie('any')),
    listOf(tie('any')),
    alternativesOf(tie('any')),
    alternativesOf(tie('any')),
  ),
  traits: alternativesOf(alternativesOf(tie('any'))).map((sample) => closed([['x', sample]])),
}));

/** The fields of a value: names of members and indexes, as a page has them. */
function fieldsOf(value: JsonValue, name: string): FormEntry[] {
  if (value === null || typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([segment, member]) =>
    fieldsOf(member, `${name}.${escapeSegment(segment)}`),
  );
}

/** A JSON form whose names are as long as they can be. */
function dotted(value: JsonValue, name: string): [string, JsonValue][] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [[name, value]];
  return Object.entries(value).flatMap(([segment, member]) =>
    dotted(member, `${name}.${escapeSegment(segment)}`),
  );
}

const plain = (value: JsonValue): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue;

describe('a value of alternatives within alternatives', () => {
  it('comes back from fields, from JSON, and from the page, whose blank fields say nothing', () => {
    fc.assert(
      fc.property(traits, ({ schema, value }) => {
        const plan = compileSchema({ type: 'object', properties: { traits: schema } });
        expect(plan.validate({ traits: value })).toEqual([]);
        const fields = plan.decode(fieldsOf(value, 'traits'));
        const nested = plan.decodeJson({ traits: value });
        const named = plan.decodeJson(Object.fromEntries(dotted(value, 'traits')));
        const page = plan.decode(sentBy(plan.form({ traits: value }).nodes));
        for (const decoded of [fields, nested, named, page]) {
          expect(plain(decoded.value)).toEqual({ traits: value });
          expect(plan.errors(decoded)).toEqual([]);
        }
        expect([...fields.ignored, ...nested.ignored, ...named.ignored]).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

import fc from 'fast-check';
import {
  type FormNode,
  type FormTextNode,
  type JsonObject,
  type JsonValue,
} from '../src/model/form-decoder.types.js';
import { isMultipleOf } from '../src/read/scalar-text.js';
import { untouchedFields } from '../src/form/untouched-fields.js';
import { nodeOf, planOf } from './forms.js';

/**
 * The rules that a control gets for the browser never refuse a value that the schema accepts: the
 * value itself, shown again, and where the type of the control can hold it, also typed anew.
 */

const number = fc.oneof(
  fc.integer({ min: -50, max: 50 }),
  fc.integer({ min: -500, max: 500 }).map((each) => each / 10),
  fc.constantFrom(1e21, 1e-7, 0.30000000000000004),
);
const line = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom(
    '',
    'a\u00a0b',
    '\u00a0',
    'ab:',
    '[x]',
    'a\u2028',
    '\ufeff',
    '🙂🙂',
    'a\nb',
    'a b',
  ),
);
const rules = (keywords: Record<string, fc.Arbitrary<JsonValue>>): fc.Arbitrary<JsonObject> =>
  fc.record(keywords, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;

const numberRules = rules({
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: fc.constantFrom(1, 2, 3, 0.5, 0.1, 1.5, 7),
});
const PATTERNS = [
  '^\\S+$',
  '^[^\\s]*$',
  '[[:alpha:]]',
  '^[a&&b]*$',
  '^[!--]+$',
  '[[a]x',
  '^.+$',
  'a|b',
  '^\\w+$',
  '\\s',
  '^a?\\$?$',
];
const textRules = rules({
  minLength: fc.nat(3),
  maxLength: fc.integer({ min: 1, max: 8 }),
  pattern: fc.constantFrom(...PATTERNS),
});

const anyRules = fc
  .tuple(numberRules, textRules)
  .map(([numbers, texts]): JsonObject => ({ ...numbers, ...texts }));
const typed = fc
  .tuple(
    fc.constantFrom<JsonValue[]>(
      'integer',
      'number',
      'string',
      ['integer', 'null'],
      ['string', 'null'],
      ['string', 'integer'],
      ['string', 'boolean'],
    ),
    anyRules,
  )
  .map(([type, more]): JsonObject => ({ type, ...more }));
const formatted = fc
  .tuple(fc.constantFrom('email', 'uri', 'date', 'date-time', 'time', 'hostname'), textRules)
  .map(([format, more]): JsonObject => ({ type: 'string', format, ...more }));
const branched = fc
  .tuple(
    fc.constantFrom('anyOf', 'oneOf', 'allOf'),
    fc.array(fc.oneof(typed, formatted, anyRules), { minLength: 1, maxLength: 3 }),
  )
  .chain(([kind, branches]) =>
    fc.constantFrom<JsonObject[]>(
      { [kind]: branches },
      { type: ['integer', 'string'], [kind]: branches },
      { type: 'integer', if: branches[0] as JsonObject, then: branches.at(-1) as JsonObject },
      { type: 'string', if: branches[0] as JsonObject, else: branches.at(-1) as JsonObject },
    ),
  );
const schema = fc.oneof(typed, formatted, branched, fc.constant<JsonObject>({ type: 'boolean' }));

const FORMATTED = [
  'a@b',
  '"a b"@c.d',
  'ü@b.de',
  'a@b.',
  'urn:isbn:1',
  'http://999.1.1.1/',
  '2024-02-29',
  '0000-01-01',
  '2024-07-18T11:00:07Z',
  '2024-07-18T11:00:00.123456+02:00',
  '0000-01-01T00:00:00Z',
  '03:04:05Z',
  '03:04:05.6+02:00',
];
const value = fc.oneof(
  number,
  line,
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(...FORMATTED),
) as fc.Arbitrary<JsonValue>;

/** Whether a browser lets a control with a text go (HTML standard, "Constraint validation"). */
function accepts(node: FormTextNode, text: string): boolean {
  const { type, attributes } = node;
  if (text === '') return !node.required;
  if (type === 'number') return acceptsNumber(node, text);
  const { minlength = 0, maxlength = Infinity, pattern } = attributes;
  return (
    text.length >= Number(minlength) &&
    text.length <= Number(maxlength) &&
    (pattern === undefined || new RegExp(`^(?:${String(pattern)})$`, 'v').test(text)) &&
    acceptsType(type, text)
  );
}

function acceptsNumber({ value: shown, attributes }: FormTextNode, text: string): boolean {
  const { min, max, step } = attributes;
  const given = Number(text);
  if (given < Number(min ?? -Infinity) || given > Number(max ?? Infinity)) return false;
  if (step === 'any') return true;
  const base = Number(min ?? (shown === '' ? 0 : shown));
  const offset = Number((given - base).toPrecision(15));
  return isMultipleOf(offset, Number(step ?? 1));
}

function acceptsType(type: string, text: string): boolean {
  switch (type) {
    case 'email':
      return /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i.test(text);
    case 'url':
      return URL.canParse(text);
    case 'date':
      return /^\d{4}-\d\d-\d\d$/.test(text) && !text.startsWith('0000');
    case 'datetime-local':
      return /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/.test(text) && !text.startsWith('0000');
    case 'time':
      return /^\d\d:\d\d(?::\d\d)?$/.test(text);
    default:
      return true;
  }
}

const isText = (node: FormNode): node is FormTextNode =>
  node.kind === 'input' || node.kind === 'textarea';

describe('the rules of a control', () => {
  it('never refuse a value that the schema accepts', () => {
    let tried = 0;
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 20 }), fc.boolean(), (x, values, must) => {
        const plan = planOf({ x }, { required: must ? ['x'] : [] });
        const [blank] = plan.form().nodes as [FormNode];
        for (const given of values) {
          const stored = { traits: { x: given } };
          if (plan.validate(stored).length > 0) continue;
          tried += 1;
          const [shown] = plan.form(stored).nodes as [FormNode];
          if (shown.kind === 'checkbox') expect(shown.required).toBe(false);
          if (!isText(shown)) continue;
          const [[, sent] = ['', '']] = untouchedFields([shown], true);
          expect([shown, accepts(shown, sent)]).toEqual([shown, true]);
          if (sent === '' || !isText(blank)) continue;
          if (blank.type !== shown.type || blank.kind !== shown.kind) continue;
          expect([blank, accepts(blank, sent)]).toEqual([blank, true]);
        }
      }),
      { numRuns: 150 },
    );
    expect(tried).toBeGreaterThan(300);
  });

  it.each<[JsonValue, JsonObject]>([
    [
      { type: 'integer', minimum: 5, multipleOf: 2 },
      { min: 5, step: 'any' },
    ],
    [
      { type: 'integer', minimum: 4, multipleOf: 2 },
      { min: 4, step: 2 },
    ],
    [
      { type: 'number', minimum: 0.3, multipleOf: 0.1 },
      { min: 0.3, step: 0.1 },
    ],
    [{ type: 'integer', anyOf: [{ minimum: 10 }, { maximum: 5 }] }, { step: 1 }],
    [{ anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] }, { min: 1, step: 1 }],
    [{ type: 'integer', if: { minimum: 3 }, then: { multipleOf: 2 } }, { step: 1 }],
    [{ type: ['integer', 'string'], maxLength: 2, pattern: '^a' }, {}],
    [{ type: 'string', pattern: '^\\S+$' }, { pattern: '[^\\t\\n\\f\\r ]+' }],
    [{ type: 'string', pattern: '^[[:alpha:]]+$' }, {}],
    [{ type: 'string', format: 'time' }, { step: 'any' }],
  ])('of %j are %j', (property, attributes) => {
    expect((nodeOf(property) as FormTextNode).attributes).toEqual(attributes);
  });

  it('count no steps from a value that is wrong', () => {
    expect(nodeOf({ type: 'integer' }, 4.5)).toMatchObject({ type: 'text', value: '4.5' });
    expect(nodeOf({ type: 'number', multipleOf: 0.1 }, 0.25)).toMatchObject({ type: 'text' });
  });

  it('require an answer only where no blank is one', () => {
    const nullable = { type: ['string', 'null'] };
    const secret = { type: 'string', writeOnly: true };
    const properties = {
      nullable,
      secret,
      text: { type: 'string' },
      on: { type: 'boolean' },
      terms: { const: true },
    };
    const plan = planOf(properties, { required: Object.keys(properties) });
    const required = (traits: JsonObject) =>
      plan
        .form({ traits })
        .nodes.filter((node) => node.required)
        .map(({ label }) => label);
    expect(required({})).toEqual(['Secret', 'Text', 'Terms']);
    expect(required({ secret: 'x', text: '' })).toEqual(['Terms']);
  });
});

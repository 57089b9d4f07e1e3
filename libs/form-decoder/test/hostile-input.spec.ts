import fc from 'fast-check';
import { type JsonValue } from '../src/model/form-decoder.types.js';
import { checkEntriesOf, kitchenSinkPlan as plan } from './kitchen-sink.js';
import { parseUrlencoded } from '../src/read/urlencoded.reader.js';

const segment = fc.oneof(
  fc.constantFrom(
    'traits',
    's',
    'l',
    'p',
    'o',
    'n',
    'u',
    'free',
    't',
    'e',
    '5',
    'q1',
    'c',
    'v',
    'k',
    'a',
  ),
  fc.constantFrom(
    'kind',
    'x',
    'vat',
    'dep',
    '0',
    '1',
    '01',
    '99',
    '[]',
    '[0]',
    '',
    '__proto__',
    'toString',
  ),
  fc.string({ maxLength: 4 }),
);
const name = fc
  .tuple(
    fc.boolean(),
    fc.array(segment, { maxLength: 20 }),
    fc.constantFrom('', '[]', '[0]', '[1][2]', '\\'),
  )
  .map(
    ([inTraits, parts, suffix]) => [...(inTraits ? ['traits'] : []), ...parts].join('.') + suffix,
  );
const value = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '5',
    'on',
    'false',
    'aaa',
    'a',
    'null',
    '{}',
    '[]',
    '{"a":1}',
    '[{"k":1}]',
  ),
  fc.constantFrom(
    '{"a":1,"a":2}',
    '{"__proto__":1}',
    '['.repeat(50),
    '1e999',
    '\u0000',
    '\ud800',
    '{"kind":"a"}',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

describe('decoding what is hostile', () => {
  it('never throws and never guesses, whatever the names and values', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 12 }), (entries) =>
        checkEntriesOf(plan, entries),
      ),
      { numRuns: 1500 },
    );
  });

  it('never throws on any JSON', () => {
    const members = fc.dictionary(name, fc.oneof(value, fc.jsonValue()));
    fc.assert(
      fc.property(fc.oneof(members, fc.jsonValue(), fc.anything()), (json) => {
        plan.errors(plan.decodeJson(json));
      }),
      { numRuns: 1000 },
    );
  });

  it('gives nothing deeper than it would take', () => {
    for (let depth = 1; depth <= 20; depth += 1) {
      const chain = '.c'.repeat(depth);
      for (const [field, text] of [
        [`traits.n${chain}.v`, '5'],
        ['traits.free', `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`],
        [`traits.n${chain}`, '{"c":{"c":{"v":5}}}'],
      ] as const) {
        const decoded = plan.decode({ [field]: text });
        if (decoded.conflicts.length > 0) continue;
        expect({ field, excess: plan.excess(decoded.value) }).toEqual({ field, excess: null });
      }
    }
    const deep = plan.excess({ traits: { n: { c: { c: { c: Array(20).fill([]) } } } } });
    expect(deep).toBeNull();
    expect(plan.excess({ traits: { a: new Array(1001).fill(1) } })?.code).toBe('limit.fields');
    expect(plan.excess({ traits: { s: 'x'.repeat(70_000) } })).toMatchObject({
      code: 'limit.value',
      pointer: '/traits/s',
    });
  });

  it('never throws on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const body = `traits.${Buffer.from(bytes).toString('latin1')}`;
        checkEntriesOf(plan, parseUrlencoded(body));
      }),
    );
  });

  it('validates any value at all', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.record({ traits: fc.jsonValue() })), (any) => {
        for (const error of plan.validate(any)) expect(error.message).not.toBe('');
      }),
      { numRuns: 1000 },
    );
    let deep: JsonValue = 1;
    for (let index = 0; index < 100_000; index += 1) deep = { c: deep };
    expect(plan.validate({ traits: { n: deep } })).toMatchObject([{ code: 'limit.depth' }]);
    expect(plan.decodeJson({ traits: { n: deep } }).conflicts).toMatchObject([
      { code: 'limit.depth' },
    ]);
  });
});

import { hasControlCharacter } from '@gatehouse/service-kit';
import * as fc from 'fast-check';
import { parseListFilter } from './list-filter.js';

const refused = { kind: 'invalid_argument' };

describe('parseListFilter', () => {
  const fields = ['actor_id=', 'status=', 'create_time<', 'create_time>'] as const;
  const value = fc
    .string({ minLength: 1 })
    .filter((text) => !/["\\]/.test(text) && !hasControlCharacter(text));
  const and = fc.constantFrom(' AND ', ' and ', '  And  ');
  const quote = fc.constantFrom('"', '\\"');

  it('reads the terms in any order, case and quoting', () => {
    fc.assert(
      fc.property(value, value, and, quote, fc.boolean(), (actor, status, join, mark, swap) => {
        const terms = [`actor_id=${mark}${actor}${mark}`, `status = ${mark}${status}${mark}`];
        const text = (swap ? terms.reverse() : terms).join(join);
        expect(parseListFilter(text, fields)).toEqual({ 'actor_id=': actor, 'status=': status });
      }),
    );
  });

  it('reads a range, with bare times', () => {
    const text = 'create_time > 2027-01-01T00:00:00Z AND create_time<"2027-02-01T00:00:00+01:00"';
    expect(parseListFilter(text, fields)).toEqual({
      'create_time>': '2027-01-01T00:00:00Z',
      'create_time<': '2027-02-01T00:00:00+01:00',
    });
  });

  it.each(['status<x', 'create_time=x', 'create_time<=x', 'create_time!=x', 'create_time<>x'])(
    'refuses a relation that the field does not have: %s',
    (text) => expect(() => parseListFilter(text, fields)).toThrow('filter'),
  );

  it('throws only 400 errors, in time linear in the length of the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2048 }), (text) => {
        try {
          parseListFilter(text, fields);
        } catch (error) {
          expect(error).toMatchObject(refused);
        }
      }),
    );
    const started = performance.now();
    for (const text of [
      ' '.repeat(2048),
      'a'.repeat(2048),
      '='.repeat(2048),
      'actor_id="'.repeat(200),
    ]) {
      try {
        parseListFilter(text, fields);
      } catch (error) {
        expect(error).toMatchObject(refused);
      }
    }
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

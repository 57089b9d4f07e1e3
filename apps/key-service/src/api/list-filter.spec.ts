import { hasControlCharacter } from '@gatehouse/kit/input';
import * as fc from 'fast-check';
import { parseListFilter } from './list-filter.js';

const refused = { kind: 'invalid_argument' };

describe('parseListFilter', () => {
  const fields = ['actor_id=', 'status=', 'create_time<', 'create_time>'] as const;
  const value = fc.string({ minLength: 1 }).filter((text) => !hasControlCharacter(text));
  const and = fc.constantFrom(' AND ', ' and ', '  And  ');
  const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;
  /** Also the quotes are escaped, as in a shell; then no others can be. */
  const escaped = (text: string) => (/["\\]/.test(text) ? quoted(text) : `\\"${text}\\"`);
  const quote = fc.constantFrom(quoted, escaped);

  it('reads the terms in any order, case and quoting', () => {
    fc.assert(
      fc.property(value, value, and, quote, fc.boolean(), (actor, status, join, mark, swap) => {
        const terms = [`actor_id=${mark(actor)}`, `status = ${mark(status)}`];
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

  /** Reads a text; only a 400 may be thrown. */
  const read = (text: string) => {
    try {
      parseListFilter(text, fields);
    } catch (error) {
      expect(error).toMatchObject(refused);
    }
  };

  it('throws only 400 errors', () => {
    fc.assert(fc.property(fc.string({ maxLength: 2048 }), read));
  });

  it.each([' ', 'a', '=', 'actor_id="'])('takes time in line with the length: %j', (part) => {
    const bestMs = (length: number, times: number) => {
      const text = part.repeat(Math.ceil(length / part.length)).slice(0, length);
      const rounds = Array.from({ length: 10 }, () => {
        const start = performance.now();
        for (let time = 0; time < times; time += 1) read(text);
        return performance.now() - start;
      });
      return Math.min(...rounds);
    };
    // The same number of characters on both sides: linear is 1 at most, quadratic 16.
    expect(bestMs(2048, 10)).toBeLessThan(5 * bestMs(128, 160));
  });
});

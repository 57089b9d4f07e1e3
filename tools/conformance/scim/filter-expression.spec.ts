import { filterText } from './filter-expression.mjs';
import { filterHint } from './filter-hint.mjs';

describe('filterText', () => {
  it.each([
    [{ userName: ['eq', 'Ann'] }, 'userName eq "Ann"'],
    [{ active: ['pr'] }, 'active pr'],
    [{ active: ['np'] }, 'not (active pr)'],
    [{ userName: ['NOT', 'sw', 'A'] }, 'not (userName sw "A")'],
    [{ name: { familyName: ['co', 'a'] } }, 'name[familyName co "a"]'],
    [
      {
        n: [
          ['ge', 6],
          ['le', 9],
        ],
      },
      'n ge 6 and n le 9',
    ],
    [{ emails: [{ type: ['eq', 'work'] }, ['pr']] }, 'emails[type eq "work"] and emails pr'],
    [[{ a: ['eq', null] }, { b: ['eq', true] }], '(a eq null) or (b eq true)'],
  ])('writes %j', (expression, text) => {
    expect(filterText(expression)).toBe(text);
  });
});

describe('filterHint', () => {
  const compare = (name: string, value: unknown, rest: object = {}) => ({
    kind: 'compare',
    operator: 'eq',
    path: { name, ...rest },
    value,
  });

  it('writes the tree as nested calls', () => {
    const filter = {
      kind: 'or',
      operands: [
        { kind: 'and', operands: [{ kind: 'present', path: { name: 'a' } }, compare('b', 2.5)] },
        { kind: 'not', operand: compare('c', 'é"', { urn: 'urn:x', sub: 'd' }) },
        { kind: 'valuePath', path: { name: 'emails' }, filter: compare('type', null) },
      ],
    };
    expect(filterHint(filter)).toBe(
      'or(and(pr("a"), eq("b", 2.5)), not(eq("urn:x:c.d", "\\u00e9\\"")), Filter.complex("emails", eq("type", null)))',
    );
  });
});

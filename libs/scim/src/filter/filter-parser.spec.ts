import fc from 'fast-check';
import { filterTexts } from '../../test/samples.js';
import { ScimError } from '../errors/scim-error.js';
import { type Filter } from './filter-ast.js';
import { parseFilter } from './filter-parser.js';
import { printFilter } from './filter-printer.js';

function refusal(text: string, options = {}): ScimError {
  try {
    parseFilter(text, options);
  } catch (error) {
    if (error instanceof ScimError) {
      return error;
    }
    throw error;
  }
  throw new Error(`"${text}" was accepted.`);
}

const title: Filter = { kind: 'present', path: { name: 'title' } };
const nick: Filter = { kind: 'present', path: { name: 'nickName' } };
const active: Filter = {
  kind: 'compare',
  path: { name: 'active' },
  operator: 'eq',
  value: true,
};

describe('parseFilter', () => {
  it('reads attribute, operator and value', () => {
    expect(parseFilter('userName eq "bjensen"')).toEqual({
      kind: 'compare',
      path: { name: 'userName' },
      operator: 'eq',
      value: 'bjensen',
    });
  });

  it.each([
    ['a eq "x"', 'x'],
    ['a eq "\\u0041\\"\\\\\\/\\n\\t"', 'A"\\/\n\t'],
    ['a eq "名 ✓"', '名 ✓'],
    ['a eq ""', ''],
    ['a eq true', true],
    ['a eq FALSE', false],
    ['a eq null', null],
    ['a eq 42', 42],
    ['a eq -0.5', -0.5],
    ['a eq 2e2', 200],
    ['a eq bob@example.com', 'bob@example.com'],
    ['a eq 123abc', '123abc'],
    ['a eq 007', '007'],
    ['a eq -null', '-null'],
  ])('reads the value of %s', (text, value) => {
    expect(parseFilter(text)).toMatchObject({ value });
  });

  it.each(['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'])(
    'knows %s in any case',
    (name) => {
      expect(parseFilter(`a ${name.toUpperCase()} "x"`)).toMatchObject({ operator: name });
    },
  );

  it.each([
    ['name.givenName pr', { name: 'name', sub: 'givenName' }],
    ['$ref pr', { name: '$ref' }],
    ['pr pr', { name: 'pr' }],
    ['not pr', { name: 'not' }],
    [
      'urn:ietf:params:scim:schemas:core:2.0:User:name.familyName pr',
      { urn: 'urn:ietf:params:scim:schemas:core:2.0:User', name: 'name', sub: 'familyName' },
    ],
  ])('reads the path of %s', (text, path) => {
    expect(parseFilter(text)).toEqual({ kind: 'present', path });
  });

  it('gives and precedence over or, and not over and', () => {
    expect(parseFilter('title pr or nickName pr and not (active eq true)')).toEqual({
      kind: 'or',
      operands: [title, { kind: 'and', operands: [nick, { kind: 'not', operand: active }] }],
    });
  });

  it('lets parentheses change the order', () => {
    expect(parseFilter('(title pr or nickName pr) and active eq true')).toEqual({
      kind: 'and',
      operands: [{ kind: 'or', operands: [title, nick] }, active],
    });
  });

  it('joins a test behind the brackets to the filter in them', () => {
    expect(parseFilter('emails[type eq "work"].value co "@x"')).toEqual(
      parseFilter('emails[type eq "work" and value co "@x"]'),
    );
    expect(parseFilter('emails[type eq "work"] co "@x"')).toEqual(
      parseFilter('emails[type eq "work" and value co "@x"]'),
    );
  });

  it.each([
    ['not userName eq "a"', 'not (userName eq "a")'],
    ['not eq pr', 'not (eq pr)'],
    ['NOT id pr and title pr', 'not (id pr) and title pr'],
  ])('takes "%s" as "%s", for clients that leave the parentheses out', (loose, strict) => {
    expect(parseFilter(loose)).toEqual(parseFilter(strict));
  });

  it.each([
    '',
    ' ',
    ')',
    '()',
    'userName',
    'userName eq',
    'eq "x"',
    'userName xx "a"',
    'userName = "a"',
    'userName eq "a" eq',
    'userName eq "a" userName eq "b"',
    'userName eq "a"x',
    'userName eq "a" and',
    'and userName pr',
    'userName eq and x pr',
    'userName pr "x"',
    '(userName eq "a"',
    'userName eq "a")',
    '(userName pr)()',
    'userName eq ("john")',
    "userName eq 'bjensen'",
    'userName eq "a',
    'userName eq "a\\',
    'userName eq "\\a"',
    'userName eq "\\u12"',
    'userName eq "a\\u0000b"',
    'userName eq "\\ud800"',
    'userName eq 1e999',
    'emails[]',
    'emails[type eq "work"',
    'emails type eq "work"]',
    '[value eq "x"]',
    'emails[value[type pr]]',
    'emails[a.b eq "x"]',
    'emails[urn:x:y eq "x"]',
    'emails[type pr].a.b pr',
    'emails[type pr]. pr',
    'a..b pr',
    'a.b.c pr',
    '.a pr',
    'a. pr',
    'ur n:x pr',
    '1a pr',
    'a@b pr',
    '__proto__ pr',
    'a.constructor eq "x"',
    'Prototype pr',
    'not ( and )',
  ])('refuses %j', (text) => {
    expect(refusal(text)).toMatchObject({ status: 400, scimType: 'invalidFilter' });
  });

  it.each(['userName eq bob', 'not userName pr', 'emails[type pr] co "x"'])(
    'refuses the tolerated "%s" when it is to be strict',
    (text) => {
      expect(refusal(text, { tolerant: false }).scimType).toBe('invalidFilter');
    },
  );
});

describe('limits of parseFilter', () => {
  const clauses = (count: number) => Array(count).fill('a eq 1').join(' or ');
  const levels = (count: number) => `${'('.repeat(count)}a pr${')'.repeat(count)}`;
  const nots = (count: number) => `${'not ('.repeat(count)}a pr${')'.repeat(count)}`;

  it('accepts filters within the limits', () => {
    expect(parseFilter(clauses(250))).toMatchObject({ kind: 'or' });
    expect(parseFilter(levels(50))).toMatchObject({ kind: 'present' });
    expect(parseFilter(nots(25))).toMatchObject({ kind: 'not' });
  });

  it.each([
    ['251 clauses', clauses(251)],
    ['10,000 clauses', clauses(10_000)],
    ['51 levels', levels(51)],
    ['1,000 levels', levels(1_000)],
    ['1,000 negations', nots(1_000)],
    ['a long value', `a eq "${'x'.repeat(20_000)}"`],
    ['opening parentheses only', '('.repeat(16_000)],
  ])('refuses %s at once', (_name, text) => {
    const start = performance.now();
    expect(refusal(text).scimType).toBe('invalidFilter');
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it('are configurable', () => {
    expect(refusal(clauses(3), { clausesMax: 2 }).detail).toContain('2 clauses');
    expect(refusal(levels(3), { depthMax: 2 }).detail).toContain('2 levels');
    expect(refusal('a eq 1', { lengthMax: 5 }).detail).toContain('5 characters');
  });
});

describe('printFilter', () => {
  it.each([
    ['a EQ  "x"', 'a eq "x"'],
    ['(a pr and b pr) and (c pr)', 'a pr and b pr and c pr'],
    ['a pr and (b pr or c pr)', 'a pr and (b pr or c pr)'],
    ['not(a pr)', 'not (a pr)'],
    [
      'emails[type eq work or primary eq true].value pr',
      'emails[(type eq "work" or primary eq true) and value pr]',
    ],
    ['a eq 1.50', 'a eq 1.50'],
    ['a eq bob', 'a eq "bob"'],
    ['a eq "\\u00e9\\""', 'a eq "é\\""'],
  ])('prints %s as %s', (text, printed) => {
    expect(printFilter(parseFilter(text))).toBe(printed);
  });

  it('prints a text that parses to the same tree', () => {
    fc.assert(
      fc.property(filterTexts, (text) => {
        const filter = parseFilter(text);
        const printed = printFilter(filter);
        expect(parseFilter(printed)).toEqual(filter);
        expect(printFilter(parseFilter(printed))).toBe(printed);
      }),
      { numRuns: 1_000 },
    );
  });

  it('parses any text or refuses it with a ScimError', () => {
    const token = fc.constantFrom(
      '(',
      ')',
      '[',
      ']',
      'and',
      'or',
      'not',
      'eq',
      'pr',
      'a',
      'a.b',
      '"x"',
      '"',
      '5',
      ' ',
      '.v',
    );
    const texts = fc.oneof(
      fc.string(),
      fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join(' ')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        try {
          parseFilter(text);
        } catch (error) {
          expect(error).toMatchObject({ name: 'ScimError', scimType: 'invalidFilter' });
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

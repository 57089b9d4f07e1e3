import * as fc from 'fast-check';
import { fitsSubject } from './subject-pattern.js';

const MAIN = 'repo:octo-org/octo-repo:ref:refs/heads/main';

it.each([
  [MAIN, MAIN],
  ['repo:octo-org/octo-repo:*', MAIN],
  ['repo:octo-org/octo-repo:ref:refs/heads/*', 'repo:octo-org/octo-repo:ref:refs/heads/fix/a:b'],
  ['repo:octo-org/*:ref:refs/heads/main', MAIN],
  ['repo:*/octo-repo:environment:*', 'repo:octo-org/octo-repo:environment:production'],
  ['repo:octo-org/*', 'repo:octo-org/octo-repo:pull_request'],
  ['system:serviceaccount:*:builder', 'system:serviceaccount:ci:builder'],
  ['a*b*c', 'abbc'],
  ['a*b*c', 'abc'],
  ['a**', 'a'],
])('%s fits %s', (pattern, subject) => {
  expect(fitsSubject(pattern, subject)).toBe(true);
});

it.each([
  [
    'another repository that begins alike',
    'repo:octo-org/octo-repo:*',
    'repo:octo-org/octo-repo2:x',
  ],
  ['an owner that ends alike', 'repo:octo-org/*', 'repo:evil/repo:octo-org/x'],
  ['text before it', MAIN, `x${MAIN}`],
  ['text behind it', MAIN, `${MAIN}-2`],
  ['a new line behind it', MAIN, `${MAIN}\n`],
  ['a line of its own', MAIN, `evil\n${MAIN}\nevil`],
  ['other case', MAIN, MAIN.toUpperCase()],
  [
    'an environment that is named like a branch',
    'repo:octo-org/*:ref:refs/heads/main',
    'repo:octo-org/evil:environment:x:ref:refs/heads/main',
  ],
  ['too few parts', 'repo:octo-org/octo-repo:*', 'repo:octo-org/octo-repo'],
  ['a character of a regular expression', 'repo:octo.org/*', 'repo:octo-org/x'],
  ['an overlap of both ends', 'ab*ba', 'aba'],
  ['an overlap within', 'a*bc*cd', 'abcd'],
  ['nothing', 'a', ''],
])('%s does not fit: %j, %j', (_, pattern, subject) => {
  expect(fitsSubject(pattern, subject)).toBe(false);
});

it('agrees with a regular expression', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ':', '*', '.', '\n'), maxLength: 12 });
  const subjects = fc.string({ unit: fc.constantFrom('a', 'b', ':', '.', '\n'), maxLength: 12 });
  fc.assert(
    fc.property(text, subjects, (pattern, subject) => {
      const parts = pattern.split('*').map((piece) => piece.replaceAll('.', '\\.'));
      const inner = parts.join('[^:]*').replace(/(\[\^:\]\*)$/, '[^]*');
      const isExpected = new RegExp(`^(?:${inner})$`).test(subject);
      expect([pattern, subject, fitsSubject(pattern, subject)]).toEqual([
        pattern,
        subject,
        isExpected,
      ]);
    }),
    { numRuns: 2_000 },
  );
});

it('takes linear time', () => {
  const pattern = 'a*'.repeat(250) + 'b';
  const msFor = (length: number, times: number) => {
    const subject = 'a'.repeat(length);
    const start = performance.now();
    for (let n = 0; n < times; n += 1) fitsSubject(pattern, subject);
    return performance.now() - start;
  };
  msFor(1_000, 200);
  // The same number of characters on both sides: linear is 1 at most, quadratic 64.
  expect(msFor(64_000, 10)).toBeLessThan(16 * msFor(1_000, 640));
});

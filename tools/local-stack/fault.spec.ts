import { printable } from './fault.mjs';

it('escapes control characters for a terminal, but for line ends and tabs', () => {
  expect(printable('\u001b[2J\u001b]0;x\u0007a\r\n\tb\u009bé')).toBe(
    '\\x1b[2J\\x1b]0;x\\x07a\\x0d\n\tb\\x9bé',
  );
});

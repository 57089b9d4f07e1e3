import { FORMATS } from './formats.js';

const accepts = (format: string, text: string): boolean => FORMATS[format]?.(text) === true;

describe('formats', () => {
  it.each([
    ['email', 'a@b'],
    ['email', 'a@b.c'],
    ['email', 'Ä@b.de'],
    ['email', '"a b"@example.com'],
    ['email', '"a\\"b"@c'],
    ['email', "o'neil+tag@sub.example.com"],
    ['email', ' a@b'],
    ['date-time', '2024-01-02T03:04:05Z'],
    ['date-time', '2024-01-02T03:04:05.123+02:00'],
    ['date', '0000-01-01'],
    ['date', '2024-02-29'],
    ['time', '03:04:05Z'],
    ['time', '03:04:05+02:00'],
    ['iso-time', '03:04:05'],
    ['uri', 'http://s'],
    ['uri', 'mailto:a@b'],
    ['url', 'https://example.com/a?b=c'],
    ['iri', 'https://bücher.example/ä'],
    ['uri-reference', '/x'],
    ['hostname', 'a.b.'],
    ['ipv4', '1.2.3.4'],
    ['ipv4', '01.2.3.4'],
    ['ipv6', '::1'],
    ['regex', '^a$'],
    ['tel', '+44 20 7946 0958'],
    ['tel', '+1-202-555-0123'],
    ['uuid', '123e4567-e89b-12d3-a456-426614174000'],
    ['json-pointer', '/a/b'],
    ['duration', 'P1D'],
  ])('%s takes %j', (format, text) => {
    expect(accepts(format, text)).toBe(true);
  });

  it.each([
    ['email', ''],
    ['email', 'a'],
    ['email', '@b'],
    ['email', 'a@'],
    ['email', 'a@b '],
    ['email', 'a b@c'],
    ['email', '.a@b'],
    ['email', 'a..b@c'],
    ['email', 'A B <a@b.de>'],
    ['email', 'a@b..de'],
    ['email', 'a@-b.de'],
    ['email', 'a@bü.de'],
    ['email', 'a@[127.0.0.1]'],
    ['email', `${'a'.repeat(65)}@b`],
    ['email', `a@${'b.'.repeat(130)}c`],
    ['date-time', '2024-01-02 03:04:05Z'],
    ['date-time', '2024-01-02t03:04:05z'],
    ['date-time', '2024-01-02T03:04:05'],
    ['date-time', '2024-01-02T03:04:60Z'],
    ['date-time', '2024-13-02T03:04:05Z'],
    ['date', '10000-01-01'],
    ['date', '2023-02-29'],
    ['time', '03:04'],
    ['time', '24:00:00Z'],
    ['uri', '/x'],
    ['uri', 'http://a b'],
    ['hostname', '-a'],
    ['ipv4', '256.1.1.1'],
    ['ipv4', '1.2.3'],
    ['regex', '(?=a)'],
    ['regex', '['],
    ['tel', '12345'],
    ['tel', '+49 abc'],
    ['tel', '+1234567890123456'],
  ])('%s refuses %j', (format, text) => {
    expect(accepts(format, text)).toBe(false);
  });

  it('take time in proportion to the text, whatever it is', () => {
    const pieces = [
      'a',
      '1',
      '.',
      '-',
      ':',
      '/',
      '%41',
      '"',
      '@',
      ' ',
      'a.',
      '0:',
      'P1',
      '{a}',
      '~0',
      '\\',
      '[',
    ];
    const long = pieces.flatMap((piece) => [
      piece.repeat(65_536 / piece.length),
      `a@${piece.repeat(60_000 / piece.length)}!`,
      `http://${piece.repeat(60_000 / piece.length)}\u0001`,
      `${piece.repeat(60_000 / piece.length)}\n`,
    ]);
    for (const [format, check] of Object.entries(FORMATS)) {
      const start = performance.now();
      for (const text of long) check(text);
      const spent = performance.now() - start;
      expect(`${format} ${spent < 3000 ? 'is quick' : `took ${spent} ms`}`).toBe(
        `${format} is quick`,
      );
    }
  });
});

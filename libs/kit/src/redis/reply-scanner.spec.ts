import fc from 'fast-check';
import { REPLY_LIMITS, ReplyScanner, UnreadableReply } from './reply-scanner.js';

const scan = (text: string, chunkBytes = text.length) => {
  const scanner = new ReplyScanner();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    scanner.scan(bytes.subarray(at, at + chunkBytes));
  }
};

const line = fc
  .tuple(fc.constantFrom(...'+-:,(#_'), fc.stringMatching(/^[ -~]{0,20}$/))
  .map(([type, text]) => `${type}${text}\r\n`);
const bulk = fc
  .tuple(fc.constantFrom(...'$=!'), fc.string({ unit: 'binary-ascii', maxLength: 40 }))
  .map(([type, text]) => `${type}${text.length}\r\n${text}\r\n`);
const { value: reply } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: REPLY_LIMITS.levels },
    line,
    bulk,
    fc.constantFrom('$-1\r\n', '*-1\r\n'),
    fc
      .tuple(fc.constantFrom(...'*~>'), fc.array(tie('value'), { maxLength: 4 }))
      .map(([type, elements]) => `${type}${elements.length}\r\n${elements.join('')}`),
    fc
      .array(fc.tuple(tie('value'), tie('value')), { maxLength: 2 })
      .map((pairs) => `%${pairs.length}\r\n${pairs.flat().join('')}`),
  ),
}));

describe('ReplyScanner', () => {
  it('takes every sequence of replies within the limits, however it is split', () => {
    fc.assert(
      fc.property(fc.array(reply, { minLength: 1 }), fc.integer({ min: 1, max: 9 }), (all, bytes) =>
        scan(all.join(''), bytes),
      ),
    );
  });

  it.each([
    ['a level too many', '*1\r\n'.repeat(REPLY_LIMITS.levels + 1)],
    ['an element too many', `*${REPLY_LIMITS.elements + 1}\r\n`],
    ['an element too many in all', `*2\r\n*1\r\n:1\r\n*${REPLY_LIMITS.elements - 2}\r\n`],
    ['an entry too many', `%${REPLY_LIMITS.elements / 2 + 1}\r\n`],
    ['a byte too many', `$${REPLY_LIMITS.bytes}\r\n`],
    ['bytes too many in all', `*2\r\n$2\r\nok\r\n$${REPLY_LIMITS.bytes - 4}\r\n`],
    ['a line without an end', `+${'x'.repeat(REPLY_LIMITS.bytes)}`],
    ['a length without an end', `*${'9'.repeat(11)}`],
    ['a length that is not a number', '*1x\r\n'],
    ['a negative length', '$-7\r\n'],
    ['a map that is null', '%-1\r\n'],
    ['an unknown type', '?1\r\n'],
    ['a line that ends in CR alone', '+OK\rx'],
    ['another protocol', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
  ])('refuses %s, however it is split', (_, text) => {
    expect(() => scan(text)).toThrow(UnreadableReply);
    expect(() => scan(text, text.length > 1_000 ? 65_536 : 1)).toThrow(UnreadableReply);
  });

  it('takes as much as the limits allow, again and again', () => {
    const elements = `*${REPLY_LIMITS.elements}\r\n${':1\r\n'.repeat(REPLY_LIMITS.elements)}`;
    const levels = `${'*1\r\n'.repeat(REPLY_LIMITS.levels)}:1\r\n`;
    expect(() => scan(`${elements}${levels}${elements}${levels}`, 65_536)).not.toThrow();
  });
});

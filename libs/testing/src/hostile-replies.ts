const bulk = (text: string) => `$${text.length}\r\n${text}\r\n`;
const array = (...values: string[]) => `*${values.length}\r\n${values.join('')}`;
const push = (...values: string[]) => `>${values.length}\r\n${values.join('')}`;
const NULL = '$-1\r\n';

/** Texts of a Redis that means harm, or of what answers in its place, by what they are. */
export const HOSTILE_REPLIES: Readonly<Record<string, string>> = {
  'arrays in arrays': `${'*1\r\n'.repeat(5_000)}:1\r\n`,
  'arrays in arrays that do not end': '*1\r\n'.repeat(200_000),
  'an array of 100 billion elements': '*99999999999\r\n',
  'arrays that would take all memory': '*30000000\r\n'.repeat(100),
  'a map that would take all memory': '%30000000\r\n',
  'a text of 4 GB': '$4294967295\r\n',
  'a length of a million digits': `$${'9'.repeat(1_000_000)}`,
  'a number of a million digits': `:${'9'.repeat(1_000_000)}\r\n`,
  'a length that is no number': '*many\r\n',
  'a negative length': '$-7\r\n',
  'a null that nothing waits for': NULL,
  'an array that is null': '*-1\r\n',
  'nulls that nothing waits for': NULL.repeat(10_000),
  'an error that nothing waits for': '-ERR no\r\n',
  'an array that nothing waits for': array(bulk('a'), ':1\r\n', NULL),
  'the beginning of a reply': `*2\r\n${bulk('a')}`,
  'a message without a channel': array(bulk('message'), NULL, bulk('x')),
  'a message of nulls': array(bulk('message'), NULL, NULL),
  'a message of numbers': array(bulk('message'), ':1\r\n', ':2\r\n'),
  'a message that is too short': array(bulk('message')),
  'a message for a pattern': array(bulk('pmessage'), NULL, NULL, NULL),
  'a subscription to null': array(bulk('subscribe'), NULL, ':1\r\n'),
  'a subscription that ended': array(bulk('unsubscribe'), NULL, ':0\r\n'),
  'a message without a type': array(NULL, NULL, NULL),
  'a pushed message of nulls': push(bulk('message'), NULL, NULL),
  'a pushed null': push(NULL),
  'a pushed subscription': push(bulk('subscribe')),
  'an unknown type': '?1\r\n',
  zeros: '\0'.repeat(10_000),
  'an answer of HTTP': 'HTTP/1.1 400 Bad Request\r\n\r\n<html></html>',
};

/** Replies that are well formed, and of no use to any command. */
export const USELESS_REPLIES: Readonly<Record<string, string>> = {
  null: '$-1\r\n',
  'a number': ':7\r\n',
  'a number below zero': ':-1\r\n',
  'a text': '$5\r\nhello\r\n',
  'a long text': `$300000\r\n${'x'.repeat(300_000)}\r\n`,
  OK: '+OK\r\n',
  'an error': '-ERR no\r\n',
  'an array of nothing': '*0\r\n',
  'an array of many things': '*4\r\n$1\r\na\r\n:1\r\n$-1\r\n*1\r\n$1\r\nb\r\n',
  'arrays in an array': '*2\r\n*2\r\n$1\r\na\r\n$1\r\nb\r\n*0\r\n',
};

/**
 * Changes some replies of a Redis, by a seed: leaves them out, holds them back until the next, repeats
 * them, or sends useless ones in their place.
 */
export function mixedReplies(seed: number) {
  const useless = Object.values(USELESS_REPLIES).map((text) => Buffer.from(text));
  const nothing: Buffer = Buffer.alloc(0);
  let state = seed;
  let held: Buffer = nothing;
  let changed = 0;
  /** A whole number below `end`, of a linear congruential generator. */
  const below = (end: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
  const change = (piece: Buffer): Buffer => {
    changed += 1;
    const before = held;
    held = nothing;
    const kinds = [
      () => piece,
      () => piece,
      () => nothing,
      () => Buffer.concat([piece, piece]),
      () => useless[below(useless.length)] as Buffer,
      () => {
        held = piece;
        return nothing;
      },
    ];
    return Buffer.concat([before, (kinds[below(kinds.length)] as () => Buffer)()]);
  };
  return { change, changed: () => changed };
}

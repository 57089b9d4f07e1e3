import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { createCursorCodec } from './cursor.js';

const key = randomBytes(32);

describe('createCursorCodec', () => {
  let clock = 1_000_000;
  const codec = createCursorCodec({ key, maxAgeSeconds: 60, now: () => clock });

  it('returns the position and needs no URL encoding', () => {
    fc.assert(
      fc.property(fc.option(fc.string()), fc.uuid(), (sortKey, id) => {
        const cursor = codec.encode({ key: sortKey, id }, 'q');
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(codec.decode(cursor, 'q')).toEqual({ key: sortKey, id });
      }),
    );
  });

  const refused = (cursor: string, query: string, scimType: string) =>
    expect(() => codec.decode(cursor, query)).toThrow(
      expect.objectContaining({ status: 400, scimType }),
    );

  it.each(['VZUTiyhEQJ94IR', '', 'x', '%', 'A'.repeat(100), 'A'.repeat(100_000)])(
    'refuses %s',
    (cursor) => {
      refused(cursor, 'q', 'invalidCursor');
    },
  );

  it('refuses cursors that were changed, signed with another key or made for another query', () => {
    const cursor = codec.encode({ id: '1' }, 'q');
    refused(`${cursor.slice(0, -4)}AAAA`, 'q', 'invalidCursor');
    refused(cursor, 'other', 'invalidCursor');
    const foreign = createCursorCodec({ key: randomBytes(32), maxAgeSeconds: 60 });
    refused(foreign.encode({ id: '1' }, 'q'), 'q', 'invalidCursor');
  });

  it('refuses expired cursors', () => {
    const cursor = codec.encode({ id: '1' }, 'q');
    clock += 60_000;
    expect(codec.decode(cursor, 'q')).toEqual({ id: '1' });
    clock += 2_000;
    refused(cursor, 'q', 'expiredCursor');
  });
});

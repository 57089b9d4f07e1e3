import { cellOf, setCell, uuidv7, uuidv7Bound } from './uuid-v7.js';

describe('uuidv7', () => {
  it('has the version, the variant and the time of RFC 9562', () => {
    const id = uuidv7(0x0123_4567_89ab);
    expect(id).toMatch(/^01234567-89ab-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('is bounded by its time', () => {
    const bound = uuidv7Bound(new Date(1_000));
    expect(uuidv7(999) < bound && bound < uuidv7(1_000)).toBe(true);
  });

  it('keeps the order in which ids of one millisecond were made', () => {
    const ids = Array.from({ length: 1_000 }, () => uuidv7(5_000));
    expect(ids).toEqual([...ids].sort());
  });

  it('carries the cell of its process, and keeps version, variant and order', () => {
    try {
      for (const cell of [0, 7, 255]) {
        setCell(cell);
        const ids = Array.from({ length: 1_000 }, () => uuidv7(6_000 + cell));
        expect(new Set(ids.map(cellOf))).toEqual(new Set([cell]));
        expect(ids.every((id) => /^.{14}7.{4}[89ab]/.test(id))).toBe(true);
        expect(ids).toEqual([...ids].sort());
      }
    } finally {
      setCell(0);
    }
  });

  it('does not repeat', () => {
    const ids = new Set(Array.from({ length: 10_000 }, () => uuidv7()));
    expect(ids.size).toBe(10_000);
  });
});

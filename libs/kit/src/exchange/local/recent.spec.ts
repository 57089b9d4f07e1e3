import { Recent } from './recent.js';

describe('Recent', () => {
  it('keeps values by name', () => {
    const recent = new Recent<number>(2);
    recent.set('a', 1);
    recent.set('b', 2);
    recent.set('a', 3);
    expect(['a', 'b', 'c'].map((name) => recent.get(name))).toEqual([3, 2, undefined]);
  });

  it('forgets, beyond its bound, the value that was not read or set for longest', () => {
    const recent = new Recent<number>(3);
    for (const [name, value] of Object.entries({ a: 1, b: 2, c: 3 })) recent.set(name, value);
    recent.get('a');
    recent.set('b', 4);
    recent.set('d', 5);
    expect(['a', 'b', 'c', 'd'].map((name) => recent.get(name))).toEqual([1, 4, undefined, 5]);
  });

  it('holds no more than its bound, however many names come', () => {
    const recent = new Recent<number>(10);
    const names = Array.from({ length: 1_000 }, (_, n) => String(n));
    names.forEach((name, n) => recent.set(name, n));
    const kept = names.filter((name) => recent.get(name) !== undefined);
    expect(kept).toEqual(names.slice(-10));
  });
});

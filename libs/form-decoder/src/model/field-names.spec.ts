import fc from 'fast-check';
import {
  joinName,
  joinPointer,
  nameOfPointer,
  pointerOfName,
  splitName,
  splitPointer,
} from './field-names.js';

const segments = fc.array(fc.string({ maxLength: 6 }), { minLength: 1, maxLength: 5 });

describe('field names', () => {
  it.each([
    ['traits.address.city', ['traits', 'address', 'city']],
    ['traits.a\\.b', ['traits', 'a.b']],
    ['a\\\\.b', ['a\\', 'b']],
    ['a\\b', ['a\\b']],
    ['.a.', ['', 'a', '']],
    ['', ['']],
    ['a\\', ['a\\']],
  ])('%s has the segments %j', (name, expected) => {
    expect(splitName(name)).toEqual(expected);
  });

  it('come back from their segments', () => {
    fc.assert(
      fc.property(segments, (list) => {
        expect(splitName(joinName(list))).toEqual(list);
      }),
    );
  });
});

describe('pointers', () => {
  it('come back from their segments', () => {
    fc.assert(
      fc.property(segments, (list) => {
        expect(splitPointer(joinPointer(list))).toEqual(list);
        expect(splitPointer(`#${encodeURIComponent(joinPointer(list))}`)).toEqual(list);
      }),
    );
  });

  it.each([
    ['#/foo/bar', 'foo.bar'],
    ['#/a~1b/c~0d', 'a/b.c~d'],
    ['/foo/0/bar', 'foo.0.bar'],
    ['#/a.b/c', 'a\\.b.c'],
    ['#/a%20b', 'a b'],
    ['', ''],
  ])('%s is the name %s', (pointer, name) => {
    expect(nameOfPointer(pointer)).toBe(name);
  });

  it.each(['http://x/y#/z', 'a', '#a', '#/%zz'])(
    '%s does not point into the document',
    (pointer) => {
      expect(() => nameOfPointer(pointer)).toThrow(RangeError);
    },
  );

  it.each([
    ['traits.a[0].b', '/traits/a/0/b'],
    ['traits.a[]', '/traits/a'],
    ['traits.a\\.b', '/traits/a.b'],
    ['x[1][2]', '/x/1/2'],
    ['[0]', '/0'],
    ['a/b~c', '/a~1b~0c'],
  ])('%s points at %s', (name, pointer) => {
    expect(pointerOfName(name)).toBe(pointer);
  });
});

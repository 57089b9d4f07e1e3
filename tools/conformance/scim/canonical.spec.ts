import { canonical, schemasInUse } from './canonical.mjs';
import { type JsonObject } from './types.mjs';

describe('canonical', () => {
  it('is the same for what means the same', () => {
    const stored: JsonObject = {
      id: '1',
      meta: { version: '2' },
      userName: 'a',
      emails: [
        { value: 'x', primary: false },
        { type: 'work', value: 'y' },
      ],
    };
    const written: JsonObject = {
      emails: [{ value: 'y', type: 'work' }, { value: 'x' }],
      userName: 'a',
      title: null,
      roles: [],
      name: {},
    };
    expect(canonical(stored)).toBe(canonical(written));
  });

  it.each([
    [{ active: false }, {}],
    [{ emails: [{ value: 'x', primary: true }] }, { emails: [{ value: 'x' }] }],
    [{ title: '' }, {}],
    [{ roles: ['a', 'a'] }, { roles: ['a'] }],
  ])('tells %j from %j', (one, other) => {
    expect(canonical(one as never)).not.toBe(canonical(other as never));
  });
});

describe('schemasInUse', () => {
  it('adds the base schema and the extensions that the resource has', () => {
    expect(schemasInUse({ schemas: ['urn:c'], 'urn:b': { x: 1 }, userName: 'a' }, 'urn:a')).toEqual(
      ['urn:a', 'urn:b', 'urn:c'],
    );
  });
});

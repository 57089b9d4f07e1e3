import { memberReferences, takeMembers } from './members.js';

describe('memberReferences', () => {
  it.each([
    [
      [{ value: 'a', type: 'User', display: 'A', $ref: 'x/a' }],
      [{ value: 'a', type: 'User', $ref: 'x/a' }],
    ],
    ['a', [{ value: 'a' }]],
    [
      ['a', 'b', 'a'],
      [{ value: 'a' }, { value: 'b' }],
    ],
    [{ VALUE: 'a' }, [{ value: 'a' }]],
    [[{ $ref: 'https://x/Users/a' }], [{ value: 'a', $ref: 'https://x/Users/a' }]],
    [[], []],
    [null, []],
  ])('reads %j', (value, members) => {
    expect(memberReferences(value)).toEqual(members);
  });

  it.each([
    [5],
    [{}],
    [[{}]],
    [[{ value: 0 }]],
    [[{}, { display: 'x' }]],
    [[{ value: '' }]],
    [[['a']]],
  ])('refuses %j', (value) => {
    expect(() => memberReferences(value)).toThrow(
      expect.objectContaining({ scimType: 'invalidValue' }),
    );
  });
});

describe('takeMembers', () => {
  it('splits a group', () => {
    const group = { schemas: [], displayName: 'G', members: [{ value: 'a' }] };
    expect(takeMembers(group)).toEqual({
      resource: { schemas: [], displayName: 'G' },
      members: [{ value: 'a' }],
    });
    expect(takeMembers({ schemas: [], displayName: 'G' }).members).toBeUndefined();
    expect(takeMembers({ schemas: [], displayName: 'G', members: [] }).members).toEqual([]);
  });
});

import { type JsonObject } from '../json/json.js';
import { userResourceType } from '../schema/resource-type.js';
import { bindSort, sortResources } from './sort.js';

const users: JsonObject[] = [
  { id: 'c', userName: 'Bea', name: { familyName: 'zed' }, emails: [{ value: 'z' }] },
  { id: 'a', userName: 'adam', active: true },
  {
    id: 'b',
    userName: 'cleo',
    name: { familyName: 'Abe' },
    active: false,
    emails: [{ value: 'b' }, { value: 'a', primary: true }],
  },
];

function order(sortBy: string, sortOrder?: string): unknown[] {
  const sort = bindSort(userResourceType, sortBy, sortOrder);
  return sortResources(users, sort!).map(({ id }) => id);
}

describe('sortResources', () => {
  it.each([
    ['userName', undefined, ['a', 'c', 'b']],
    ['USERNAME', 'Descending', ['b', 'c', 'a']],
    ['id', 'ascending', ['a', 'b', 'c']],
    ['name.familyName', undefined, ['b', 'c', 'a']],
    ['name.familyName', 'descending', ['a', 'c', 'b']],
    ['emails', undefined, ['b', 'c', 'a']],
    ['emails.value', 'descending', ['a', 'c', 'b']],
    ['active', undefined, ['b', 'a', 'c']],
  ])('by %s %s', (sortBy, sortOrder, ids) => {
    expect(order(sortBy, sortOrder)).toEqual(ids);
  });
});

describe('bindSort', () => {
  it.each([undefined, '', 'noSuch', 'name', 'password', 'emails.pet'])(
    'has nothing to sort by in %j',
    (sortBy) => {
      expect(bindSort(userResourceType, sortBy)).toBeUndefined();
    },
  );

  it('refuses invalid attributes and orders', () => {
    expect(() => bindSort(userResourceType, 'a b')).toThrow(
      expect.objectContaining({ scimType: 'invalidPath' }),
    );
    expect(() => bindSort(userResourceType, 'userName', 'up')).toThrow(
      expect.objectContaining({ scimType: 'invalidValue' }),
    );
  });
});

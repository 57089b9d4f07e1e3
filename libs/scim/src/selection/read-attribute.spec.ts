import { userResourceType } from '../schema/resource-type.js';
import { readAttribute } from './read-attribute.js';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const user = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  title: 'T',
  name: { givenName: 'Kim' },
  emails: [
    { value: 'a@b', type: 'home' },
    { value: 'c@d', type: 'work' },
  ],
  badge: { code: 'A' },
  [enterprise]: { department: 'D', manager: { value: 'm' } },
  'urn:x:y:1.0:User': { z: 1 },
};

it.each([
  ['title', 'T'],
  ['TITLE', 'T'],
  ['name.givenName', 'Kim'],
  ['emails[type eq "work"].value', 'c@d'],
  ['emails[type eq "fax"].value', undefined],
  ['emails.value', ['a@b', 'c@d']],
  ['nickName', undefined],
  ['badge.code', 'A'],
  [`${enterprise}:department`, 'D'],
  ['department', 'D'],
  [`${enterprise}:manager.value`, 'm'],
  ['urn:x:y:1.0:user:z', 1],
  ['urn:x:y:2.0:User:z', undefined],
])('readAttribute of %s', (path, value) => {
  expect(readAttribute(user, path, userResourceType)).toEqual(value);
});

it.each(['', 'a b', '__proto__', 'emails[', 'name.pet'])('readAttribute refuses %j', (path) => {
  expect(() => readAttribute(user, path, userResourceType)).toThrow(
    expect.objectContaining({ scimType: 'invalidPath' }),
  );
});

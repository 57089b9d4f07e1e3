import { readPath } from './json-path.mjs';
import { type JsonObject } from './types.mjs';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const user: JsonObject = {
  id: 'u1',
  active: false,
  name: { givenName: 'Ada' },
  emails: [
    { type: 'home', value: 'ada@home.example' },
    { type: 'work', value: 'ada@work.example', primary: true },
  ],
  members: [{ value: 'm1', $ref: 'https://example.com/Users/m1' }],
  [enterprise]: { manager: { value: 'u9' } },
};

describe('readPath', () => {
  it.each([
    ['$', user],
    ['id', 'u1'],
    ['active', false],
    ['name.givenName', 'Ada'],
    ['emails[0].value', 'ada@home.example'],
    ['emails[?type=work].value', 'ada@work.example'],
    ['emails[?primary=true].type', 'work'],
    ['emails[*].type', ['home', 'work']],
    ['emails[*]', user.emails],
    ['members[?value=m1].$ref', 'https://example.com/Users/m1'],
    [`["${enterprise}"].manager.value`, 'u9'],
  ])('reads %s', (path, value) => {
    expect(readPath(user, path)).toEqual(value);
  });

  it.each([
    'nickName',
    'emails[7].value',
    'emails[?type=other].value',
    'id.x',
    'name[0]',
    'constructor',
  ])('finds nothing at %s', (path) => {
    expect(readPath(user, path)).toBeUndefined();
  });

  it('finds nothing in an answer without a body', () => {
    expect(readPath(undefined, 'a[*].b')).toBeUndefined();
  });

  it('refuses a path that it cannot read', () => {
    expect(() => readPath(user, 'emails[')).toThrow('cannot be read from character 6');
  });
});

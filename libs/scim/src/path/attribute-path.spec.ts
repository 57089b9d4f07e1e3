import { userResourceType } from '../schema/resource-type.js';
import { parseAttributePath, printAttributePath } from './attribute-path.js';
import { refName, resolveAttribute } from './attribute-ref.js';

const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

function resolved(text: string) {
  return resolveAttribute(userResourceType, parseAttributePath(text)!);
}

describe('parseAttributePath', () => {
  it.each([
    ['userName', { name: 'userName' }],
    ['name.givenName', { name: 'name', sub: 'givenName' }],
    ['$ref', { name: '$ref' }],
    ['x-ray_9', { name: 'x-ray_9' }],
    [`${core}:name.givenName`, { urn: core, name: 'name', sub: 'givenName' }],
    [
      'urn:scim:schemas:extension:enterprise:1.0',
      { urn: 'urn:scim:schemas:extension:enterprise:1.0' },
    ],
  ])('reads and prints %s', (text, path) => {
    expect(parseAttributePath(text)).toEqual(path);
    expect(printAttributePath(path)).toBe(text);
  });

  it.each([
    '',
    ' ',
    'a b',
    'a.',
    '.a',
    'a..b',
    'a.b.c',
    '1a',
    '$',
    '$.displayName',
    '$id',
    'a[',
    'ü',
    ':a',
    'urn:',
    'a:',
    '__proto__',
    'a.constructor',
    'urn:x:prototype',
  ])('refuses %j', (text) => {
    expect(parseAttributePath(text)).toBeUndefined();
  });
});

describe('resolveAttribute', () => {
  it.each([
    ['USERNAME', 'userName'],
    ['Name.GIVENNAME', 'name.givenName'],
    [`${core.toUpperCase()}:Emails.Value`, 'emails.value'],
    ['urn:scim:schemas:core:1.0:userName', 'userName'],
    [`${enterprise.toLowerCase()}:Manager.Value`, `${enterprise}:manager.value`],
    ['urn:scim:schemas:extension:enterprise:1.0:department', `${enterprise}:department`],
    ['department', `${enterprise}:department`],
    [enterprise, enterprise],
    ['urn:scim:schemas:extension:enterprise:1.0', enterprise],
    [core, ''],
    ['meta.lastmodified', 'meta.lastModified'],
  ])('finds %s', (text, name) => {
    const ref = resolved(text);
    expect(refName(ref)).toBe(name);
  });

  it.each([
    ['badge.Code', 'badge.Code'],
    [`${core}:employeeNumber`, 'employeeNumber'],
    [`${enterprise}:userName`, `${enterprise}:userName`],
    [
      'urn:ietf:params:scim:schemas:extension:Shop:2.0:User:Till',
      'urn:ietf:params:scim:schemas:extension:Shop:2.0:User:Till',
    ],
  ])('has no definition of %s', (text, name) => {
    const ref = resolved(text);
    expect(ref.definition).toBeUndefined();
    expect(refName(ref)).toBe(name);
  });

  it('reads a URN that ends in version and type as an extension', () => {
    const urn = 'urn:ietf:params:scim:schemas:extension:Shop:2.0:User';
    expect(resolved(urn)).toEqual({ extension: { urn } });
  });

  it('does not find properties of the prototype', () => {
    expect(resolved('toString').definition).toBeUndefined();
    expect(resolved('name.valueOf').subDefinition).toBeUndefined();
  });
});

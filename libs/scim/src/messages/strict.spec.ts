import {
  applyPatch,
  bindFilter,
  groupResourceType,
  parseFilter,
  parsePatchRequest,
  planGroupPatch,
  requireDefinedNames,
  requireDefinedTerms,
  requireStrictPatch,
  userResourceType,
} from '../index.js';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';

describe('requireDefinedNames', () => {
  it('accepts what the schemas define, in any case and by URN', () => {
    const body = {
      schemas: [USER, ENTERPRISE],
      id: 'x',
      externalId: 'x',
      meta: { version: 'x' },
      password: 'x',
      USERNAME: 'ann',
      name: { familyName: 'A' },
      emails: [{ value: 'a@example.com', type: 'work' }],
      active: 'True',
      addresses: { locality: 'x' },
      roles: ['admin'],
      [ENTERPRISE]: { department: 'x', manager: { value: 'y' } },
      [`${ENTERPRISE}:costCenter`]: 'x',
      [USER]: { nickName: 'x' },
    };
    expect(() => requireDefinedNames(body, userResourceType)).not.toThrow();
    const group = { displayName: 'x', members: [{ value: 'y', type: 'User', display: 'z' }] };
    expect(() => requireDefinedNames(group, groupResourceType)).not.toThrow();
  });

  it.each<[string, object]>([
    ['shoeSize', { userName: 'ann', shoeSize: 4 }],
    ['manager', { userName: 'ann', manager: 'x' }],
    ['name.suffix', { userName: 'ann', name: { suffix: 'x' } }],
    ['emails.kind', { userName: 'ann', emails: [{ value: 'x' }, { kind: 'y' }] }],
    ['urn:example:User', { userName: 'ann', schemas: [USER, 'urn:example:User'] }],
    ['urn:example:2.0:User', { userName: 'ann', 'urn:example:2.0:User': { a: 1 } }],
    [`${ENTERPRISE}:team`, { userName: 'ann', [ENTERPRISE]: { team: 'x' } }],
    ['nick', { userName: 'ann', [USER]: { nick: 'x' } }],
    ['__proto__', JSON.parse('{"__proto__":{}}') as object],
  ])('refuses %s and names it', (name, body) => {
    expect(() => requireDefinedNames(body, userResourceType)).toThrow(
      expect.objectContaining({
        status: 400,
        scimType: 'invalidSyntax',
        detail: expect.stringContaining(`${name} is not defined`),
      }),
    );
  });
});

it.each<[string, object]>([
  ['title', { userName: 'ann', title: ['x'] }],
  ['name', { userName: 'ann', name: [{ givenName: 'x' }] }],
  ['emails.value', { userName: 'ann', emails: [{ value: ['x'] }] }],
  [ENTERPRISE, { userName: 'ann', [ENTERPRISE]: [{ department: 'x' }] }],
  [USER, { userName: 'ann', [USER]: [{ title: 'x' }] }],
])('refuses a list for the single value %s', (name, body) => {
  const refusal = { status: 400, scimType: 'invalidValue', detail: expect.stringContaining(name) };
  expect(() => requireDefinedNames(body, userResourceType)).toThrow(
    expect.objectContaining(refusal),
  );
  const [path, value] = Object.entries(body)[1] as [string, unknown];
  const operations = parsePatchRequest({ Operations: [{ op: 'add', path, value }] });
  expect(() => requireStrictPatch(operations, userResourceType)).toThrow(
    expect.objectContaining(refusal),
  );
});

describe('requireStrictPatch', () => {
  const check = (operation: object, type = userResourceType) =>
    requireStrictPatch(parsePatchRequest({ Operations: [operation] }), type);

  it.each([
    { op: 'replace', path: 'active', value: false },
    { op: 'replace', path: 'name', value: { givenName: 'x' } },
    { op: 'add', path: 'emails[type eq "work"].value', value: 'x' },
    { op: 'add', path: ENTERPRISE, value: { department: 'x' } },
    { op: 'replace', path: `${ENTERPRISE}:manager.value`, value: 'x' },
    { op: 'remove', path: 'emails[type eq "work"]' },
  ])('accepts $path', (operation) => {
    expect(() => check(operation)).not.toThrow();
  });

  it.each<[string, object]>([
    ['Operations[0] has no path', { op: 'replace', value: { active: false } }],
    ['shoeSize is not defined', { op: 'add', path: 'shoeSize', value: 4 }],
    ['name.suffix is not defined', { op: 'add', path: 'name', value: { suffix: 'x' } }],
    [`${ENTERPRISE}:team is not`, { op: 'add', path: ENTERPRISE, value: { team: 'x' } }],
    [`${ENTERPRISE}:team is not`, { op: 'add', path: `${ENTERPRISE}:team`, value: 'x' }],
    ['nick is not defined', { op: 'add', path: USER, value: { nick: 'x' } }],
  ])('refuses: %s', (detail, operation) => {
    expect(() => check(operation)).toThrow(
      expect.objectContaining({
        status: 400,
        scimType: 'invalidSyntax',
        detail: expect.stringContaining(detail),
      }),
    );
  });

  it.each([
    ['name.suffix', userResourceType],
    ['emails[type eq "work"].kind', userResourceType],
    ['emails[kind eq "work"]', userResourceType],
    [`${ENTERPRISE}:manager.kind`, userResourceType],
    ['members.kind', groupResourceType],
  ])('leaves %s to the rules of every directory: invalidPath', (path, type) => {
    const operations = parsePatchRequest({ Operations: [{ op: 'add', path, value: 'x' }] });
    const refused = expect.objectContaining({ status: 400, scimType: 'invalidPath' });
    expect(() => {
      requireStrictPatch(operations, type);
      if (type === groupResourceType) planGroupPatch(operations);
      else applyPatch({ schemas: [USER], userName: 'ann' }, operations, type);
    }).toThrow(refused);
  });

  it('accepts changes of members', () => {
    const value = [{ value: 'x', display: 'y' }];
    expect(() => check({ op: 'add', path: 'members', value }, groupResourceType)).not.toThrow();
    const path = 'members[value eq "x"]';
    expect(() => check({ op: 'remove', path }, groupResourceType)).not.toThrow();
  });
});

describe('requireDefinedTerms', () => {
  const check = (filter: string) =>
    requireDefinedTerms(bindFilter(parseFilter(filter), userResourceType));

  it.each([
    'userName eq "x" and not (active eq false)',
    'emails[type eq "work" and value co "x"]',
    `${ENTERPRISE}:department pr`,
    'meta.lastModified gt "2026-01-01T00:00:00Z"',
  ])('accepts %s', (filter) => {
    expect(() => check(filter)).not.toThrow();
  });

  it.each([
    'userName eq "x" or shoeSize eq 4',
    'name.suffix eq "x"',
    'emails[kind eq "x"]',
    `${ENTERPRISE}:team pr`,
  ])('refuses %s', (filter) => {
    expect(() => check(filter)).toThrow(
      expect.objectContaining({ status: 400, scimType: 'invalidFilter' }),
    );
  });
});

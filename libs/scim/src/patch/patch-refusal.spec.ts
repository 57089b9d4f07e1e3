import { coreUrn as core, patched, refusal, user } from '../../test/patching.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { groupResourceType, userResourceType } from '../schema/resource-type.js';
import { applyPatch } from './patch-engine.js';
import { parsePatchRequest } from './patch-request.js';

describe('PATCH that changes nothing', () => {
  it.each<[string, JsonValue]>([
    ['the same value', { op: 'replace', path: 'title', value: 'Clerk' }],
    [
      'the same name',
      { op: 'replace', path: 'name', value: { familyName: 'Roe', givenName: 'Kim' } },
    ],
    ['removing what is not there', { op: 'remove', path: 'nickName' }],
    [
      'an id and meta among the values',
      { op: 'replace', value: { id: 'x', meta: {}, groups: [] } },
    ],
    ['a password', { op: 'replace', path: 'password', value: 's3cret' }],
    ['schemas that are there', { op: 'add', value: { schemas: [core.toUpperCase()] } }],
    ['null for what is unset', { op: 'add', value: { nickName: null } }],
  ])('says so and gives the very resource back: %s', (_name, operation) => {
    const result = patched([operation]);
    expect(result.changed).toBe(false);
    expect(result.resource).toBe(user);
  });

  it('detects a change that is reverted', () => {
    expect(
      patched([
        { op: 'replace', path: 'title', value: 'x' },
        { op: 'replace', path: 'title', value: 'Clerk' },
      ]).changed,
    ).toBe(false);
  });
});

describe('PATCH that is refused', () => {
  it.each<[string, JsonValue, string]>([
    ['emails.value', true, 'emails.value must be a text'],
    ['emails[type eq "home"].value', true, 'emails[type eq "home"].value must be a text'],
    ['EMAILS[type eq "work"].Value', true, 'EMAILS[type eq "work"].Value must be a text'],
    ['emails', [{ value: true }], 'emails.value must be a text'],
    ['name.givenName', true, 'name.givenName must be a text'],
    [`${core}:title`, true, `${core}:title must be a text`],
    ['manager.value', true, 'manager.value must be a text'],
    ['meta.created', 'x', 'meta.created is read-only'],
  ])('names the path as it was sent: %s', (path, value, detail) => {
    const operations = parsePatchRequest({ Operations: [{ op: 'add', path, value }] });
    const refused = expect.objectContaining({ detail: expect.stringContaining(detail) });
    for (const resource of [user, { schemas: [core], userName: 'bare' }]) {
      expect(() => applyPatch(resource, operations, userResourceType)).toThrow(refused);
    }
  });

  it.each<[string, string, JsonValue]>([
    ['noTarget', 'remove without a path', { op: 'remove' }],
    ['invalidSyntax', 'an unknown op', { op: 'move', path: 'title', value: 'x' }],
    ['invalidSyntax', 'no op', { path: 'title', value: 'x' }],
    ['invalidSyntax', 'a path that is no text', { op: 'add', path: 5, value: 'x' }],
    ['invalidValue', 'no value', { op: 'add', path: 'title' }],
    ['invalidValue', 'neither path nor object', { op: 'add', value: 'x' }],
    ['invalidValue', 'a wrong boolean', { op: 'replace', path: 'active', value: 'perhaps' }],
    ['invalidValue', 'a wrong element', { op: 'add', path: 'emails', value: [17] }],
    ['invalidValue', 'an empty userName', { op: 'replace', path: 'userName', value: '' }],
    ['invalidValue', 'a null userName', { op: 'replace', path: 'userName', value: null }],
    ['invalidValue', 'U+0000 in a text', { op: 'replace', path: 'title', value: 'a\u0000' }],
    ['mutability', 'id', { op: 'replace', path: 'id', value: 'x' }],
    ['mutability', 'meta', { op: 'replace', path: 'meta.created', value: 'x' }],
    ['mutability', 'groups', { op: 'add', path: 'groups', value: [{ value: 'x' }] }],
    ['mutability', 'removal of userName', { op: 'remove', path: 'userName' }],
    ['mutability', 'removal of schemas', { op: 'remove', path: 'schemas' }],
    [
      'mutability',
      'a read-only sub-attribute',
      { op: 'add', path: 'manager.displayName', value: 'x' },
    ],
    ['invalidPath', 'an open filter', { op: 'replace', path: 'emails[type eq', value: 'x' }],
    ['invalidPath', 'an empty filter', { op: 'replace', path: 'emails[]', value: 'x' }],
    ['invalidPath', 'two filters', { op: 'remove', path: 'emails[type pr][value pr]' }],
    ['invalidPath', 'a path too deep', { op: 'remove', path: 'a.b.c' }],
    [
      'invalidPath',
      'brackets after a text',
      { op: 'replace', path: 'userName[type eq "x"]', value: 'z' },
    ],
    ['invalidPath', 'an unknown sub-attribute', { op: 'add', path: 'name.pet', value: 'x' }],
    [
      'invalidPath',
      'an unknown sub-attribute in a filter',
      { op: 'remove', path: 'emails[pet eq "x"]' },
    ],
    [
      'invalidPath',
      'an unknown one behind a filter',
      { op: 'add', path: 'emails[type pr].pet', value: 'x' },
    ],
    ['invalidPath', 'a path that is too long', { op: 'add', path: 'a'.repeat(3_000), value: 'x' }],
  ])('%s: %s', (scimType, _name, operation) => {
    expect(refusal([operation])).toMatchObject({ status: 400, scimType });
  });

  it('discards the operations before the failing one', () => {
    refusal([{ op: 'replace', path: 'title', value: 'x' }, { op: 'remove' }]);
  });

  it('refuses a member whose value would change', () => {
    const group = { schemas: [], displayName: 'g', members: [{ value: 'a' }] };
    const operations = parsePatchRequest({
      Operations: [{ op: 'replace', path: 'members[value eq "a"].value', value: 'b' }],
    });
    expect(() => applyPatch(group, operations, groupResourceType)).toThrow(
      expect.objectContaining({ scimType: 'mutability' }),
    );
  });
});

describe('PATCH with the names of the prototype', () => {
  const hostile = ['__proto__', 'constructor', 'prototype'];

  it.each(
    hostile.flatMap((name) => [`${name}.x`, name, `name.${name}`, `emails[type eq "x"].${name}`]),
  )('refuses the path %s', (path) => {
    expect(refusal([{ op: 'add', path, value: 'y' }]).scimType).toBe('invalidPath');
    expect({}).not.toHaveProperty('x');
  });

  it.each([
    '{"__proto__":{"x":"y"}}',
    '{"__proto__.x":"y"}',
    '{"constructor":{"prototype":{"x":"y"}}}',
    '{"name":{"__proto__":{"x":"y"}}}',
    '{"emails":[{"__proto__":{"x":"y"}}]}',
    '{"badge":{"a":{"__proto__":{"x":"y"}}}}',
    '{"urn:x:y:1.0:z":{"__proto__":{"x":"y"}}}',
  ])('refuses the value %s', (text) => {
    const value = JSON.parse(text) as JsonObject;
    expect(refusal([{ op: 'add', value }]).scimType).toBe('invalidValue');
    expect({}).not.toHaveProperty('x');
  });

  it('refuses deeply nested objects', () => {
    let value: JsonObject = { active: true };
    for (let level = 0; level < 5_000; level += 1) {
      value = { [core]: value };
    }
    expect(refusal([{ op: 'add', value }]).scimType).toBe('invalidValue');
    let unknown: JsonValue = 1;
    for (let level = 0; level < 5_000; level += 1) {
      unknown = [unknown];
    }
    expect(refusal([{ op: 'add', path: 'badge', value: unknown }]).scimType).toBe('invalidValue');
  });
});

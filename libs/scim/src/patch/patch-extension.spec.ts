import {
  after,
  coreUrn as core,
  enterpriseUrn as enterprise,
  patched,
  refusal,
  user,
} from '../../test/patching.js';
import { type JsonValue } from '../json/json.js';

describe('PATCH of an extension', () => {
  it('adds and removes the URN with the first and the last attribute', () => {
    const added = patched([{ op: 'add', path: `${enterprise}:department`, value: 'R&D' }]).resource;
    expect(added).toMatchObject({
      schemas: [core, enterprise],
      [enterprise]: { department: 'R&D' },
    });
    const removed = patched([{ op: 'remove', path: `${enterprise}:department` }], added).resource;
    expect(removed).toEqual(user);
  });

  it.each<[string, JsonValue]>([
    ['a text', { op: 'Add', path: `${enterprise}:manager`, value: 'm-1' }],
    ['a bare name and a list', { op: 'Add', path: 'manager', value: [{ value: 'm-1' }] }],
    ['a URN key', { op: 'replace', value: { [`${enterprise}:manager`]: { value: 'm-1' } } }],
    [
      'a URN key with a sub-attribute',
      { op: 'add', value: { [`${enterprise}:manager.value`]: 'm-1' } },
    ],
    ['an object under the URN', { op: 'add', value: { [enterprise]: { manager: 'm-1' } } }],
    [
      'the URN as the path',
      { op: 'replace', path: enterprise, value: { manager: { value: 'm-1' } } },
    ],
    ['a read-only name', { op: 'add', path: 'manager', value: { value: 'm-1', displayName: 'M' } }],
  ])('sets the manager from %s', (_name, operation) => {
    expect(after(operation)[enterprise]).toEqual({ manager: { value: 'm-1' } });
  });

  it.each<[string, JsonValue]>([
    ['the URN', { op: 'remove', path: enterprise }],
    ['an empty manager', { op: 'Replace', path: `${enterprise}:manager`, value: { value: '' } }],
    ['a manager of empty text', { op: 'Replace', path: 'manager', value: '' }],
    ['a filter', { op: 'remove', path: `${enterprise}:manager[value eq "m-1"]` }],
  ])('clears by %s', (_name, operation) => {
    const base = {
      ...user,
      schemas: [core, enterprise],
      [enterprise]: { manager: { value: 'm-1' } },
    };
    expect(patched([operation], base).resource).toEqual(user);
  });

  it('keeps extensions without a schema', () => {
    const urn = 'urn:okta:acme_1:1.0:user:custom';
    const added = patched([{ op: 'add', value: { [urn]: { team: 'S' } } }]).resource;
    expect(added).toMatchObject({ schemas: [core, urn], [urn]: { team: 'S' } });
    expect(
      patched([{ op: 'replace', path: `${urn}:team`, value: 'T' }], added).resource,
    ).toMatchObject({ [urn]: { team: 'T' } });
    expect(patched([{ op: 'remove', path: urn }], added).resource).toEqual(user);
    const entra = 'urn:ietf:params:scim:schemas:extension:Shop:2.0:User';
    expect(after({ op: 'Add', path: `${entra}:Till`, value: '7' })).toMatchObject({
      schemas: [core, entra],
      [entra]: { Till: '7' },
    });
    expect(patched([{ op: 'remove', path: `${entra}:Till` }])).toEqual({
      resource: user,
      changed: false,
    });
  });
});

describe('PATCH of attributes without a schema', () => {
  it('keeps them', () => {
    const added = patched([{ op: 'add', path: 'badge', value: { code: 'A' } }]).resource;
    expect(added.badge).toEqual({ code: 'A' });
    expect(
      patched([{ op: 'replace', path: 'Badge.code', value: 'B' }], added).resource.badge,
    ).toEqual({
      code: 'B',
    });
    expect(patched([{ op: 'remove', path: 'BADGE' }], added).resource).toEqual(user);
  });

  it('refuses to remove an unknown attribute', () => {
    expect(refusal([{ op: 'remove', path: 'noSuch' }])).toMatchObject({ scimType: 'invalidPath' });
  });
});

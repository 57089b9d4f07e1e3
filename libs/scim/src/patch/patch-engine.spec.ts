import { after, coreUrn as core, patched, refusal, user } from '../../test/patching.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { patchOptionsOf } from './patch-engine.js';

describe('PATCH of a singular attribute', () => {
  it.each<[string, JsonValue, JsonObject]>([
    ['add sets', { op: 'add', path: 'nickName', value: 'K' }, { nickName: 'K' }],
    ['add replaces', { op: 'add', path: 'title', value: 'Lead' }, { title: 'Lead' }],
    [
      'replace sets what is unset',
      { op: 'replace', path: 'locale', value: 'da' },
      { locale: 'da' },
    ],
    ['op in capitals', { op: 'Replace', path: 'title', value: 'Lead' }, { title: 'Lead' }],
    ['name in another case', { op: 'replace', path: 'TITLE', value: 'Lead' }, { title: 'Lead' }],
    ['URN of the schema', { op: 'replace', path: `${core}:title`, value: 'L' }, { title: 'L' }],
    ['boolean as text', { op: 'Replace', path: 'active', value: 'False' }, { active: false }],
    [
      'members of the body in another case',
      { OP: 'add', PATH: 'title', VALUE: 'L' },
      { title: 'L' },
    ],
  ])('%s', (_name, operation, expected) => {
    expect(after(operation)).toEqual({ ...user, ...expected });
  });

  it.each<[string, JsonValue]>([
    ['remove', { op: 'remove', path: 'title' }],
    ['replace by null', { op: 'replace', path: 'title', value: null }],
    ['replace by the empty text', { op: 'Replace', path: 'title', value: '' }],
    ['replace by null without a path', { op: 'replace', value: { title: null } }],
  ])('%s unassigns', (_name, operation) => {
    expect(after(operation)).not.toHaveProperty('title');
  });

  it('applies operations in order', () => {
    const result = after(
      { op: 'replace', path: 'nickName', value: '1' },
      { op: 'remove', path: 'nickName' },
      { op: 'add', path: 'nickName', value: '2' },
    );
    expect(result.nickName).toBe('2');
  });
});

describe('PATCH of a complex attribute', () => {
  it.each<[string, JsonValue, JsonValue]>([
    ['add merges', { op: 'add', path: 'name', value: { middleName: 'J' } }, { middleName: 'J' }],
    [
      'replace merges',
      { op: 'replace', path: 'name', value: { GIVENNAME: 'Jo' } },
      { givenName: 'Jo' },
    ],
    [
      'a sub-attribute',
      { op: 'replace', path: 'name.givenName', value: 'Jo' },
      { givenName: 'Jo' },
    ],
    ['a dotted name', { op: 'replace', value: { 'name.givenName': 'Jo' } }, { givenName: 'Jo' }],
    [
      'an object in an object',
      { op: 'add', value: { Name: { givenName: 'Jo' } } },
      { givenName: 'Jo' },
    ],
    [
      'an unknown name in a value',
      { op: 'add', path: 'name', value: { pet: 'Rex' } },
      { pet: 'Rex' },
    ],
  ])('%s', (_name, operation, expected) => {
    expect(after(operation).name).toEqual({
      ...(user.name as JsonObject),
      ...(expected as JsonObject),
    });
  });

  it('removes one sub-attribute, and the attribute with its last one', () => {
    expect(after({ op: 'remove', path: 'name.givenName' }).name).toEqual({ familyName: 'Roe' });
    expect(
      after({ op: 'remove', path: 'name.givenName' }, { op: 'remove', path: 'name.familyName' }),
    ).not.toHaveProperty('name');
  });

  it.each<[string, JsonValue, JsonObject]>([
    ['a path', { op: 'replace', path: 'title', value: ['L'] }, { title: 'L' }],
    ['an object in a list', { op: 'add', path: 'title', value: [{ value: 'L' }] }, { title: 'L' }],
    ['no path', { op: 'add', value: [{ title: ['L'] }] }, { title: 'L' }],
    ['the URN', { op: 'add', path: core, value: [{ title: 'L' }] }, { title: 'L' }],
    [
      'a complex attribute',
      { op: 'replace', path: 'name', value: [{ givenName: ['Jo'] }] },
      { name: { givenName: 'Jo', familyName: 'Roe' } },
    ],
    [
      'a sub-attribute',
      { op: 'replace', path: 'name.givenName', value: ['Jo'] },
      { name: { givenName: 'Jo', familyName: 'Roe' } },
    ],
  ])('takes a list of one for a single value: %s', (_name, operation, expected) => {
    expect(after(operation)).toEqual({ ...user, ...expected });
  });

  it.each<[string, JsonValue]>([
    ['a simple attribute', { op: 'add', path: 'title', value: ['a', 'b'] }],
    ['a complex one', { op: 'add', path: 'name', value: [{ givenName: 'a' }, { givenName: 'b' }] }],
    ['a sub-attribute', { op: 'replace', path: 'name.givenName', value: ['a', 'b'] }],
    [
      'an element',
      { op: 'add', path: 'emails[type eq "work"]', value: [{ value: 'a' }, { value: 'b' }] },
    ],
    ['the resource', { op: 'add', value: [{ title: 'a' }, { title: 'b' }] }],
  ])('refuses two values for %s', (_name, operation) => {
    expect(refusal([operation]).scimType).toBe('invalidValue');
  });

  it('takes an empty list for no value', () => {
    expect(after({ op: 'replace', path: 'name', value: [] })).not.toHaveProperty('name');
    expect(after({ op: 'replace', path: 'title', value: [] })).not.toHaveProperty('title');
  });

  it('adds no schemas that are no URI or of another type', () => {
    const group = 'urn:ietf:params:scim:schemas:core:2.0:Group';
    expect(after({ op: 'add', path: 'schemas', value: ['', 'new', group] })).toEqual(user);
    expect(after({ op: 'add', value: { [group]: { displayName: 'x' } } })).toEqual(user);
    const operation = { op: 'add', path: `${group}:displayName`, value: 'x' };
    expect(refusal([operation]).scimType).toBe('invalidPath');
  });

  it('refuses a text in place of an object', () => {
    expect(refusal([{ op: 'replace', path: 'name', value: 'Kim' }]).scimType).toBe('invalidValue');
  });
});

describe('PATCH of a multi-valued attribute', () => {
  const home = { value: 'kim@home.example', type: 'home' };
  const work = { value: 'kim@work.example', type: 'work', primary: true };

  it.each<[string, JsonValue, JsonValue]>([
    [
      'add appends',
      { op: 'add', path: 'emails', value: [{ value: 'x@y' }] },
      [work, home, { value: 'x@y' }],
    ],
    [
      'add takes one object',
      { op: 'add', path: 'emails', value: { value: 'x@y' } },
      [work, home, { value: 'x@y' }],
    ],
    [
      'add takes a text',
      { op: 'add', path: 'emails', value: 'x@y' },
      [work, home, { value: 'x@y' }],
    ],
    ['add does not double', { op: 'add', path: 'emails', value: [work] }, [work, home]],
    [
      'add does not double what differs in case only',
      { op: 'add', path: 'emails', value: [{ value: 'KIM@home.example', type: 'Home' }] },
      [work, home],
    ],
    [
      'add does not double what gives no type',
      { op: 'add', path: 'emails', value: [{ value: 'kim@home.example' }] },
      [work, home],
    ],
    [
      'add completes the element that is there',
      { op: 'add', path: 'emails', value: [{ ...home, display: 'Kim' }] },
      [work, { ...home, display: 'Kim' }],
    ],
    [
      'replace replaces all',
      { op: 'replace', path: 'emails', value: [{ value: 'x@y' }] },
      [{ value: 'x@y' }],
    ],
    [
      'replace takes one object',
      { op: 'replace', path: 'emails', value: { value: 'x@y' } },
      [{ value: 'x@y' }],
    ],
    ['remove by filter', { op: 'remove', path: 'emails[type eq "work"]' }, [home]],
    [
      'remove by value',
      { op: 'remove', path: 'emails', value: [{ value: 'kim@work.example' }] },
      [home],
    ],
    ['remove by type', { op: 'remove', path: 'emails', value: { type: 'work' } }, [home]],
    ['remove of nothing', { op: 'remove', path: 'emails', value: [] }, [work, home]],
    ['remove without a match', { op: 'remove', path: 'emails[type eq "other"]' }, [work, home]],
    [
      'remove of a sub-attribute by filter',
      { op: 'remove', path: 'emails[type eq "work"].primary' },
      [{ value: 'kim@work.example', type: 'work' }, home],
    ],
    [
      'replace of a sub-attribute by filter',
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'x@y' },
      [{ ...work, value: 'x@y' }, home],
    ],
    [
      'replace of an element by filter keeps what is not given',
      { op: 'replace', path: 'emails[type eq "home"]', value: { value: 'x@y' } },
      [work, { type: 'home', value: 'x@y' }],
    ],
    [
      'a sub-attribute without a filter goes to every element',
      { op: 'replace', path: 'emails.display', value: 'K' },
      [
        { ...work, display: 'K' },
        { ...home, display: 'K' },
      ],
    ],
    [
      'add without a match creates the element that the filter describes',
      { op: 'Add', path: 'emails[type eq "other"].value', value: 'x@y' },
      [work, home, { type: 'other', value: 'x@y' }],
    ],
    [
      'the empty text takes a sub-attribute away',
      { op: 'replace', path: 'emails[type eq "home"].type', value: '' },
      [work, { value: 'kim@home.example' }],
    ],
  ])('%s', (_name, operation, expected) => {
    expect(after(operation).emails).toEqual(expected);
  });

  it.each<[string, JsonValue]>([
    ['remove', { op: 'remove', path: 'emails' }],
    ['replace by an empty list', { op: 'replace', path: 'emails', value: [] }],
    ['replace by null', { op: 'replace', path: 'emails', value: null }],
    ['remove of every element', { op: 'remove', path: 'emails[value pr]' }],
  ])('%s unassigns', (_name, operation) => {
    expect(after(operation)).not.toHaveProperty('emails');
  });

  it.each<[string, JsonValue]>([
    ['a new element', { op: 'add', path: 'emails', value: [{ value: 'x@y', primary: true }] }],
    ['an existing one', { op: 'replace', path: 'emails[type eq "home"].primary', value: 'True' }],
  ])('keeps primary on one element: %s', (_name, operation) => {
    const emails = after(operation).emails as JsonObject[];
    expect(emails.filter(({ primary }) => primary === true)).toHaveLength(1);
    expect(emails[0]).toMatchObject({ primary: false });
  });

  it('creates one element for several operations that describe it', () => {
    const result = after(
      { op: 'Add', path: 'roles[primary eq "True"].display', value: 'Admin' },
      { op: 'Add', path: 'roles[primary eq "True"].value', value: 'admin' },
    );
    expect(result.roles).toEqual([{ primary: true, display: 'Admin', value: 'admin' }]);
  });

  it('answers a replace without a match as the type of the directory requires', () => {
    const operation = { op: 'replace', path: 'emails[type eq "other"].value', value: 'x@y' };
    expect(refusal([operation])).toMatchObject({ status: 400, scimType: 'noTarget' });
    const azure = patched([operation], user, patchOptionsOf('azure-scim-v2'));
    expect(azure.resource.emails).toHaveLength(3);
  });

  it('does not create an element from a filter that does not describe one', () => {
    const operation = { op: 'add', path: 'emails[type sw "x"].value', value: 'x@y' };
    expect(refusal([operation]).scimType).toBe('noTarget');
  });

  it.each<[string, JsonValue, JsonValue]>([
    [
      'a type',
      { op: 'replace', path: 'emails[type eq "home"].type', value: 'work' },
      { value: 'kim@home.example' },
    ],
    ['all types', { op: 'replace', path: 'emails.type', value: 'work' }, { value: 'x@y' }],
    [
      'a merged element',
      { op: 'add', path: 'emails[type eq "home"]', value: { type: 'WORK' } },
      {},
    ],
    ['no type', { op: 'remove', path: 'emails[value pr].type' }, {}],
    [
      'a new element',
      { op: 'add', path: 'emails[type eq "work" and display eq "D"].value', value: 'x@y' },
      {},
    ],
  ])('merges elements that become equal by %s', (_name, operation) => {
    const base = {
      ...user,
      emails: [
        { value: 'x@y', type: 'work' },
        { value: 'X@y', type: 'home', primary: true },
      ],
    };
    const emails = patched([operation], base).resource.emails as JsonObject[];
    const [first, ...rest] = emails.filter(({ type }) => type !== 'home');
    expect(rest).toEqual([]);
    expect(first?.value).toBe('x@y');
    expect(emails.filter(({ primary }) => primary === true)).toHaveLength(1);
  });

  it('adds an equal element that is primary, or that was', () => {
    const add = (type: string, primary: boolean) =>
      after({ op: 'add', path: 'emails', value: { value: `kim@${type}.example`, type, primary } });
    expect(add('home', true).emails).toEqual([
      { ...work, primary: false },
      { ...home, primary: true },
    ]);
    expect(add('work', false).emails).toEqual([work, home]);
  });

  it('bounds the number of elements', () => {
    const value = Array.from({ length: 1_001 }, (_item, index) => ({ value: `${index}@x` }));
    expect(refusal([{ op: 'add', path: 'emails', value }]).scimType).toBe('invalidValue');
  });
});

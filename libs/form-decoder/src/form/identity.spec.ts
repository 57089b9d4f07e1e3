import { compileSchema } from '../compile-schema.js';
import { type JsonObject, type JsonValue } from '../model/form-decoder.types.js';
import { emailKey, identifierKey, identifierKeys } from './identifier-key.js';
import { overlay } from '../model/overlay.js';

const text = { type: 'string' };
const plan = compileSchema({
  properties: {
    traits: {
      type: 'object',
      properties: {
        email: { ...text, 'ory.sh/kratos': { credentials: { password: { identifier: true } } } },
        phone: {
          ...text,
          'ory.sh/kratos': { credentials: { code: { identifier: true, via: 'sms' } } },
        },
        shown: { ...text, 'ory.sh/kratos': { credentials: { totp: { account_name: true } } } },
        logins: {
          type: 'array',
          items: { type: 'object', properties: { name: { ...text, 'x-identifier': true } } },
        },
        aliases: { type: 'array', items: { ...text, 'x-identifier': true } },
        role: { ...text, readOnly: true },
        address: {
          type: 'object',
          properties: { city: text, zip: text, code: { ...text, 'x-immutable': true } },
        },
        tags: { type: 'array', items: text },
      },
    },
  },
});

const held = (pointer: string, property: string, value: string, text = value) => ({
  pointer,
  name: pointer.slice(1).replaceAll('/', '.'),
  property,
  text,
  value,
});

describe('identifiers', () => {
  it('are found by x-identifier and by the extension of Kratos', () => {
    expect(plan.identifiers.map(({ name }) => name)).toEqual([
      'traits.email',
      'traits.phone',
      'traits.logins.name',
      'traits.aliases',
    ]);
  });

  it('of a value are normalized, with the place and the text of each', () => {
    const traits: JsonObject = {
      email: ' Ada@Example.COM ',
      phone: '',
      logins: [{ name: 'A' }, {}, { name: 'e\u0301' }],
      aliases: ['X', ''],
    };
    expect(plan.identifiersOf({ traits })).toEqual([
      held('/traits/email', 'traits.email', 'ada@example.com', ' Ada@Example.COM '),
      held('/traits/logins/0/name', 'traits.logins.name', 'a', 'A'),
      held('/traits/logins/2/name', 'traits.logins.name', 'é', 'e\u0301'),
      held('/traits/aliases/0', 'traits.aliases', 'x', 'X'),
    ]);
  });

  it('have one key in every spelling that looks alike', () => {
    expect(identifierKey('  É ')).toBe(identifierKey('e\u0301'));
    for (const text of ['a\u200bda', '\uff41da', 'ada\u00ad', '\ufeffADA ', 'a\u{e0061}da']) {
      expect(identifierKey(text)).toBe('ada');
    }
  });

  it('that are e-mail addresses have one key for each mailbox', () => {
    for (const text of [
      'ada@example.com',
      '"ada"@example.com',
      '"a\\da"@example.com',
      'ADA@example.com.',
      '\uff41da\uff20example\uff0ecom',
    ]) {
      expect(emailKey(text)).toBe('ada@example.com');
    }
    expect(emailKey('"a b"@example.com')).toBe('"a b"@example.com');
    expect(emailKey('"a\\"b"@example.com')).toBe('"a\\"b"@example.com');
    expect(emailKey('"@example.com')).toBe('"@example.com');
    expect(identifierKeys('"Ada"@example.com')).toEqual(['"ada"@example.com', 'ada@example.com']);
  });

  it('are found in every entry of a list, and in the one entry of a tuple that is marked', () => {
    const tuple = compileSchema({
      properties: {
        traits: {
          type: 'object',
          properties: {
            pair: {
              type: 'array',
              items: [text, { ...text, format: 'email', 'x-identifier': true }],
              additionalItems: text,
            },
          },
        },
      },
    });
    expect(tuple.identifiersOf({ traits: { pair: ['a', '"B"@c', 'd'] } })).toEqual([
      held('/traits/pair/1', 'traits.pair', 'b@c', '"B"@c'),
    ]);
  });
});

describe('replaceShown', () => {
  it('takes from the form what the form shows, and keeps the rest', () => {
    const stored = {
      traits: {
        email: 'a@b',
        role: 'admin',
        legacy: { x: 1 },
        address: { city: 'B', zip: '1', code: 'c', old: 2 },
        tags: ['x'],
      },
    };
    const before = JSON.stringify(stored);
    expect(
      plan.replaceShown(stored, { traits: { email: 'c@d', role: 'root', address: { city: 'P' } } }),
    ).toEqual({
      traits: {
        email: 'c@d',
        role: 'admin',
        legacy: { x: 1 },
        address: { city: 'P', code: 'c', old: 2 },
      },
    });
    expect(plan.replaceShown(stored, { traits: {} })).toEqual({
      traits: { role: 'admin', legacy: { x: 1 }, address: { code: 'c', old: 2 } },
    });
    expect(plan.replaceShown({}, { traits: { tags: [] } })).toEqual({ traits: { tags: [] } });
    expect(JSON.stringify(stored)).toBe(before);
  });
});

describe('a blank row', () => {
  const list = { type: 'array', items: text };
  const inner = { type: 'object', properties: { a: text, list } };
  const properties = { inner, rows: { type: 'array', items: inner } };
  const form = compileSchema({ properties: { traits: { type: 'object', properties } } });
  const blank = { a: '', list: ['', ''], hidden: 1 };
  const stored: JsonObject = { traits: { inner: blank, rows: [blank, { hidden: 2 }] } };
  const after = (fields: Record<string, string>, removed: string[] = []): JsonValue =>
    form.replaceShown(stored, form.decode(fields).value, { traits: {} }, new Set(removed))[
      'traits'
    ] ?? null;

  it('stays where another value is filled in', () => {
    const fields = { 'traits.inner.a': 'x', 'traits.rows.0.a': 'y' };
    expect(after(fields)).toEqual({
      inner: { ...blank, a: 'x' },
      rows: [{ ...blank, a: 'y' }, { hidden: 2 }],
    });
  });

  it('goes if it was removed', () => {
    const removed = ['traits.inner.list.1', 'traits.rows.1'];
    expect(after({ 'traits.inner.a': 'x' }, removed)).toEqual({
      inner: { ...blank, a: 'x', list: [''] },
      rows: [blank],
    });
    expect(after({}, ['traits.rows.0', 'traits.rows.1'])).toEqual({ inner: blank });
  });
});

describe('values that a form can only show as text', () => {
  const properties = { any: {}, list: { type: 'array' }, was: text };
  const loose = compileSchema({ properties: { traits: { type: 'object', properties } } });
  const stored = { traits: { any: { deep: 1 }, list: [1, { a: 2 }], was: 5 } };
  const after = (fields: Record<string, string | string[]>): JsonObject =>
    loose.replaceShown(stored, loose.decode(fields).value);

  it('stay what they are when they come back as they were shown', () => {
    const shown = { 'traits.any': '{"deep":1}', 'traits.list': ['1', '{"a":2}'] };
    expect(after(shown)).toEqual({ traits: { any: { deep: 1 }, list: [1, { a: 2 }] } });
    expect(after({ 'traits.any': '{"deep":2}', 'traits.list': ['2', '3'] })).toEqual({
      traits: { any: '{"deep":2}', list: ['2', '3'] },
    });
  });

  it('become what the schema wants by now', () => {
    expect(after({ 'traits.was': '5' })).toEqual({ traits: { was: '5' } });
  });
});

describe('objects and rows that were left untouched', () => {
  const kept: JsonObject = { type: 'object', properties: { on: { type: 'boolean' } } };
  const parts = {
    city: text,
    kind: { const: 'home' },
    on: { type: 'boolean' },
    tags: { type: 'array', items: text },
  };
  const address = { type: 'object', properties: parts, required: ['city'] };
  const rows = { type: 'array', items: address };
  const some = { ...rows, minItems: 1 };
  const properties = { address, needed: address, rows, some, kept };
  const form = compileSchema({
    properties: { traits: { type: 'object', properties, required: ['needed'] } },
  });
  const untouched = (name: string): Record<string, string> => ({
    [`${name}.city`]: '',
    [`${name}.kind`]: 'home',
    [`${name}.on`]: 'false',
    [`${name}.tags`]: '',
  });
  const after = (fields: Record<string, string>): unknown => {
    const sent = form.decode(fields);
    const decoded = form.withoutUntouched(sent, form.errors(sent));
    return { ...decoded.value, errors: form.errors(decoded).map(({ pointer }) => pointer) };
  };

  it('is left out where it may be', () => {
    const needed = { city: 'Rome', on: false };
    const fields = { 'traits.needed.city': 'Rome', 'traits.needed.on': 'false' };
    const blank = { ...untouched('traits.address'), ...untouched('traits.some.0') };
    const second = { ...untouched('traits.rows.0'), 'traits.rows.1.city': 'Bonn' };
    expect(after({ ...fields, ...blank, ...second, 'traits.kept.on': 'false' })).toEqual({
      traits: { needed, rows: [{ city: 'Bonn' }], kept: { on: false } },
      errors: [],
    });
  });

  it('is a fault where it is required, or was begun', () => {
    expect(after(untouched('traits.needed'))).toMatchObject({ errors: ['/traits/needed/city'] });
    const begun = { ...untouched('traits.address'), 'traits.address.on': 'true' };
    expect(after({ ...untouched('traits.needed'), ...begun })).toMatchObject({
      errors: ['/traits/address/city', '/traits/needed/city'],
    });
  });
});

describe('secrets', () => {
  const secret = { type: ['string', 'null'], writeOnly: true };
  const properties = {
    name: text,
    password: text,
    pin: secret,
    keys: { type: 'array', items: { type: 'object', properties: { name: text, key: secret } } },
    inner: { type: 'object', properties: { pin: secret } },
  };
  const keeper = compileSchema({ properties: { traits: { type: 'object', properties } } });
  const stored: JsonObject = {
    traits: { name: 'A', password: 'p', pin: '1', inner: { pin: '2' }, keys: [] },
  };

  it('that are left blank stay, because the form does not show them', () => {
    const options = { emptyNullable: 'null' } as const;
    const after = (fields: Record<string, string>): JsonObject =>
      keeper.replaceShown(stored, keeper.decode(fields, options).value);
    const blank = { 'traits.password': '', 'traits.pin': '', 'traits.inner.pin': '' };
    expect(after({ ...blank, 'traits.name': 'B' })).toEqual({
      traits: { name: 'B', password: 'p', pin: '1', inner: { pin: '2' } },
    });
    expect(after({ ...blank, 'traits.password': 'q', 'traits.inner.pin': '3' })).toEqual({
      traits: { password: 'q', pin: '1', inner: { pin: '3' } },
    });
  });

  it('are taken out of what a form answers', () => {
    const value = { traits: { name: 'A', password: 'p', inner: { pin: '2' }, old: 1 } };
    const keys = [{ name: 'k', key: 's' }];
    expect(keeper.withoutSecrets({ traits: { ...value.traits, keys } })).toEqual({
      traits: { name: 'A', inner: {}, keys: [{ name: 'k' }], old: 1 },
    });
  });
});

describe('overlay', () => {
  it('merges member by member and replaces lists', () => {
    const stored = { a: { b: 1, c: [1, 2] }, d: 4 };
    expect(overlay(stored, { a: { c: [3], e: null } })).toEqual({
      a: { b: 1, c: [3], e: null },
      d: 4,
    });
    expect(
      overlay(stored, { a: { b: null, f: { g: null } }, d: null }, { nullRemoves: true }),
    ).toEqual({
      a: { c: [1, 2], f: {} },
    });
    expect(stored).toEqual({ a: { b: 1, c: [1, 2] }, d: 4 });
  });

  it('lets no name reach a prototype', () => {
    const changes = JSON.parse('{"__proto__":{"x":1},"constructor":{"y":1}}') as Record<
      string,
      never
    >;
    expect(Object.keys(overlay({ a: 1 }, changes))).toEqual(['a']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

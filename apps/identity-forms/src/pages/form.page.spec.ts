import {
  compileSchema,
  fieldError,
  type FormModel,
  type JsonObject,
} from '@gatehouse/form-decoder';
import { formFaults } from '@gatehouse/testing';
import fc from 'fast-check';
import { formPage } from './form.page.js';

const schemaOf = (properties: object) => ({
  type: 'object',
  title: 'Form',
  properties: { traits: { type: 'object', properties } },
});
const page = (model: FormModel, kind: 'sign-up' | 'profile' = 'sign-up') =>
  formPage(model, { kind, action: '/flows/x', csrfToken: 'token', basePath: '', theme: {} });

const OURS =
  'html|head|meta|title|link|body|main|form|h1|h2|p|a|ul|li|div|span|label|input|textarea|select|option|fieldset|legend|button';
const FOREIGN_TAG = new RegExp(`<(?!/?(?:${OURS})[ >]|!doctype html>|/?(?:${OURS})>)`);

describe('formPage', () => {
  it('escapes everything from schemas and input', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[<>"'&a-z/=! ]{1,20}$/),
        fc.stringMatching(/^[<>"'&a-z/=! ]{1,20}$/),
        (written, typed) => {
          const plan = compileSchema(
            schemaOf({
              text: { type: 'string', title: written, description: written },
              long: { type: 'string', title: written, maxLength: 500 },
              one: { type: 'string', title: written, enum: [written, 'b'] },
              many: { type: 'array', title: written, items: { type: 'string', enum: [written] } },
              list: { type: 'array', title: written, items: { type: 'string', title: written } },
              flag: { type: 'boolean', title: written },
              [`odd ${written}`]: { type: 'string' },
            }),
          );
          const value = { traits: { text: typed, long: typed, list: [typed, typed] } };
          const error = { ...fieldError('/traits/text', 'required'), message: typed };
          const html = page(plan.form(value, [error]));
          expect(html).not.toMatch(FOREIGN_TAG);
          expect(html.match(/<input /g)?.length).toBe(html.match(/<input [^<>]*>/g)?.length);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('has one primary button, which submits every field and row', () => {
    const plan = compileSchema(
      schemaOf({
        text: { type: 'string' },
        long: { type: 'string', maxLength: 500 },
        one: { type: 'string', enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] },
        many: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
        list: { type: 'array', items: { type: 'string' } },
        rows: {
          type: 'array',
          items: { type: 'object', properties: { on: { type: 'boolean' } } },
        },
        fixed: { const: 'x' },
      }),
    );
    const value = { traits: { list: ['a', 'b'], rows: [{ on: true }, { on: false }] } };
    const error = fieldError('/traits/text', 'required');
    for (const kind of ['sign-up', 'profile'] as const) {
      const html = page(plan.form(value, [error]), kind);
      expect(html).toContain('rows');
      expect(formFaults(html)).toEqual([]);
    }
  });

  it('keeps the first line feed of a text area', () => {
    const plan = compileSchema(schemaOf({ about: { type: 'string', maxLength: 500 } }));
    expect(page(plan.form({ traits: { about: '\nx' } }))).toContain('>\n\nx</textarea>');
  });

  it('gives every element a unique id, whatever the names of the properties', () => {
    const described = { type: 'string', description: 'Say it' };
    const names = ['color-1', 'color-hint', 'color-fault', 'a b', 'a_20b', '\u00e91', '\u0e91'];
    const others = Object.fromEntries(names.map((name) => [name, described]));
    const color = { ...described, enum: ['red', 'green', 'blue'] };
    const plan = compileSchema(schemaOf({ color, ...others }));
    const html = page(plan.form({}, [fieldError('/traits/color', 'required')]));
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.length).toBeGreaterThan(names.length * 2 + 4);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, list = ''] of html.matchAll(/ (?:for|aria-describedby)="([^"]+)"/g)) {
      expect(ids).toEqual(expect.arrayContaining(list.split(' ')));
    }
  });

  it('links every error to an existing element, except errors of constants', () => {
    const plan = compileSchema(
      schemaOf({
        version: { const: 'v1' },
        'a b': { type: 'integer' },
        list: { type: 'array', items: { type: 'string', enum: ['x', 'y'] } },
        rows: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } } } },
        cards: {
          type: 'array',
          items: { type: 'object', minProperties: 2, properties: { n: { type: 'string' } } },
        },
        none: { type: 'array', minItems: 1, items: { enum: [null] } },
        kind: { enum: ['a', 'b'] },
      }),
    );
    const decoded = plan.decode({
      'traits.version': 'v2',
      'traits.a b': 'x',
      'traits.list': 'z',
      'traits.rows.0.n': 'x',
      'traits.cards.0.n': 'x',
      'traits.none': '',
      'traits.kind': 'c',
    });
    const html = page(plan.form(decoded.value, plan.errors(decoded)));
    const links = [...html.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id);
    expect(links).toHaveLength(6);
    for (const id of links) expect(html).toContain(` id="${id}"`);
    expect(html).toContain('<li>“Version” must be v1.</li>');
  });

  it('never shows a password again', () => {
    const plan = compileSchema(schemaOf({ password: { type: 'string' } }));
    const html = page(plan.form({ traits: { password: 'correct horse' } }));
    expect(html).toContain('type="password"');
    expect(html).not.toContain('correct horse');
  });

  it('shows read-only values without a name', () => {
    const plan = compileSchema(
      schemaOf({
        role: { type: 'string', readOnly: true },
        isAdmin: { type: 'boolean', readOnly: true },
        level: { type: 'string', enum: ['a', 'b'], readOnly: true },
      }),
    );
    const html = page(plan.form({ traits: { role: 'owner', isAdmin: true, level: 'a' } }));
    expect(html).toContain('value="owner"');
    expect(html).not.toMatch(/name="traits/);
  });

  it('gives unique ids to fields with unusual names', () => {
    const plan = compileSchema(
      schemaOf({
        'a b': { type: 'string' },
        'a%b': { type: 'string' },
        ä: { type: 'string', enum: ['x', 'y'] },
        rows: { type: 'array', items: { type: 'object', properties: { x: { type: 'string' } } } },
        mixed: {
          anyOf: [
            { type: 'string' },
            { type: 'array', items: { type: 'string' } },
            { type: 'object', properties: { x: { type: 'string' } } },
          ],
        },
      }),
    );
    const value = { traits: { rows: [{ x: '1' }, { x: '2' }], mixed: 'a' } } as JsonObject;
    const ids = [...page(plan.form(value)).matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_.:-]+$/);
  });

  it('explains when a conditional field applies, using the labels of the options', () => {
    const plan = compileSchema({
      type: 'object',
      properties: {
        traits: {
          type: 'object',
          properties: {
            kind: {
              title: 'Account',
              oneOf: [
                { const: 'p', title: 'Private' },
                { const: 'b', title: 'Business' },
              ],
            },
          },
          oneOf: [
            { properties: { kind: { const: 'p' } } },
            { properties: { kind: { const: 'b' }, vat: { type: 'string', title: 'VAT' } } },
          ],
        },
      },
    });
    expect(page(plan.form())).toContain('Only if “Account” is Business.');
  });

  it.each([
    ['en', 'Must be 16 or more.'],
    ['de', 'Muss mindestens 16 sein.'],
    ['fr', 'Doit être supérieur ou égal à 16.'],
    ['es', 'Debe ser mayor o igual que 16.'],
  ] as const)('names the field of an error in the summary only: %s', (language, atField) => {
    const plan = compileSchema(schemaOf({ age: { type: 'integer', title: 'Age', minimum: 16 } }));
    const decoded = plan.decode({ 'traits.age': '7' });
    const errors = plan.localize(plan.errors(decoded), language);
    const html = page(plan.form(decoded.value, errors, { language }));
    expect(/<a href="#[^"]*">([^<]*)</.exec(html)?.[1]).toMatch(/^[“„«]\s?Age/);
    expect(html).toMatch(new RegExp(`<p class="fault">.*</span>${atField}</p>`));
  });

  it('links to the sign-in page from a sign-up, not from a profile', () => {
    const model = compileSchema(schemaOf({})).form();
    const htmlOf = (kind: 'sign-up' | 'profile') =>
      formPage(model, { kind, basePath: '', theme: { signIn: 'https://example.com/in' } });
    expect(htmlOf('sign-up')).toContain('<a href="https://example.com/in">Sign in</a>');
    expect(htmlOf('profile')).not.toContain('https://example.com/in');
  });

  it('titles a sign-up after the schema and a profile as a profile', () => {
    const model = compileSchema(schemaOf({})).form();
    expect(page(model)).toContain('<h1>Form</h1>');
    expect(page(model, 'profile')).toContain('<h1>Your profile</h1>');
  });
});

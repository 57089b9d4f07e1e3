import { type Json } from '@gatehouse/testing';
import { FORM, type FormsClient, part } from './forms-client.js';
import { type FormsStack, openFormsStack } from './forms-stack.js';
import { PERSON } from './traits.js';

describe('decode endpoint', () => {
  let stack: FormsStack;
  let forms: FormsClient;

  beforeAll(async () => {
    stack = await openFormsStack();
    forms = (await stack.start()).client;
    await forms.schema('person', PERSON);
  });

  afterAll(() => stack.close());

  const multipart = (body: Parameters<FormsClient['decodeMultipart']>[1]) =>
    forms.decodeMultipart('person', body);

  describe('200', () => {
    it('types strings, booleans, numbers and nested objects', async () => {
      const { status, body, headers } = await forms.decode(
        'person',
        'traits.email=ada%40example.com&traits.age=36&traits.score=5.50&traits.newsletter=false' +
          '&traits.newsletter=true&traits.address.city=London&traits.address.geo.lat=-0.1' +
          '&traits.tags=a&traits.tags=b&traits.phones.3.number=1&traits.phones.7.number=2&extra=x',
      );
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(body).toEqual({
        traits: {
          email: 'ada@example.com',
          age: 36,
          score: 5.5,
          newsletter: true,
          address: { city: 'London', geo: { lat: -0.1 } },
          tags: ['a', 'b'],
          phones: [{ number: '1' }, { number: '2' }],
        },
        ignored: ['extra'],
      });
    });

    it('an unchecked box sends its hidden false alone and is false', async () => {
      const { body } = await forms.decode('person', 'traits.email=a@b.c&traits.newsletter=false');
      expect(body.traits.newsletter).toBe(false);
    });

    it('decodes every media type and method to the same result', async () => {
      const expected = { traits: { email: 'a@b.c', age: 20, newsletter: true }, ignored: [] };
      const form =
        'traits.email=a%40b.c&traits.age=20&traits.newsletter=false&traits.newsletter=on';
      const path = '/v1/schemas/person/decode';
      for (const method of ['POST', 'PUT', 'PATCH']) {
        expect((await forms.admin(method, path, form, FORM)).body).toEqual(expected);
      }
      expect((await forms.admin('GET', `${path}?${form}`)).body).toEqual(expected);
      const json = [
        { 'traits.email': 'a@b.c', 'traits.age': '20', 'traits.newsletter': 'true' },
        { traits: { email: 'a@b.c', age: 20, newsletter: true } },
      ];
      for (const body of json) {
        expect((await forms.admin('POST', path, body)).body).toEqual(expected);
      }
      const parts = await multipart([
        ['traits.email', 'a@b.c'],
        ['traits.age', '20'],
        ['traits.newsletter', 'false'],
        ['traits.newsletter', 'true'],
      ]);
      expect(parts.body).toEqual(expected);
    });

    it.each([
      'application/x-www-form-urlencoded; charset=utf-8',
      'application/x-www-form-urlencoded; charset="UTF-8"',
      'Application/X-WWW-Form-Urlencoded',
    ])('reads %s', async (type) => {
      const answer = await forms.admin('POST', '/v1/schemas/person/decode', 'traits.email=a@b.c', {
        'content-type': type,
      });
      expect(answer.status).toBe(200);
    });

    it('applies the options validate, useDefaults and emptyNullable, which are not fields', async () => {
      expect((await forms.decode('person', 'traits.age=3', '?validate=false')).body).toEqual({
        traits: { age: 3 },
        ignored: [],
      });
      const defaults = await forms.decode('person', 'traits.email=a@b.c', '?useDefaults=true');
      expect(defaults.body.traits.plan).toBe('free');
      const blank = 'traits.email=a@b.c&traits.nickname=';
      expect((await forms.decode('person', blank)).body.traits).not.toHaveProperty('nickname');
      const cleared = await forms.decode('person', blank, '?emptyNullable=null');
      expect(cleared.body.traits.nickname).toBeNull();
      const query = await forms.admin('GET', '/v1/schemas/person/decode?validate=false&x=1');
      expect(query.body).toEqual({ traits: {}, ignored: ['x'] });
    });

    it('merges the form over the stored traits', async () => {
      const flow = await forms.openNew({ kind: 'sign-up', schema_id: 'person' });
      const made = await forms.submit(
        flow,
        { 'traits.email': 'merge@example.com', 'traits.age': '40' },
        { accept: 'application/json' },
      );
      expect(made.status).toBe(201);
      const merged = await forms.decode('person', 'traits.age=41', `?merge=${made.body.id}`);
      expect(merged.body.traits).toEqual({ email: 'merge@example.com', age: 41 });
      const unknown = await forms.decode('person', '', `?merge=${'0'.repeat(8)}`);
      expect(unknown.status).toBe(404);
    });

    it('an empty file control is a blank field, broken percent escapes stay text', async () => {
      const blank = await multipart([
        ['traits.email', 'a@b.c'],
        ['traits.tags', new File([], '')],
      ]);
      expect(blank.body).toEqual({ traits: { email: 'a@b.c', tags: [] }, ignored: [] });
      const broken = await forms.decode(
        'person',
        'traits.email=a@b.c&traits.tags=100%&traits.tags=%ZZ',
      );
      expect(broken.body.traits.tags).toEqual(['100%', '%ZZ']);
    });

    it('reads header lines of parts that are folded, or of any kind', async () => {
      const folded = part('traits.email', 'a@b.c')
        .replace('form-data; ', 'form-data;\r\n ')
        .replace('\r\n\r\n', '\r\nContent-Type: text/plain\r\nX_y:\r\n\r\nNo header: ');
      const { status, body } = await multipart(`${folded}--B--\r\n`);
      expect([status, body.traits]).toEqual([422, { email: 'No header: a@b.c' }]);
    });

    it('says that names begin with traits.', async () => {
      const { status, body } = await forms.decode('person', 'email=a@b.c');
      expect([status, body.ignored]).toEqual([422, ['email']]);
      expect(body.detail).toContain('Names of fields begin with "traits.", as in "traits.email".');
      const other = await forms.decode('person', 'mail=a@b.c');
      expect(other.body.detail).toBe('Some values do not match the schema.');
    });

    it('keeps the digits of JSON numbers for a text, and takes numbers as a form does', async () => {
      const decode = (json: string) =>
        forms.admin('POST', '/v1/schemas/person/decode', json, {
          'content-type': 'application/json',
        });
      const long = '49123456789012345678';
      const { body } = await decode(
        `{"traits.email":"a@b.c","traits.nickname":${long},"traits.score":1e21}`,
      );
      expect(body.traits).toEqual({ email: 'a@b.c', nickname: long, score: 1e21 });
      for (const number of ['9007199254740993e0', '1e-400', '1e400']) {
        const sent = encodeURIComponent(number);
        for (const answer of [
          await decode(`{"traits":{"email":"a@b.c","score":${number}}}`),
          await forms.decode('person', `traits.email=a@b.c&traits.score=${sent}`),
        ]) {
          expect([number, answer.status, answer.body.errors?.[0].name]).toEqual([
            number,
            422,
            'traits.score',
          ]);
        }
      }
    });

    it('ignores names that attack the prototype', async () => {
      const { status, body } = await forms.decode(
        'person',
        'traits.email=a@b.c&__proto__.x=1&traits.__proto__.x=1&traits.constructor.prototype.x=1',
      );
      expect(status).toBe(200);
      expect(body.traits).toEqual({ email: 'a@b.c' });
      expect(body.ignored).toHaveLength(3);
      const parts = await multipart(
        `${part('__proto__', '1')}${part('traits.email', 'a@b.c')}${part('toString', '1')}--B--\r\n`,
      );
      expect({ status: parts.status, traits: parts.body.traits }).toEqual({
        status: 200,
        traits: { email: 'a@b.c' },
      });
      const json = await forms.admin(
        'POST',
        '/v1/schemas/person/decode',
        '{"__proto__":{"x":1},"traits":{"email":"a@b.c","constructor":{"prototype":{"x":1}}}}',
        { 'content-type': 'application/json' },
      );
      expect(json).toMatchObject({
        status: 200,
        body: { traits: { email: 'a@b.c' }, ignored: ['__proto__', 'traits.constructor'] },
      });
      expect(({} as Record<string, unknown>).x).toBeUndefined();
    });
  });

  describe('422', () => {
    it('names each error and returns the traits as far as they were understood', async () => {
      const { status, body, headers } = await forms.decode(
        'person',
        'traits.age=twelve&traits.x=1',
      );
      expect(status).toBe(422);
      expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(body).toMatchObject({
        type: 'about:blank',
        title: 'Unprocessable Content',
        status: 422,
        code: 'FORM_REFUSED',
        traits: { age: 'twelve' },
        ignored: ['traits.x'],
      });
      expect(body.request_id).toBe(headers.get('x-request-id'));
      const fault = (code: string) => body.errors.find((error: Json) => error.code === code);
      expect(fault('required')).toMatchObject({
        pointer: '/traits/email',
        name: 'traits.email',
        id: 4000002,
      });
      expect(fault('type')).toMatchObject({ pointer: '/traits/age', id: 4000026 });
      for (const error of body.errors) {
        expect(Object.keys(error).sort()).toEqual([
          'code',
          'id',
          'message',
          'name',
          'params',
          'pointer',
        ]);
      }
    });

    it.each([
      ['de', /muss|fehlt|Geben|Bitte/i],
      ['fr-CH, fr;q=0.9, en;q=0.8', /obligatoire/i],
      ['xx', /./],
    ])('answers in %s', async (language, text) => {
      const english = await forms.decode('person', 'traits.age=1');
      const { body } = await forms.admin('POST', '/v1/schemas/person/decode', 'traits.age=1', {
        ...FORM,
        'accept-language': language,
      });
      expect(body.errors[0].message).toMatch(text);
      expect(body.errors[0].message === english.body.errors[0].message).toBe(language === 'xx');
    });

    it('refuses names that contradict each other, even without validation', async () => {
      const form = 'traits.email=a@b.c&traits.phones.0=x&traits.phones.0.number=1';
      expect((await forms.decode('person', form)).status).toBe(422);
      expect((await forms.decode('person', form, '?validate=false')).status).toBe(422);
    });
  });

  it('names an option that is given twice once', async () => {
    const { status, body } = await forms.decode('person', '', '?validate=true&validate=false');
    expect({ status, errors: body.errors.length }).toEqual({ status: 400, errors: 1 });
  });
});

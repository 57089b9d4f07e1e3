import { eventually, type Json } from '@gatehouse/testing';
import { FORM, type FormsClient, schemaOf } from './forms-client.js';
import { type FormsStack, openFormsStack } from './forms-stack.js';

describe('schema registry', () => {
  let stack: FormsStack;
  let forms: FormsClient;
  let other: FormsClient;

  beforeAll(async () => {
    stack = await openFormsStack();
    forms = (await stack.start({ EXAMPLE_SCHEMA: 'true' })).client;
    other = (await stack.start()).client;
  });

  afterAll(() => stack.close());

  const text = { properties: { a: { type: 'string' } } };
  const number = { properties: { a: { type: 'number' } } };

  describe('201', () => {
    it('registers a schema as version 1', async () => {
      const { status, body, headers } = await forms.admin('POST', '/v1/schemas', {
        id: 'first',
        schema: schemaOf(text),
      });
      expect(status).toBe(201);
      expect(headers.get('location')).toBe('/v1/schemas/first');
      expect(body).toMatchObject({ id: 'first', version: 1, current_version: 1, public: false });
      expect(body.schema).toEqual(schemaOf(text));
    });

    it('takes keywords that it does not know, and says that they have no effect', async () => {
      const properties = { a: { type: 'string', nullable: true, 'x-own': 1 } };
      const schema = schemaOf({ properties });
      const made = await forms.admin('POST', '/v1/schemas', { id: 'unknown-keyword', schema });
      expect(made.status).toBe(201);
      const warnings = [
        {
          pointer: '/schema/properties/traits/properties/a/nullable',
          code: 'schema.keyword',
          message: '"nullable" is not a keyword of draft-07 and has no effect',
        },
      ];
      expect(made.body.warnings).toEqual(warnings);
      const put = await forms.admin('PUT', '/v1/schemas/unknown-keyword', { schema });
      expect(put.body).toMatchObject({ version: 1, warnings });
    });

    it('keeps the order of properties, which is the order of the form', async () => {
      const properties = { z: { type: 'string' }, a: { type: 'string' }, m: { type: 'string' } };
      await forms.schema('ordered', { properties });
      const { body } = await forms.admin('GET', '/v1/schemas/ordered');
      expect(Object.keys(body.schema.properties.traits.properties)).toEqual(['z', 'a', 'm']);
      const form = await forms.admin('GET', '/v1/schemas/ordered/form');
      expect(form.body.form.nodes.map((node: Json) => node.name)).toEqual([
        'traits.z',
        'traits.a',
        'traits.m',
      ]);
    });
  });

  describe('200', () => {
    it('adds versions; the same content keeps its number and becomes current again', async () => {
      await forms.schema('versions', text);
      const put = (traits: object) =>
        forms.admin('PUT', '/v1/schemas/versions', { schema: schemaOf(traits) });
      expect((await put(text)).body).toMatchObject({ version: 1, current_version: 1 });
      expect((await put(number)).body).toMatchObject({ version: 2, current_version: 2 });
      expect((await forms.decode('versions', 'traits.a=5')).body.traits).toEqual({ a: 5 });
      expect((await put(text)).body).toMatchObject({ version: 1, current_version: 1 });
      expect((await forms.decode('versions', 'traits.a=5')).body.traits).toEqual({ a: '5' });
      const second = await forms.admin('GET', '/v1/schemas/versions?version=2');
      expect(second.body).toMatchObject({ version: 2, current_version: 1 });
      expect(second.body.schema).toEqual(schemaOf(number));
      const decoded = await forms.decode('versions', 'traits.a=5', '?version=2');
      expect(decoded.body.traits).toEqual({ a: 5 });
    });

    it('gives twenty concurrent writers consecutive version numbers', async () => {
      await forms.schema('crowd', text);
      const titles = Array.from({ length: 20 }, (_, index) => ({ ...text, title: `${index}` }));
      const answers = await Promise.all(
        titles.map((traits, index) =>
          (index % 2 ? forms : other).admin('PUT', '/v1/schemas/crowd', {
            schema: schemaOf(traits),
          }),
        ),
      );
      const versions = answers.map(({ body }) => body.version as number).sort((a, b) => a - b);
      expect(versions).toEqual(Array.from({ length: 20 }, (_, index) => index + 2));
    });

    it('another replica serves a new version once its cache has expired', async () => {
      await forms.schema('shared', text);
      expect((await other.decode('shared', 'traits.a=5')).body.traits).toEqual({ a: '5' });
      await forms.admin('PUT', '/v1/schemas/shared', { schema: schemaOf(number) });
      await eventually(async () => {
        expect((await other.decode('shared', 'traits.a=5')).body.traits).toEqual({ a: 5 });
      });
    });

    it('lists every schema once across pages, including the example', async () => {
      const ids: string[] = [];
      let token = '';
      do {
        const { body } = await forms.admin('GET', `/v1/schemas?page_size=2&page_token=${token}`);
        ids.push(...body.schemas.map(({ id }: { id: string }) => id));
        token = body.next_page_token;
      } while (token !== '');
      expect(ids).toEqual([...new Set(ids)].sort());
      expect(ids).toContain('example');
    });
  });

  it.each(['/v1/schemas/tagged', '/v1/schemas'])(
    '304 for %s when the client has it already, 200 when it has changed',
    async (path) => {
      await forms.admin('POST', '/v1/schemas', { id: 'tagged', schema: schemaOf(text) });
      await forms.admin('PUT', '/v1/schemas/tagged', { schema: schemaOf(text) });
      const { headers } = await forms.admin('GET', path);
      const etag = headers.get('etag') as string;
      const again = await forms.admin('GET', path, undefined, {
        'if-none-match': `"other", W/${etag}`,
      });
      expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: '' });
      await forms.admin('PUT', '/v1/schemas/tagged', { schema: schemaOf(number) });
      const changed = await forms.admin('GET', path, undefined, { 'if-none-match': etag });
      expect(changed.status).toBe(200);
    },
  );

  describe('400', () => {
    it.each([
      ['id', { id: '../x', schema: {} }],
      ['id', { schema: {} }],
      ['id', { id: 5, schema: {} }],
      ['schema', { id: 'x' }],
      ['public', { id: 'x', schema: {}, public: 'yes' }],
    ])('names %s in %j', async (name, body) => {
      const answer = await forms.admin('POST', '/v1/schemas', body);
      expect(answer.status).toBe(400);
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(answer.body).toMatchObject({ status: 400, errors: [{ name }] });
    });

    it.each(['{"id":', '[]', '"x"', 'null', '{"id":"a","id":"b"}', '{"a":1}}'])(
      'refuses the body %s',
      async (body) => {
        const headers = { 'content-type': 'application/json' };
        expect((await forms.admin('POST', '/v1/schemas', body, headers)).status).toBe(400);
      },
    );

    it.each(['version=0', 'version=x', 'version=1&version=2'])('refuses ?%s', async (query) => {
      expect((await forms.admin('GET', `/v1/schemas/example?${query}`)).status).toBe(400);
    });

    it('refuses altered page tokens', async () => {
      const { body } = await forms.admin('GET', '/v1/schemas?page_size=1');
      const token = body.next_page_token as string;
      for (const bad of [`${token}A`, token.slice(2), 'x']) {
        expect((await forms.admin('GET', `/v1/schemas?page_token=${bad}`)).status).toBe(400);
      }
      expect((await forms.admin('GET', `/v1/identities?page_token=${token}`)).status).toBe(400);
    });
  });

  it('404 for an unknown schema or version, and for PUT to an unknown schema', async () => {
    expect((await forms.admin('GET', '/v1/schemas/unknown')).status).toBe(404);
    expect((await forms.admin('GET', '/v1/schemas/example?version=99')).status).toBe(404);
    const put = await forms.admin('PUT', '/v1/schemas/unknown', { schema: schemaOf(text) });
    expect(put.status).toBe(404);
    expect((await forms.admin('GET', '/v1/nothing')).status).toBe(404);
  });

  it('409 for an id that is taken, even among fifty concurrent requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        forms.admin('POST', '/v1/schemas', { id: 'taken', schema: schemaOf(text) }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(49);
  });

  it('413 for a body over 1 MiB', async () => {
    const schema = { ...schemaOf(text), description: 'x'.repeat(1_200_000) };
    expect((await forms.admin('POST', '/v1/schemas', { id: 'huge', schema })).status).toBe(413);
  });

  it('415 for a body that is not JSON', async () => {
    for (const type of ['text/plain', FORM['content-type'], 'application/xml']) {
      const headers = { 'content-type': type };
      expect((await forms.admin('POST', '/v1/schemas', 'id=x', headers)).status).toBe(415);
    }
  });

  describe('422 with the place of the fault', () => {
    const traits = (properties: string) =>
      `{"type":"object","properties":{"traits":{"type":"object","properties":${properties}}}}`;
    const nested = (depth: number) =>
      '{"type":"array","items":'.repeat(depth) + '{}' + '}'.repeat(depth);
    const evil = Array.from({ length: 2100 }, (_, index) => `"p${index}":{"type":"string"}`);

    it.each([
      ['no traits', '{"type":"object","properties":{"a":{"type":"string"}}}', ''],
      ['traits that are no object', '{"properties":{"traits":{"type":"string"}}}', '/traits'],
      ['not an object at all', '5', '/schema'],
      ['null', 'null', '/schema'],
      ['against the meta-schema', traits('{"a":{"type":"strnig"}}'), '/properties/a'],
      ['a remote $ref', traits('{"a":{"$ref":"https://example.com/x.json"}}'), '/properties/a'],
      ['a $ref to nowhere', traits('{"a":{"$ref":"#/definitions/x"}}'), '/properties/a'],
      ['a $ref to itself', traits('{"a":{"$ref":"#/properties/traits/properties/a"}}'), '/a'],
      ['a misspelt keyword', traits('{"a":{"titel":"A"}}'), '/properties/a/titel'],
      ['a misspelt keyword of ours', traits('{"a":{"x-identifer":true}}'), '/a/x-identifer'],
      [
        'readOnly beside $ref',
        traits('{"a":{"$ref":"#/properties/traits","readOnly":true}}'),
        '/a/readOnly',
      ],
      ['a pattern that does not compile', traits('{"a":{"type":"string","pattern":"("}}'), '/a'],
      ['a reserved name', traits('{"__proto__":{"type":"string"}}'), '__proto__'],
      ['another reserved name', traits('{"constructor":{"type":"string"}}'), 'constructor'],
      ['too deep', traits(`{"a":${nested(80)}}`), '/schema'],
      ['too many properties', traits(`{${evil.join(',')}}`), '/schema'],
      ['too large', traits(`{"a":{"title":"${'x'.repeat(270_000)}"}}`), '/schema'],
    ])('%s', async (_case, schema, where) => {
      const answer = await forms.admin('POST', '/v1/schemas', `{"id":"bad","schema":${schema}}`, {
        'content-type': 'application/json',
      });
      expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 422 });
      expect(answer.body.errors.length).toBeGreaterThan(0);
      expect(answer.body.errors[0].pointer).toContain(where);
      expect(answer.body.errors[0].message).not.toBe('');
    });

    it('stores nothing', async () => {
      expect((await forms.admin('GET', '/v1/schemas/bad')).status).toBe(404);
    });
  });

  describe('preview', () => {
    const preview = (schema: unknown, headers?: Record<string, string>) =>
      forms.admin('POST', '/v1/schema-preview', { schema }, headers);

    it('has the form that the schema gets once it is stored, and stores nothing', async () => {
      const schema = schemaOf({
        required: ['name'],
        properties: {
          name: { type: 'string', title: '<b>Name' },
          note: { type: 'string', nullable: true },
        },
      });
      const before = await forms.admin('GET', '/v1/schemas?page_size=100');
      const { status, body } = await preview(schema, { 'accept-language': 'de' });
      expect(status).toBe(200);
      expect((await forms.admin('GET', '/v1/schemas?page_size=100')).body).toEqual(before.body);
      const warnings = (await forms.admin('POST', '/v1/schemas', { id: 'previewed', schema })).body
        .warnings;
      const stored = await forms.admin('GET', '/v1/schemas/previewed/form', undefined, {
        'accept-language': 'de',
      });
      const { html, ...model } = body;
      const { schema_id, schema_version, ...form } = stored.body;
      expect([schema_id, schema_version]).toEqual(['previewed', 1]);
      expect(model).toEqual({ ...form, warnings });
      expect(warnings).toHaveLength(1);
      const page = await forms.admin('GET', '/v1/schemas/previewed/form', undefined, {
        accept: 'text/html',
        'accept-language': 'de',
      });
      const field = html.slice(0, html.indexOf('<div class="actions">')).trim();
      expect(field).toContain('&lt;b&gt;Name');
      expect(page.text).toContain(field);
    });

    it('answers as registration does to a schema that would be refused', async () => {
      for (const schema of [null, 1, { type: 'x' }, { 'x-theme': 1, ...schemaOf(text) }]) {
        const registered = await forms.admin('POST', '/v1/schemas', { id: 'refused', schema });
        const { status, body } = await preview(schema);
        expect(status).toBe(422);
        expect(body.errors).toEqual(registered.body.errors);
      }
      const unknown = await forms.admin('POST', '/v1/schema-preview', { schema: {}, public: true });
      expect(unknown.status).toBe(400);
      expect(unknown.text).toContain('public');
    });
  });
});

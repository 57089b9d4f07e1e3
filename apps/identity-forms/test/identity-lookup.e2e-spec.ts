import { type FormsClient } from './forms-client.js';
import { type FormsStack, openFormsStack } from './forms-stack.js';
import { MEMBER, USER } from './traits.js';

describe('identities by identifier, and made by administrators', () => {
  let stack: FormsStack;
  let forms: FormsClient;

  beforeAll(async () => {
    stack = await openFormsStack();
    forms = (await stack.start()).client;
    await forms.schema('user', USER);
    await forms.schema('member', MEMBER);
  });

  afterAll(() => stack.close());

  const create = (schema_id: string, traits: object, more: object = {}) =>
    forms.admin('POST', '/v1/identities', { schema_id, traits, ...more });
  const find = async (query: string) => {
    const { status, body } = await forms.admin('GET', `/v1/identities?${query}`);
    expect(status).toBe(200);
    return (body.identities as { id: string }[]).map(({ id }) => id);
  };

  describe('POST /v1/identities', () => {
    it('201 with traits that no form may set, and an event', async () => {
      const traits = { email: 'Import@Example.com', role: 'owner', credit: 7 };
      const { status, body, headers } = await create('member', traits);
      expect({ status, traits: body.traits }).toEqual({ status: 201, traits });
      expect(headers.get('location')).toBe(`/v1/identities/${body.id}`);
      const [event] = await stack.database.query<{ type: string }>(
        "SELECT type FROM forms.events WHERE data ->> 'identity_id' = $1",
        [body.id],
      );
      expect(event?.type).toBe('identity.created');
    });

    it('201 with null where the schema allows it, 422 where it does not', async () => {
      const nullable = { type: ['string', 'null'] };
      const properties = {
        ns: nullable,
        member: { enum: ['a', null] },
        fixed: { const: null },
        none: { type: 'null' },
        deep: { type: 'object', properties: { ns: nullable }, required: ['ns'] },
        list: { type: 'array', items: nullable },
        text: { type: 'string' },
      };
      await forms.schema('nullable', { properties, required: ['ns', 'fixed', 'deep'] });
      const traits = { ns: null, member: null, fixed: null, none: null };
      const all = { ...traits, deep: { ns: null }, list: ['a', null] };
      const { status, body } = await create('nullable', all);
      expect({ status, traits: body.traits }).toEqual({ status: 201, traits: all });
      const refused = await create('nullable', { ...all, text: null });
      expect([refused.status, refused.body.errors?.[0].name]).toEqual([422, 'traits.text']);
      const patched = await forms.admin('PATCH', `/v1/identities/${body.id}`, {
        traits: { member: null, list: [null] },
      });
      expect(patched.body.traits).toEqual({ ...all, member: undefined, list: [null] });
    });

    it('422 for traits that do not fit, and for an identifier that is taken', async () => {
      expect((await create('user', { email: 'no' })).body.errors[0].pointer).toBe('/traits/email');
      expect((await create('user', { email: 'twice@example.com' })).status).toBe(201);
      const { status, body } = await create('user', { email: 'TWICE@example.com' });
      expect({ status, errors: body.errors }).toMatchObject({
        status: 422,
        errors: [{ pointer: '/traits/email', id: 4000007 }],
      });
    });

    it.each([
      [{}, ['schema_id', 'traits']],
      [{ schema_id: 'user', traits: {}, id: 'x' }, ['id']],
      [{ schema_id: 'user', traits: {}, schemaVersion: 1 }, ['schemaVersion']],
      [{ schema_id: 'user', traits: [] }, ['traits']],
    ])('400 for %j', async (body, names) => {
      const answer = await forms.admin('POST', '/v1/identities', body);
      expect(answer.status).toBe(400);
      expect(answer.body.errors.map(({ name }: { name: string }) => name)).toEqual(names);
    });

    it('404 for an unknown schema or version', async () => {
      expect((await create('unknown', {})).status).toBe(404);
      expect((await create('user', {}, { schema_version: 9 })).status).toBe(404);
    });
  });

  it('finds an identity by an identifier in any spelling of it', async () => {
    const { body } = await create('user', { email: '"Find.Me"@Example.com.', username: 'finder' });
    for (const text of ['find.me@example.com', 'FIND.ME@EXAMPLE.COM', '"find.me"@example.com']) {
      expect(await find(`identifier=${encodeURIComponent(text)}`)).toEqual([body.id]);
    }
    expect(await find('identifier=%EF%BD%86inder%E2%80%8B')).toEqual([body.id]);
    expect(await find('identifier=finder&schema_id=user')).toEqual([body.id]);
    expect(await find('identifier=finder&schema_id=member')).toEqual([]);
    expect(await find('identifier=unknown')).toEqual([]);
  });

  it('finds it in each schema that has it', async () => {
    const email = 'both@example.com';
    const one = await create('user', { email });
    const other = await create('member', { email });
    expect(await find(`identifier=${email}`)).toEqual([other.body.id, one.body.id]);
  });

  it('finds it by one property, and not by another that holds the same text', async () => {
    const { body } = await create('user', {
      email: 'one@example.com',
      username: 'two@example.com',
    });
    expect(await find('schema_id=user&trait.email=ONE@example.com')).toEqual([body.id]);
    expect(await find('schema_id=user&trait.username=two@example.com')).toEqual([body.id]);
    expect(await find('schema_id=user&trait.email=two@example.com')).toEqual([]);
  });

  it.each([
    ['schema_id=user&trait.age=16', 'trait.age'],
    ['trait.email=a@example.com', 'schema_id'],
    ['schema_id=user&trait.email=a&identifier=b', 'trait.email'],
    ['schema_id=user&trait.email=a&trait.username=b', 'trait.email'],
    ['identifier=', 'identifier'],
    ['identifer=a', 'identifer'],
    ['email=a', 'email'],
    ['limit=5', 'limit'],
  ])('400 for ?%s, naming %s', async (query, name) => {
    const { status, body } = await forms.admin('GET', `/v1/identities?${query}`);
    expect({ status, name: body.errors?.[0]?.name }).toEqual({ status: 400, name });
  });

  it('400 for a trait as a parameter, naming the parameters that find identities', async () => {
    const { body } = await forms.admin('GET', '/v1/identities?email=a');
    expect(body.errors).toMatchObject([
      {
        name: 'email',
        message:
          'is not a known parameter; did you mean one of schema_id, identifier, trait.<path>?',
      },
    ]);
  });
});

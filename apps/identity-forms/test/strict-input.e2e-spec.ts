import { type FormsClient, schemaOf } from './forms-client.js';
import { type FormsStack, openFormsStack } from './forms-stack.js';
import { USER } from './traits.js';

describe('members and parameters that the admin API does not know', () => {
  let stack: FormsStack;
  let forms: FormsClient;
  let identity: string;

  beforeAll(async () => {
    stack = await openFormsStack();
    forms = (await stack.start()).client;
    await forms.schema('user', USER);
    const traits = { email: 'strict@example.com' };
    const made = await forms.admin('POST', '/v1/identities', { schema_id: 'user', traits });
    identity = made.body.id as string;
  });

  afterAll(() => stack.close());

  const schema = schemaOf({ properties: {} });
  const signUp = { kind: 'sign-up', schema_id: 'user' };

  it.each<[string, string, object, string, string]>([
    ['POST', '/v1/schemas', { id: 'a', schema, isPublic: true }, 'isPublic', 'public'],
    ['PUT', '/v1/schemas/user', { schema, pubilc: true }, 'pubilc', 'public'],
    ['POST', '/v1/flows', { ...signUp, returnTo: 'x' }, 'returnTo', 'return_to'],
    ['POST', '/v1/flows', { ...signUp, tll: '1m' }, 'tll', 'ttl'],
    ['PATCH', '/v1/identities/:id', { traits: {}, trait: {} }, 'trait', 'traits'],
    ['POST', '/v1/identities', { schema_id: 'user', traits: {}, schema: 'x' }, 'schema', ''],
    ['DELETE', '/v1/identities/:id', { traits: ['email'] }, 'traits', ''],
  ])('%s %s: 400 for %j', async (method, path, body, name, nearest) => {
    const answer = await forms.admin(method, path.replace(':id', identity), body);
    expect(answer.status).toBe(400);
    const fault = answer.body.errors.find((each: { name: string }) => each.name === name);
    expect(fault?.message).toContain(nearest && `did you mean "${nearest}"?`);
  });

  it.each([
    ['/v1/schemas', 'page_siz=1', 'page_siz'],
    ['/v1/schemas/user', 'versoin=1', 'versoin'],
    ['/v1/schemas/user/form', 'language=de', 'language'],
    ['/v1/identities', 'schemaId=user', 'schemaId'],
  ])('GET %s?%s: 400', async (path, query, name) => {
    const { status, body } = await forms.admin('GET', `${path}?${query}`);
    expect({ status, name: body.errors?.[0]?.name }).toEqual({ status: 400, name });
  });

  it.each([
    ['POST', '/v1/schemas'],
    ['PUT', '/v1/schemas/user'],
    ['POST', '/v1/flows'],
    ['GET', '/v1/flows/01900000-0000-7000-8000-000000000000'],
    ['POST', '/v1/identities'],
    ['GET', '/v1/identities/:id'],
    ['PATCH', '/v1/identities/:id'],
    ['DELETE', '/v1/identities/:id'],
  ])('%s %s, which has no parameters: 400 for any', async (method, path) => {
    const body = ['GET', 'DELETE'].includes(method) ? undefined : {};
    const url = `${path.replace(':id', identity)}?version=1`;
    const answer = await forms.admin(method, url, body);
    const [first] = answer.body.errors ?? [];
    expect([answer.status, first]).toMatchObject([
      400,
      { name: 'version', message: 'is not a known parameter' },
    ]);
  });

  it('decoding: 400 for an option that is misspelt, unless the query holds the fields', async () => {
    const form = 'traits.email=a@example.com';
    const posted = await forms.decode('user', form, '?usedefaults=true');
    expect({ status: posted.status, errors: posted.body.errors }).toMatchObject({
      status: 400,
      errors: [{ name: 'usedefaults', message: expect.stringContaining('"useDefaults"') }],
    });
    const got = await forms.admin('GET', `/v1/schemas/user/decode?${form}&usedefaults=true`);
    expect(got.body.ignored).toEqual(['usedefaults']);
  });

  it('400 for the id of a profile in a sign-up, and the other way round', async () => {
    const both = { schema_id: 'user', identity_id: identity };
    for (const [kind, name] of [
      ['sign-up', 'identity_id'],
      ['profile', 'schema_id'],
    ]) {
      const { status, body } = await forms.admin('POST', '/v1/flows', { kind, ...both });
      expect({ status, name: body.errors[0].name }).toEqual({ status: 400, name });
    }
  });
});

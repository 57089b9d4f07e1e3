import { randomUUID } from 'node:crypto';
import { Ajv } from 'ajv';
import { checkPayload, eventually } from '@gatehouse/testing';
import { type FormsClient, JSON_ACCEPT } from './forms-client.js';
import { type FormsStack, openFormsStack } from './forms-stack.js';
import { HeardEvents } from './heard-events.js';
import { USER } from './traits.js';

const REFUSED = { traits: { age: 'x' } };

describe('identities', () => {
  let stack: FormsStack;
  let forms: FormsClient;
  let replica: FormsClient;
  let serial = 0;

  beforeAll(async () => {
    stack = await openFormsStack();
    forms = (await stack.start()).client;
    replica = (await stack.start()).client;
    await forms.schema('user', USER);
    await forms.schema('staff', USER);
  });

  afterAll(() => stack.close());

  const address = () => `user${(serial += 1)}@example.com`;
  const submit = async (fields: Record<string, string>, schema = 'user', client = forms) =>
    client.submit(
      await client.openNew({ kind: 'sign-up', schema_id: schema }),
      fields,
      JSON_ACCEPT,
    );
  const create = async (fields: Record<string, string>, schema = 'user') => {
    const { status, body, text } = await submit(fields, schema);
    expect({ status, text }).toMatchObject({ status: 201 });
    return body as { id: string; traits: Record<string, unknown> };
  };
  const patch = (id: string, body: object) => forms.admin('PATCH', `/v1/identities/${id}`, body);

  it('keep the id of an import, 409 if an identity has it and 400 if it is no UUID', async () => {
    const id = randomUUID();
    const create = (body: object) =>
      forms.admin('POST', '/v1/identities', { schema_id: 'user', ...body });
    const first = await create({ id, traits: { email: address() } });
    expect(first).toMatchObject({ status: 201, body: { id } });
    const second = await create({ id, traits: { email: address() } });
    expect(second).toMatchObject({ status: 409, body: { code: 'IDENTITY_EXISTS' } });
    const third = await create({ id: '4711', traits: { email: address() } });
    expect(third).toMatchObject({ status: 400 });
  });

  describe('PATCH', () => {
    it('merges member by member; null removes; the result is validated again', async () => {
      const { id, traits } = await create({
        'traits.email': address(),
        'traits.address.city': 'Paris',
        'traits.address.zip': '75001',
      });
      const changed = await patch(id, { traits: { age: 20, address: { zip: null } } });
      expect(changed.status).toBe(200);
      expect(changed.body.traits).toEqual({ ...traits, age: 20, address: { city: 'Paris' } });
      expect(Date.parse(changed.body.updated_at)).toBeGreaterThan(
        Date.parse(changed.body.created_at),
      );

      for (const [bad, pointer] of [
        [{ age: 3 }, '/traits/age'],
        [{ age: '20' }, '/traits/age'],
        [{ email: null }, '/traits/email'],
        [{ username: 'a\u0000' }, '/traits/username'],
        [{ username: '\ud800' }, '/traits/username'],
        [{ points: [2 ** 53] }, '/traits/points/0'],
      ] as const) {
        const refused = await patch(id, { traits: bad });
        expect(refused.status).toBe(422);
        expect(refused.body.errors[0].pointer).toBe(pointer);
      }
      const after = await forms.admin('GET', `/v1/identities/${id}`);
      expect(after.body.traits).toEqual(changed.body.traits);
    });

    it('takes values by the rules of a form, also where no form may write', async () => {
      const text = { type: 'string' };
      const email = { ...text, format: 'email' };
      const row = { type: 'object', properties: { email, note: text } };
      await forms.schema('ruled', {
        properties: {
          email: { ...email, 'x-identifier': true },
          import: { ...email, readOnly: true },
          number: { type: 'integer', readOnly: true },
          rows: { type: 'array', items: row },
        },
      });
      const own = address();
      const sent = (note: string) => ({
        email: ` ${own} `,
        import: 'a@b\n',
        rows: [{ email: ' c@d', note }],
        undeclared: ' e@f ',
      });
      const taken = {
        ...sent(' x '),
        email: own,
        import: 'a@b',
        rows: [{ email: 'c@d', note: ' x ' }],
      };
      const made = await forms.admin('POST', '/v1/identities', {
        schema_id: 'ruled',
        traits: sent(' x '),
      });
      expect(made).toMatchObject({ status: 201, body: { traits: taken } });
      const { id } = made.body;
      const changed = await patch(id, { traits: sent(' y') });
      expect(changed.body.traits).toEqual({ ...taken, rows: [{ email: 'c@d', note: ' y' }] });
      const refused = await patch(id, { traits: { number: 1e20 } });
      expect(refused.status).toBe(422);
      expect(refused.body.errors).toMatchObject([
        { pointer: '/traits/number', code: 'number.precision' },
      ]);
    });

    it('that changes nothing writes nothing, also in nested objects and lists of objects', async () => {
      const traits = { email: address(), address: { city: 'Paris' }, contacts: [{ name: 'Ann' }] };
      const { body: created } = await forms.admin('POST', '/v1/identities', {
        schema_id: 'user',
        traits,
      });
      const eventsOf = async () => {
        const { body } = await forms.admin('GET', '/v1/events?page_size=1000');
        const events = body.events as { event: string; data: { identity_id: string } }[];
        return events
          .filter(({ data }) => data.identity_id === created.id)
          .map(({ event }) => event);
      };
      const { email, ...nested } = traits;
      for (const same of [{ email }, nested, { contacts: traits.contacts }]) {
        expect((await patch(created.id, { traits: same })).body).toEqual(created);
      }
      expect(await eventsOf()).toEqual(['identity.created']);
      await patch(created.id, { traits: { contacts: [{ name: 'Bob' }] } });
      expect(await eventsOf()).toEqual(['identity.created', 'identity.updated']);
    });

    it('validates by the version that the identity has, until it is moved to another', async () => {
      await forms.schema('moving', { properties: { email: { type: 'string' } } });
      const { id } = await create({ 'traits.email': 'x' }, 'moving');
      await forms.admin('PUT', '/v1/schemas/moving', {
        schema: {
          type: 'object',
          properties: {
            traits: {
              type: 'object',
              required: ['name'],
              properties: { email: { type: 'string' }, name: { type: 'string' } },
            },
          },
        },
      });
      const same = await patch(id, { traits: { email: 'y' } });
      expect(same.body).toMatchObject({ schema_version: 1, traits: { email: 'y' } });
      expect((await patch(id, { schema_version: 2 })).status).toBe(422);
      expect((await patch(id, { schema_version: 3 })).status).toBe(404);
      const moved = await patch(id, { schema_version: 2, traits: { name: 'Z' } });
      expect(moved.body).toMatchObject({ schema_version: 2, traits: { email: 'y', name: 'Z' } });
    });

    it('applies the limits of a form to the merged traits', async () => {
      const { id } = await create({ 'traits.email': address() });
      const list = (length: number) => Array.from({ length }, (_, index) => index);
      for (const [traits, status, code] of [
        [{ many: list(1001) }, 413, 'LIMIT_FIELDS'],
        [{ long: 'x'.repeat(65_537) }, 413, 'LIMIT_VALUE'],
        [{ ['n'.repeat(513)]: 1 }, 413, 'LIMIT_NAME'],
        [JSON.parse(`${'{"a":'.repeat(17)}1${'}'.repeat(17)}`) as object, 400, 'LIMIT_DEPTH'],
      ] as const) {
        const refused = await patch(id, { traits });
        expect({ status: refused.status, code: refused.body.code }).toEqual({ status, code });
      }
      expect((await patch(id, { traits: { one: list(600) } })).status).toBe(200);
      expect((await patch(id, { traits: { two: list(600) } })).status).toBe(413);
      expect((await patch(id, { traits: { one: null, two: list(600) } })).status).toBe(200);
    });

    it('answers in the requested language, with the label of the field', async () => {
      const { id } = await create({ 'traits.email': address() });
      const messageIn = async (language: string) => {
        const headers = { 'accept-language': language };
        const refused = await forms.admin('PATCH', `/v1/identities/${id}`, REFUSED, headers);
        return refused.body.errors[0].message;
      };
      expect(await messageIn('en')).toBe('“Age” must be a whole number.');
      expect(await messageIn('de')).toBe('„Age“ muss eine ganze Zahl sein.');
    });

    it('loses none of twenty concurrent changes', async () => {
      const { id } = await create({ 'traits.email': address() });
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 ? forms : replica).admin('PATCH', `/v1/identities/${id}`, {
            traits: { [`field${index}`]: index },
          }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
      const { body } = await forms.admin('GET', `/v1/identities/${id}`);
      expect(Object.keys(body.traits)).toHaveLength(21);
    });

    it.each([
      [{}, 'traits'],
      [{ traits: 'x' }, 'traits'],
      [{ traits: [] }, 'traits'],
      [{ traits: {}, schema_version: 0 }, 'schema_version'],
    ])('400 for %j', async (body, name) => {
      const { id } = await create({ 'traits.email': address() });
      const answer = await patch(id, body);
      expect({ status: answer.status, name: answer.body.errors[0].name }).toEqual({
        status: 400,
        name,
      });
      const { body: document } = await forms.send('GET', '/openapi.json');
      const isDescribed = new Ajv({ strict: false }).compile(
        document.components.schemas.IdentityChanges as object,
      );
      expect([isDescribed(body), isDescribed({ schema_version: 1 })]).toEqual([false, true]);
    });

    it('refuses reserved names', async () => {
      const { id } = await create({ 'traits.email': address() });
      const answer = await forms.admin(
        'PATCH',
        `/v1/identities/${id}`,
        '{"traits":{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}}',
        { 'content-type': 'application/json' },
      );
      expect(answer.status).toBe(422);
      expect(answer.body.errors[0].code).toBe('json.reserved');
    });
  });

  describe('identifiers', () => {
    it('fifty concurrent sign-ups with one address on two replicas create one identity', async () => {
      const email = address();
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          submit(
            { 'traits.email': index % 3 ? email : ` ${email.toUpperCase()} `.trim() },
            'user',
            index % 2 ? forms : replica,
          ),
        ),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 201)).toHaveLength(1);
      expect(statuses.filter((status) => status === 422)).toHaveLength(49);
      for (const { status, body } of answers) {
        if (status === 422) expect(body.errors).toMatchObject([{ id: 4000007 }]);
      }
    });

    it('two sign-ups that claim the same pair in opposite order: one succeeds, no deadlock', async () => {
      for (let round = 0; round < 10; round += 1) {
        const [a, b] = [`${address()}`, `${address()}`];
        const answers = await Promise.all([
          submit({ 'traits.email': a, 'traits.username': b }),
          submit({ 'traits.email': b, 'traits.username': a }, 'user', replica),
        ]);
        expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
      }
    });

    it('are unique per schema, across its identifier properties', async () => {
      const email = address();
      await create({ 'traits.email': email });
      await create({ 'traits.email': email }, 'staff');
      const clash = await submit({ 'traits.email': address(), 'traits.username': email });
      expect(clash.body.errors).toMatchObject([{ name: 'traits.username', id: 4000007 }]);
    });

    it('are released when they change or their identity is deleted', async () => {
      const [first, second] = [address(), address()];
      const { id } = await create({ 'traits.email': first });
      expect((await patch(id, { traits: { email: second } })).status).toBe(200);
      expect((await patch(id, { traits: { email: second.toUpperCase() } })).status).toBe(200);
      await create({ 'traits.email': first });
      expect((await patch(id, { traits: { email: first } })).status).toBe(422);
      expect((await forms.admin('DELETE', `/v1/identities/${id}`)).status).toBe(204);
      await create({ 'traits.email': second });
    });

    it('may have the maximum length of a value', async () => {
      const username = 'x'.repeat(65_000);
      await create({ 'traits.email': address(), 'traits.username': username });
      const clash = await submit({ 'traits.email': address(), 'traits.username': username });
      expect(clash.status).toBe(422);
    });
  });

  it('lists newest first, by schema, each identity once across pages', async () => {
    await forms.schema('listed', USER);
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      made.unshift((await create({ 'traits.email': address() }, 'listed')).id);
    }
    const seen: string[] = [];
    let token = '';
    do {
      const path = `/v1/identities?schema_id=listed&page_size=3&page_token=${token}`;
      const { body } = await forms.admin('GET', path);
      seen.push(...body.identities.map(({ id }: { id: string }) => id));
      token = body.next_page_token;
    } while (token !== '');
    expect(seen).toEqual(made);
    const { body } = await forms.admin('GET', '/v1/identities?schema_id=listed&page_size=3');
    const moved = `/v1/identities?schema_id=user&page_token=${body.next_page_token}`;
    expect((await forms.admin('GET', moved)).status).toBe(400);
  });

  it.each([{ traits: null }, { traits: {}, schema_version: null }])(
    '400 for the change %j',
    async (change) => {
      const { id } = await create({ 'traits.email': address() });
      const { status, body } = await forms.admin('PATCH', `/v1/identities/${id}`, change);
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_ARGUMENT' });
    },
  );

  it('404 for malformed and unknown ids', async () => {
    for (const id of ['x', '00000000-0000-7000-8000-000000000000', '%00']) {
      expect((await forms.admin('GET', `/v1/identities/${id}`)).status).toBe(404);
      expect((await patch(id, { traits: {} })).status).toBe(404);
      expect((await forms.admin('DELETE', `/v1/identities/${id}`)).status).toBe(404);
    }
  });

  describe('events', () => {
    it('are stored in the transaction of the change and published after it', async () => {
      const heard = await HeardEvents.of(stack);
      try {
        const { id } = await create({ 'traits.email': address() });
        await patch(id, { traits: { age: 30 } });
        await patch(id, { traits: { age: 3 } });
        const own = () => heard.events.filter(({ identity_id }) => identity_id === id);
        await eventually(() => expect(own()).toHaveLength(2));
        expect(own().map(({ type }) => type)).toEqual(['identity.created', 'identity.updated']);
        for (const event of own()) checkPayload(event.type, 'event', event);
        expect(own()[0]).toMatchObject({ schema_id: 'user', schema_version: 1 });
        expect(JSON.stringify(own())).not.toContain('@example.com');
        const rows = await stack.database.query<{ id: string; type: string }>(
          `SELECT id, type FROM forms.events WHERE data ->> 'identity_id' = $1 ORDER BY sequence`,
          [id],
        );
        expect(rows).toEqual(own().map(({ event_id, type }) => ({ id: event_id, type })));
      } finally {
        heard.close();
      }
    });
  });
});

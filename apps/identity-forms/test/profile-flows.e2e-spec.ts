import { type FormsClient, JSON_ACCEPT } from './forms-client.js';
import { type FormsStack, openFormsStack } from './forms-stack.js';
import { sentBy } from './page-fields.js';
import { MEMBER } from './traits.js';

describe('profile flows', () => {
  let stack: FormsStack;
  let forms: FormsClient;
  let serial = 0;

  beforeAll(async () => {
    stack = await openFormsStack();
    forms = (await stack.start()).client;
    await forms.schema('member', MEMBER);
  });

  afterAll(() => stack.close());

  const signUp = { kind: 'sign-up', schema_id: 'member' };
  const address = () => `person${(serial += 1)}@example.com`;

  /** A new identity through a sign-up, and a profile flow for it. */
  const profile = async (fields: Record<string, string>) => {
    const made = await forms.submit(await forms.openNew(signUp), fields, JSON_ACCEPT);
    expect(made.status).toBe(201);
    const id = made.body.id as string;
    return { id, flow: await forms.openNew({ kind: 'profile', identity_id: id }) };
  };

  it('replace the traits that the form shows and keep the others', async () => {
    const email = address();
    const { id, flow } = await profile({ 'traits.email': email, 'traits.nickname': 'ada' });
    await forms.admin('PATCH', `/v1/identities/${id}`, {
      traits: { role: 'owner', credit: 12.5, unknown: { kept: true }, tags: ['a', 'b'] },
    });
    const reopened = await forms.open(flow.path, { cookie: flow.cookie });
    expect(reopened.html).toContain(`value="${email}"`);
    expect(reopened.html).toContain('value="ada"');
    const saved = await forms.submit(
      reopened,
      {
        'traits.email': email,
        'traits.nickname': '',
        'traits.newsletter': 'false',
        'traits.tags': '',
        'traits.role': 'admin',
        'traits.credit': '9999',
      },
      JSON_ACCEPT,
    );
    expect(saved.status).toBe(200);
    expect(saved.body.traits).toEqual({
      email,
      nickname: null,
      newsletter: false,
      tags: [],
      role: 'owner',
      credit: 12.5,
      unknown: { kept: true },
    });
  });

  it('change nothing, without an event, if they are untouched', async () => {
    const titled = [
      { const: true, title: 'Yes' },
      { const: false, title: 'No' },
    ];
    await forms.schema('untouched', {
      properties: {
        at: { type: 'string', format: 'date-time' },
        times: { type: 'array', items: { type: 'string', format: 'time' } },
        maybe: { type: ['boolean', 'null'] },
        never: { type: 'boolean' },
        choice: { type: 'boolean', oneOf: titled },
        blank: { type: 'string' },
        none: { type: 'array', items: { type: 'string' } },
        place: { type: 'object', properties: { on: { type: 'boolean' }, kind: { const: 'v1' } } },
        rows: {
          type: 'array',
          items: { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } },
        },
      },
    });
    const at = '2024-07-18T11:00:00.123456+02:00';
    const traits = {
      at,
      times: ['03:04:05.6+02:00', '03:04:00Z'],
      maybe: null,
      choice: false,
      blank: '',
      none: [],
      rows: [{ at }, {}],
    };
    const { body: made } = await forms.admin('POST', '/v1/identities', {
      schema_id: 'untouched',
      traits,
    });
    const flow = await forms.openNew({ kind: 'profile', identity_id: made.id });
    const saved = await forms.submit(flow, sentBy(flow.html), JSON_ACCEPT);
    expect([saved.status, saved.body]).toEqual([200, made]);
    const events = await stack.database.query<{ type: string }>(
      "SELECT type FROM forms.events WHERE data ->> 'identity_id' = $1",
      [made.id],
    );
    expect(events).toEqual([{ type: 'identity.created' }]);

    const again = await forms.openNew({ kind: 'profile', identity_id: made.id });
    const sent = sentBy(again.html).map(([name, value]): [string, string] => [
      name,
      name === 'traits.rows.1.at' ? '2024-01-02T03:04' : value,
    ]);
    const changed = await forms.submit(again, sent, JSON_ACCEPT);
    const rows = [{ at }, { at: '2024-01-02T03:04:00Z' }];
    expect(changed.body.traits).toEqual({ ...traits, never: false, rows });
  });

  it('change one value of a row and keep its others, wherever the row stands', async () => {
    const text = { type: 'string' };
    const phone = {
      number: text,
      since: { ...text, format: 'date-time' },
      level: { enum: [1, '1'] },
      any: {},
      verified: { type: 'boolean', readOnly: true },
      source: { ...text, 'x-immutable': true },
      note: text,
    };
    const phones = { type: 'array', items: { type: 'object', properties: phone } };
    await forms.schema('phones', { properties: { phones } });
    const since = '2024-07-18T11:00:00.123456+02:00';
    const kept = { since, level: '1', any: 7, verified: true, source: 'import', undeclared: [1] };
    const onlyHidden = { verified: true, undeclared: 4 };
    const stored = ['1', '2', '3'].map((number) => ({ ...kept, number, undeclared: number }));
    const { body: made } = await forms.admin('POST', '/v1/identities', {
      schema_id: 'phones',
      traits: { phones: [...stored, onlyHidden] },
    });
    const flow = await forms.openNew({ kind: 'profile', identity_id: made.id });
    const press = async (html: string, action: string): Promise<string> => {
      const { status, text: page } = await forms.submit(flow, [
        ...sentBy(html),
        ['_action', action],
      ]);
      expect(status).toBe(200);
      return page;
    };
    const removed = await press(flow.html, 'remove:traits.phones.0');
    const added = await press(await press(removed, 'add:traits.phones'), 'remove:traits.phones.3');
    const sent = sentBy(added).map(([name, value]): [string, string] => {
      if (name === 'traits.phones.1.number') return [name, '22'];
      return [name, name === 'traits.phones.4.number' ? '5' : value];
    });
    const saved = await forms.submit(flow, sent, JSON_ACCEPT);
    expect(saved.body.traits.phones).toEqual([
      { ...stored[1], number: '22' },
      stored[2],
      { number: '5' },
    ]);
  });

  it('keep a secret that is left blank, and never return one', async () => {
    const properties = { name: { type: 'string', minLength: 2 }, pin: { writeOnly: true } };
    await forms.schema('secretive', { properties });
    const pin = 'correct-horse';
    const fields = { 'traits.name': 'Ada', 'traits.pin': pin };
    const signUpFlow = await forms.openNew({ kind: 'sign-up', schema_id: 'secretive' });
    const made = await forms.submit(signUpFlow, fields, JSON_ACCEPT);
    expect(made.body).toMatchObject({ traits: { name: 'Ada' } });
    const flow = await forms.openNew({ kind: 'profile', identity_id: made.body.id });
    const blank = { 'traits.name': 'B', 'traits.pin': '' };
    const refused = await forms.submit(flow, blank, JSON_ACCEPT);
    expect(refused.body).toMatchObject({ code: 'FORM_REFUSED', traits: { name: 'B' } });
    const saved = await forms.submit(flow, { ...blank, 'traits.name': 'Bo' }, JSON_ACCEPT);
    expect(saved.body).toMatchObject({ traits: { name: 'Bo' } });
    expect([flow.html, made.text, refused.text, saved.text].join()).not.toContain(pin);
    const { body } = await forms.admin('GET', `/v1/identities/${made.body.id}`);
    expect(body.traits).toEqual({ name: 'Bo', pin });
  });

  it('accept fields that depend on a read-only property', async () => {
    const tier = { type: 'string', readOnly: true };
    await forms.schema('tiered', {
      properties: { name: { type: 'string' }, tier },
      if: { properties: { tier: { const: 'gold' } }, required: ['tier'] },
      then: { properties: { lounge: { type: 'integer' } } },
    });
    const signUpFlow = await forms.openNew({ kind: 'sign-up', schema_id: 'tiered' });
    const { body: made } = await forms.submit(signUpFlow, { 'traits.name': 'A' }, JSON_ACCEPT);
    const traits = { tier: 'gold', lounge: 3 };
    await forms.admin('PATCH', `/v1/identities/${made.id}`, { traits });
    const flow = await forms.openNew({ kind: 'profile', identity_id: made.id });
    const fields = { 'traits.name': 'B', 'traits.lounge': '4' };
    const saved = await forms.submit(flow, fields, JSON_ACCEPT);
    expect(saved.body.traits).toEqual({ name: 'B', tier: 'gold', lounge: 4 });
    const merged = await forms.decode('tiered', 'traits.lounge=5', `?merge=${made.id}`);
    expect(merged.body.traits).toEqual({ name: 'B', tier: 'gold', lounge: 5 });
  });

  it('can be submitted once and have their own thank-you page', async () => {
    const { flow } = await profile({ 'traits.email': address() });
    const email = address();
    expect((await forms.submit(flow, { 'traits.email': email })).status).toBe(303);
    expect((await forms.submit(flow, { 'traits.email': email })).status).toBe(410);
    const done = await forms.send('GET', `${flow.path}/done`);
    expect(done.text).toContain('Your changes are saved');
  });

  it('are deleted with their identity', async () => {
    const { id, flow } = await profile({ 'traits.email': address() });
    await forms.admin('DELETE', `/v1/identities/${id}`);
    expect((await forms.submit(flow, { 'traits.email': address() })).status).toBe(404);
  });
});

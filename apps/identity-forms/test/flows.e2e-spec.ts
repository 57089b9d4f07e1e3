import { type Answer, type Json } from '@gatehouse/testing';
import { type FormsClient, JSON_ACCEPT } from './forms-client.js';
import { MemberFlows, SIGN_UP } from './member-flows.js';
import { sentBy } from './page-fields.js';

const RETURN_TO = 'https://app.example.com/welcome?x=1';

describe('flows', () => {
  let members: MemberFlows;
  let forms: FormsClient;
  let replica: FormsClient;

  beforeAll(async () => {
    members = await MemberFlows.start();
    ({ forms, replica } = members);
  });

  afterAll(() => members.stack.close());

  const address = () => members.address();
  const count = () => members.count();

  describe('201', () => {
    it('starts a flow at an address that cannot be guessed and is not stored', async () => {
      const { body, headers } = await forms.admin('POST', '/v1/flows', { ...SIGN_UP, ttl: '15m' });
      const secret = /\/flows\/([\w-]{43})$/.exec(body.url)?.[1] as string;
      expect(body.url).toBe(`${forms.url}/flows/${secret}`);
      expect((await forms.send('GET', `/flows/${body.id}`)).status).toBe(404);
      expect(headers.get('location')).toBe(body.url);
      const lifetime = Date.parse(body.expires_at) - Date.now();
      expect(Math.abs(lifetime - 15 * 60_000)).toBeLessThan(30_000);
      const rows = await members.stack.database.query('SELECT * FROM forms.flows');
      expect(JSON.stringify(rows)).not.toContain(secret);
    });

    it('makes an identity of a JSON submission and says so', async () => {
      const email = address();
      const { status, body } = await forms.submit(
        await forms.openNew(SIGN_UP),
        [
          ['traits.email', email],
          ['traits.newsletter', 'false'],
          ['traits.newsletter', 'true'],
        ],
        JSON_ACCEPT,
      );
      expect(status).toBe(201);
      expect(body).toMatchObject({
        schema_id: 'member',
        schema_version: 1,
        traits: { email, newsletter: true },
      });
      const stored = await forms.admin('GET', `/v1/identities/${body.id}`);
      expect(stored.body).toEqual(body);
    });

    it('takes JSON with the token inside', async () => {
      const flow = await forms.openNew(SIGN_UP);
      const email = address();
      const { status, body } = await forms.send('POST', flow.path, {
        headers: { 'content-type': 'application/json', cookie: flow.cookie },
        body: JSON.stringify({ csrf_token: flow.token, traits: { email } }),
      });
      expect({ status, traits: body.traits }).toEqual({ status: 201, traits: { email } });
    });

    it('leaves out an optional group whose box is not ticked', async () => {
      const properties = { city: { type: 'string' }, main: { type: 'boolean' } };
      const address = { type: 'object', properties, required: ['city'] };
      await forms.schema('settler', { properties: { address, name: { type: 'string' } } });
      const flow = await forms.openNew({ kind: 'sign-up', schema_id: 'settler' });
      const blank = { 'traits.name': 'A', 'traits.address.city': '' };
      const ticked: [string, string][] = [
        ['traits.address.main', 'false'],
        ['traits.address.main', 'true'],
      ];
      const begun = await forms.submit(flow, [...Object.entries(blank), ...ticked], JSON_ACCEPT);
      expect(begun.body).toMatchObject({ errors: [{ pointer: '/traits/address/city' }] });
      const left = { ...blank, 'traits.address.main': 'false' };
      const { status, body } = await forms.submit(flow, left, JSON_ACCEPT);
      expect({ status, traits: body.traits }).toEqual({ status: 201, traits: { name: 'A' } });
    });
  });

  describe('303', () => {
    it('sends people to return_to, or to the thank-you page', async () => {
      const open = await forms.openNew({ ...SIGN_UP, return_to: RETURN_TO });
      const away = await forms.submit(open, { 'traits.email': address() });
      expect({ status: away.status, to: away.headers.get('location') }).toEqual({
        status: 303,
        to: expect.stringMatching(/^https:\/\/app\.example\.com\/welcome\?x=1&flow=[0-9a-f-]{36}$/),
      });
      const flow = await forms.openNew(SIGN_UP);
      const home = await forms.submit(flow, { 'traits.email': address() });
      expect(home.headers.get('location')).toBe(`${flow.path}/done`);
      const done = await forms.send('GET', `${flow.path}/done`);
      expect({ status: done.status, text: done.text }).toMatchObject({
        status: 200,
        text: expect.stringContaining('Your account is ready'),
      });
    });

    it('/sign-up starts a flow of a public schema', async () => {
      const started = await forms.send('GET', '/sign-up?schema=member');
      expect(started.status).toBe(303);
      const page = await forms.open(started.headers.get('location') as string);
      expect(page.html).toContain('name="traits.email"');
    });
  });

  describe('200', () => {
    it('shows a page with a strict policy and no script', async () => {
      const path = await forms.startFlow({ ...SIGN_UP, return_to: RETURN_TO });
      const page = await forms.send('GET', path, { headers: { accept: 'text/html' } });
      expect(page.headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self'; " +
          "form-action 'self' https://app.example.com; frame-ancestors 'none'; base-uri 'none'",
      );
      expect(page.headers.get('referrer-policy')).toBe('same-origin');
      expect(page.headers.get('cache-control')).toBe('no-store');
      expect(page.text).not.toMatch(/<script|<style| style=| on\w+=|javascript:/i);
      const cookie = page.headers.getSetCookie()[0] as string;
      expect(cookie).toContain(`Path=${path};`);
      expect(cookie).toMatch(/HttpOnly; SameSite=Lax$/);
    });

    it('keeps the cookie of a page that is opened twice, so that both tabs work', async () => {
      const path = await forms.startFlow(SIGN_UP);
      const first = await forms.open(path);
      const second = await forms.open(path, { cookie: first.cookie });
      expect(second.token).toBe(first.token);
      expect((await replica.submit(first, { 'traits.email': address() })).status).toBe(303);
    });

    it('answers JSON by Accept, with the nodes and the token', async () => {
      const path = await forms.startFlow(SIGN_UP);
      const { body } = await forms.send('GET', path, { headers: JSON_ACCEPT });
      expect(body).toMatchObject({ kind: 'sign-up', action: path, method: 'POST' });
      expect(body.csrf_token).toMatch(/^[\w-]{43}$/);
      const names = body.nodes.map((node: Json) => node.attributes.name);
      expect(names).toEqual(expect.arrayContaining(['traits.email', 'traits.newsletter']));
    });

    it('speaks the language of the reader', async () => {
      const path = await forms.startFlow(SIGN_UP);
      const page = await forms.open(path, { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' });
      expect(page.html).toContain('<html lang="de"');
      const refused = await forms.submit(page, {}, { 'accept-language': 'de' });
      expect(refused.text).toContain('<title>Fehler:');
    });

    it('a row button brings the form back with what was typed, and saves nothing', async () => {
      const before = await count();
      const flow = await forms.openNew(SIGN_UP);
      const added = await forms.submit(flow, {
        'traits.email': 'not yet an address',
        'traits.tags.0': 'one',
        _action: 'add:traits.tags',
      });
      expect(added.status).toBe(200);
      expect(added.text).toContain('value="not yet an address"');
      expect(added.text).toContain('name="traits.tags.0" ');
      expect(added.text).toMatch(/name="traits\.tags\.1"[^>]* autofocus/);
      expect(added.text).not.toContain('aria-invalid');
      const removed = await forms.submit(flow, {
        'traits.tags.0': 'one',
        'traits.tags.1': 'two',
        _action: 'remove:traits.tags.0',
      });
      expect(removed.text).toContain('value="two"');
      expect(removed.text).not.toContain('value="one"');
      expect(await count()).toBe(before);
      expect((await forms.submit(flow, { 'traits.email': address() })).status).toBe(303);
    });
  });

  it('shows again exactly what was typed, also for other alternatives and in rows', async () => {
    const text = { type: 'string' };
    const of = (kind: string, properties: object) => ({
      properties: { kind: { const: kind }, ...properties },
      required: ['kind'],
    });
    await forms.schema('typed', {
      properties: {
        contact: {
          type: 'object',
          oneOf: [of('person', { name: text }), of('company', { vat: { ...text, minLength: 3 } })],
        },
        free: { type: 'object' },
        amount: { type: 'number' },
        rows: { type: 'array', items: { type: 'object', properties: { a: text, b: text } } },
        email: { ...text, format: 'email' },
      },
    });
    const typed: [string, string][] = [
      ['traits.contact.kind', 'person'],
      ['traits.contact.name', 'Ada'],
      ['traits.contact.vat', 'DE'],
      ['traits.free', '{ "big": 1.50,\r\n"large": 9007199254740993 }'],
      ['traits.amount', '+5.0'],
      ['traits.rows.0.a', ''],
      ['traits.rows.0.b', ''],
      ['traits.rows.2.a', ' x '],
      ['traits.rows.2.b', ''],
      ['traits.email', 'no address'],
    ];
    const flow = await forms.openNew({ kind: 'sign-up', schema_id: 'typed' });
    const added = await forms.submit(flow, [...typed, ['_action', 'add:traits.rows']]);
    const refused = await forms.submit(flow, typed);
    expect([added.status, refused.status]).toEqual([200, 422]);
    const own = ({ text: page }: Answer) =>
      sentBy(page).filter(([name]) => name.startsWith('traits.'));
    expect(own(refused)).toEqual(typed);
    expect(own(added)).toEqual([
      ...typed.slice(0, -1),
      ['traits.rows.3.a', ''],
      ['traits.rows.3.b', ''],
      ...typed.slice(-1),
    ]);
  });

  it('400 for flows that cannot be started', async () => {
    const bad: [object, string][] = [
      [{ kind: 'login' }, 'kind'],
      [{ kind: 'sign-up' }, 'schema_id'],
      [{ kind: 'profile' }, 'identity_id'],
      [{ ...SIGN_UP, ttl: '15' }, 'ttl'],
      [{ ...SIGN_UP, ttl: '' }, 'ttl'],
      [{ ...SIGN_UP, ttl: '31d' }, 'ttl'],
      [{ ...SIGN_UP, return_to: 'https://evil.example/' }, 'return_to'],
      [{ ...SIGN_UP, return_to: 'javascript:alert(1)' }, 'return_to'],
    ];
    for (const [request, field] of bad) {
      const { status, body } = await forms.admin('POST', '/v1/flows', request);
      expect({ status, name: body.errors?.[0]?.name }).toEqual({ status: 400, name: field });
    }
    const wrongKind = await forms.admin('POST', '/v1/flows', { kind: 5 });
    expect(wrongKind.body.errors).toHaveLength(1);
    const foreign = await forms.send(
      'GET',
      '/sign-up?schema=member&return_to=https://evil.example/',
    );
    expect(foreign.status).toBe(400);
  });

  it.each(['', 'x'.repeat(300)])('404 for the schema id %j', async (id) => {
    const request = { kind: 'sign-up', schema_id: id };
    const { status, body } = await forms.admin('POST', '/v1/flows', request);
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'SCHEMA_NOT_FOUND' });
  });

  describe('422', () => {
    it('shows the form again: summary with links, faults at the fields, values kept', async () => {
      const flow = await forms.openNew(SIGN_UP);
      const { status, text } = await forms.submit(flow, [
        ['traits.email', '"><script>alert(1)</script>'],
        ['traits.nickname', 'ada & co'],
        ['traits.newsletter', 'true'],
      ]);
      expect(status).toBe(422);
      expect(text).toContain('<title>Error:');
      expect(text).toContain('<a href="#traits.email">');
      expect(text).toMatch(/id="traits\.email"[^>]* aria-describedby="traits\.email:fault"/);
      expect(text).toMatch(/id="traits\.email"[^>]* aria-invalid="true"/);
      expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
      expect(text).toContain('value="ada &amp; co"');
      expect(text).toMatch(/type="checkbox"[^>]* checked/);
      expect(text).not.toContain('<script');
      expect((await forms.submit(flow, { 'traits.email': address() })).status).toBe(303);
    });

    it('names an address that is taken on its field, whatever its case and spaces', async () => {
      const email = address();
      await forms.submit(await forms.openNew(SIGN_UP), { 'traits.email': email });
      const { status, body } = await forms.submit(
        await forms.openNew(SIGN_UP),
        { 'traits.email': email.toUpperCase() },
        JSON_ACCEPT,
      );
      expect(status).toBe(422);
      expect(body.errors).toEqual([
        expect.objectContaining({ pointer: '/traits/email', name: 'traits.email', id: 4000007 }),
      ]);
      expect(body.traits).toEqual({ email: email.toUpperCase() });
    });

    it('as JSON contains the form to show again, and does not call our own fields ignored', async () => {
      const flow = await forms.openNew(SIGN_UP);
      const fields = { 'traits.email': 'no', 'traits.nickname': 'ada', 'traits.odd': '1' };
      const { status, body } = await forms.submit(flow, fields, JSON_ACCEPT);
      expect([status, body.ignored]).toEqual([422, ['traits.odd']]);
      const [email, ...others] = body.form.nodes as { name: string; value: string }[];
      expect(email).toMatchObject({
        name: 'traits.email',
        value: 'no',
        errors: [{ code: 'format', message: expect.stringContaining('E-mail') }],
      });
      expect(others).toContainEqual(
        expect.objectContaining({ name: 'traits.nickname', value: 'ada', errors: [] }),
      );
      expect(others).toContainEqual(expect.objectContaining({ name: 'traits.tags', kind: 'list' }));
    });

    it('characters that cannot be stored', async () => {
      const flow = await forms.openNew(SIGN_UP);
      const fields = { 'traits.email': address(), 'traits.nickname': 'a\u0000b' };
      const { status, body } = await forms.submit(flow, fields, JSON_ACCEPT);
      expect(status).toBe(422);
      expect(body.errors[0]).toMatchObject({ name: 'traits.nickname' });
    });
  });

  it('never writes the address of a flow into its log', async () => {
    const service = await members.stack.start();
    const flow = await service.client.openNew(SIGN_UP);
    await service.client.submit(flow, { 'traits.email': address() });
    await service.client.submit(flow, {}, { origin: 'https://evil.example' });
    await service.stop();
    expect(service.logs()).toContain('/flows/:id');
    expect(service.logs()).not.toContain(flow.path.slice('/flows/'.length));
    expect(service.logs()).not.toContain(flow.token);
  });
});

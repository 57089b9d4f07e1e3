import { type FormsClient, schemaOf } from './forms-client.js';
import { type FormsStack, openFormsStack } from './forms-stack.js';
import { eventually } from '@gatehouse/testing';

const THEME = {
  name: 'Acme & Söhne',
  logo: 'https://cdn.example.com/logo.svg',
  accent: '#7a0019',
  terms: 'https://example.com/terms?a=1&b=2',
  privacy: 'https://example.com/privacy',
  sign_in: 'https://example.com/sign-in',
  home: 'https://example.com/home',
};
const SETTINGS = {
  THEME_NAME: 'Everyone',
  THEME_ACCENT: '#1d4ed8',
  THEME_HOME_URL: 'https://example.org/start',
  THEME_LOGO_URL: 'https://img.example.org/logo.png',
};
const TRAITS = { properties: { email: { type: 'string' }, role: { readOnly: true } } };

describe('the theme of pages', () => {
  let stack: FormsStack;
  let forms: FormsClient;

  beforeAll(async () => {
    stack = await openFormsStack();
    forms = (await stack.start(SETTINGS)).client;
    await forms.schema('plain', TRAITS, { public: true });
    const schema = { ...schemaOf(TRAITS), 'x-theme': THEME };
    await forms.admin('POST', '/v1/schemas', { id: 'acme', schema, public: true });
  });

  afterAll(() => stack.close());

  const start = async (schema: string) => {
    const { headers } = await forms.send('GET', `/sign-up?schema=${schema}`);
    const path = headers.get('location') as string;
    stack.secrets.add(path.slice('/flows/'.length));
    return path;
  };
  const policyOf = ({ headers }: { headers: Headers }) => headers.get('content-security-policy');

  it('is that of the schema: name, logo, color and links', async () => {
    const page = await forms.send('GET', await start('acme'), { headers: { accept: 'text/html' } });
    for (const part of [
      '<img src="https://cdn.example.com/logo.svg" alt="">',
      'Acme &amp; Söhne',
      'href="/assets/accents/7a0019.1.css"',
      '<a href="https://example.com/terms?a=1&amp;b=2">Terms</a>',
      '<a href="https://example.com/privacy">Privacy</a>',
      '<a href="https://example.com/sign-in">Sign in</a>',
    ]) {
      expect(page.text).toContain(part);
    }
    expect(policyOf(page)).toContain("img-src 'self' https://cdn.example.com;");
    expect(policyOf(page)).not.toContain('script');
  });

  it('is that of the settings where the schema has none', async () => {
    const page = await forms.send('GET', await start('plain'), {
      headers: { accept: 'text/html' },
    });
    expect(page.text).toContain('<span>Everyone</span>');
    expect(page.text).toContain('/assets/accents/1d4ed8.1.css');
    expect(policyOf(page)).toContain("img-src 'self' https://img.example.org;");
  });

  it('decides where thank-you and error pages lead', async () => {
    const path = await start('acme');
    const flow = await forms.open(path);
    await forms.submit(flow, { 'traits.email': 'a' });
    const done = await forms.send('GET', `${path}/done`);
    expect(done.text).toContain('<a class="button" href="https://example.com/home">Continue</a>');
    const used = await forms.send('GET', path, { headers: { 'accept-language': 'de' } });
    expect(used.status).toBe(410);
    expect(used.text).toContain('<a class="button" href="https://example.com/home">Zurück</a>');
    expect(policyOf(used)).toContain('https://cdn.example.com');
    const unknown = await forms.send('GET', '/flows/unknown');
    expect(unknown.text).toContain('href="https://example.org/start"');
    expect(policyOf(unknown)).toContain('https://img.example.org');
  });

  it('leads away from a flow that has expired', async () => {
    const { headers } = await forms.admin('POST', '/v1/flows', {
      kind: 'sign-up',
      schema_id: 'plain',
      ttl: '1s',
    });
    const path = new URL(headers.get('location') as string).pathname;
    await eventually(async () => {
      const { status, text } = await forms.send('GET', path);
      expect(status).toBe(410);
      expect(text).toContain('href="https://example.org/start">Go back</a>');
    });
  });

  it('has its colors in a stylesheet of their own, for each accent that can be read', async () => {
    const sheet = await forms.send('GET', '/assets/accents/7a0019.1.css');
    expect(sheet.status).toBe(200);
    expect(sheet.headers.get('content-type')).toMatch(/^text\/css/);
    expect(sheet.text).toContain('--accent: #7a0019');
    for (const file of ['ffcc00.1.css', 'red.1.css', '7a0019.css', '..%2f..%2fx.1.css']) {
      expect((await forms.send('GET', `/assets/accents/${file}`)).status).toBe(404);
    }
  });

  it('does not show read-only fields without a value on a sign-up', async () => {
    const { html } = await forms.open(await start('plain'));
    expect(html).not.toContain('Role');
    const preview = await forms.admin('GET', '/v1/schemas/plain/form', undefined, {
      accept: 'text/html',
    });
    expect(preview.text).not.toContain('Role');
    const traits = { email: 'b', role: 'owner' };
    const made = await forms.admin('POST', '/v1/identities', { schema_id: 'plain', traits });
    const path = await forms.startFlow({ kind: 'profile', identity_id: made.body.id });
    expect((await forms.open(path)).html).toContain('Role');
  });

  it.each([
    ['accent', { accent: '#ffcc00' }],
    ['accent', { accent: 'red;}' }],
    ['logo', { logo: 'javascript:alert(1)' }],
    ['home', { home: '/relative' }],
    ['terms', { terms: 'https://user:pass@example.com/' }],
    ['name', { name: '' }],
    ['color', { color: '#000000' }],
    ['signIn', { signIn: 'https://example.com' }],
  ])('422 for %s in %j', async (member, theme) => {
    const schema = { ...schemaOf(TRAITS), 'x-theme': theme };
    const { status, body } = await forms.admin('POST', '/v1/schemas', { id: 'bad', schema });
    expect({ status, pointer: body.errors[0].pointer }).toEqual({
      status: 422,
      pointer: `/schema/x-theme/${member}`,
    });
  });
});

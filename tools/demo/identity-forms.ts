import assert from 'node:assert/strict';
import { fillIn, type Input, readForm } from './html-form.js';
import { type JsonResponse, send } from './http.js';
import { type Stack, type Story } from './story.js';

interface Identity {
  id: string;
  schema_id: string;
  traits: { email: string; age: number; height: number; newsletter: boolean };
}

/** The schema determines the type of each field of the form. */
const SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Join the demo',
  type: 'object',
  properties: {
    traits: {
      type: 'object',
      required: ['email', 'name'],
      properties: {
        email: { type: 'string', format: 'email', title: 'E-mail', 'x-identifier': true },
        name: {
          type: 'object',
          title: 'Name',
          required: ['first'],
          properties: {
            first: { type: 'string', title: 'First name', maxLength: 60 },
            last: { type: 'string', title: 'Last name', maxLength: 60 },
          },
        },
        age: { type: 'integer', minimum: 0, maximum: 150, title: 'Age' },
        height: { type: 'number', title: 'Height in metres' },
        newsletter: { type: 'boolean', title: 'Send me the newsletter' },
        address: {
          type: 'object',
          title: 'Address',
          properties: {
            city: { type: 'string', title: 'Town' },
            geo: {
              type: 'object',
              title: 'Position',
              properties: { latitude: { type: 'number', title: 'Latitude' } },
            },
          },
        },
      },
    },
  },
};

/** Typed input. A browser sends every value as text. */
const TYPED = {
  'traits.name.first': 'Mary',
  'traits.name.last': 'Somerville',
  'traits.age': '36',
  'traits.height': '1.70',
  'traits.address.city': 'Jedburgh',
  'traits.address.geo.latitude': '55.48',
};

/** The traits that these texts must become. */
const TRAITS = {
  name: { first: 'Mary', last: 'Somerville' },
  age: 36,
  height: 1.7,
  address: { city: 'Jedburgh', geo: { latitude: 55.48 } },
};

const CHECKBOX = 'traits.newsletter';

/** Registers a schema, signs up twice through its page and reads the resulting traits. */
export async function showIdentityForms(story: Story, stack: Stack): Promise<void> {
  const direct = stack.services['identity-forms']?.url ?? '';
  const publicUrl = stack.services.gateway?.url ?? direct;
  const adminUrl = stack.services.gateway?.admin ?? direct;
  const headers = { Authorization: `Bearer ${stack.credentials.formsAdminApiKey}` };
  const schemaId = `demo-${Date.now().toString(36)}`;
  const firstAddress = `${schemaId}.unchecked@example.com`;
  const secondAddress = `${schemaId}.checked@example.com`;
  const identityIds: string[] = [];

  story.part('3. Identity forms', `Pages and typed traits from a JSON Schema, at ${publicUrl}`);

  await story.step(
    'Register a schema: strings, numbers, a checkbox, nested objects',
    async (note) => {
      const json = { id: schemaId, schema: SCHEMA, public: true };
      const { body } = await send<{ id: string; version: number }>(
        'POST',
        `${adminUrl}/v1/schemas`,
        { headers, json, expect: 201 },
      );
      assert.equal(body.id, schemaId);
      note(`schema ${body.id}, version ${body.version}`);
    },
  );

  try {
    await story.step('Open its sign-up page like a browser', async (note) => {
      const { url, controls } = await openSignUp(publicUrl, schemaId);
      assert.deepEqual(
        controls.filter(({ name }) => name === CHECKBOX).map(({ type, value }) => [type, value]),
        [
          ['hidden', 'false'],
          ['checkbox', 'true'],
        ],
      );
      note(
        url,
        `${controls.length} controls; the checkbox is two: a hidden "false" and a "true" to check`,
      );
    });

    await story.step('Submit an invalid age: the page shows the error', async (note) => {
      const page = await openSignUp(publicUrl, schemaId);
      const type = { ...TYPED, 'traits.email': firstAddress, 'traits.age': 'forty' };
      const { text } = await page.submit({ type, check: [] }, { expect: 422 });
      const again = readForm(text).controls;
      assert.equal(again.find(({ name }) => name === 'traits.age')?.value, 'forty');
      assert.match(text, /aria-invalid="true"/);
      note('422, with the input preserved and the message at its field');
    });

    await story.step('Sign up with the checkbox unchecked', async (note) => {
      const page = await openSignUp(publicUrl, schemaId);
      const type = { ...TYPED, 'traits.email': firstAddress };
      const { headers: submitted } = await page.submit({ type, check: [] }, { expect: 303 });
      const next = new URL(submitted.get('location') ?? '', page.url);
      const thanks = await page.follow(next);
      assert.match(thanks.headers.get('content-type') ?? '', /^text\/html/);
      note(`303 to ${next.pathname.replace(/[^/]{12,}/, '…')}, the thank-you page`);
    });

    await story.step('Sign up with the checkbox checked, asking for JSON', async (note) => {
      const page = await openSignUp(publicUrl, schemaId);
      const type = { ...TYPED, 'traits.email': secondAddress };
      const options = { expect: 201, accept: 'application/json' };
      const { body } = await page.submit<Identity>({ type, check: [CHECKBOX] }, options);
      assert.deepEqual(body.traits, { ...TRAITS, email: secondAddress, newsletter: true });
      note(JSON.stringify(body.traits));
    });

    await story.step('Read both identities: the types are those of the schema', async (note) => {
      const { body } = await send<{ identities: Identity[] }>(
        'GET',
        `${adminUrl}/v1/identities?page_size=50`,
        { headers },
      );
      const found = body.identities.filter((identity) => identity.schema_id === schemaId);
      identityIds.push(...found.map(({ id }) => id));
      for (const [email, state] of [
        [firstAddress, 'unchecked'],
        [secondAddress, 'checked'],
      ] as const) {
        const traits = found.find((identity) => identity.traits.email === email)?.traits;
        assert.ok(traits);
        assert.deepEqual(traits, { ...TRAITS, email, newsletter: state === 'checked' });
        const { newsletter, age, height } = traits;
        note(
          `checkbox ${state.padEnd(9)}: newsletter ${newsletter} (${typeof newsletter}), ` +
            `age ${age} (${typeof age}), height ${height} (${typeof height})`,
        );
      }
    });

    await story.step('A second sign-up with the same email is rejected', async (note) => {
      const page = await openSignUp(publicUrl, schemaId);
      const type = { ...TYPED, 'traits.email': firstAddress.toUpperCase() };
      const { body } = await page.submit<{ errors: { pointer: string; message: string }[] }>(
        { type, check: [] },
        { expect: 422, accept: 'application/json' },
      );
      const [error] = body.errors;
      assert.match(error?.pointer ?? '', /\/email$/);
      note(`422 at ${error?.pointer}: ${error?.message}`);
    });
  } finally {
    for (const id of identityIds) {
      const url = `${adminUrl}/v1/identities/${id}`;
      await send('DELETE', url, { headers, expect: [204, 404] }).catch(() => {});
    }
  }
}

/** Starts a flow and opens its page, keeping the cookie like a browser. */
async function openSignUp(publicUrl: string, schemaId: string) {
  const start = await send('GET', `${publicUrl}/sign-up?schema=${schemaId}`, { expect: 303 });
  const url = new URL(start.headers.get('location') ?? '', publicUrl).href;
  const page = await send('GET', url, { headers: { Accept: 'text/html' } });
  const cookies = page.headers.getSetCookie().map((each) => each.split(';')[0]);
  const Cookie = cookies.join('; ');
  const { action, controls } = readForm(page.text);
  return {
    url,
    controls,
    submit: <Body = unknown>(
      input: Input,
      { expect, accept = 'text/html' }: { expect: number; accept?: string },
    ): Promise<JsonResponse<Body>> =>
      send<Body>('POST', new URL(action, url), {
        headers: {
          Accept: accept,
          Cookie,
          Origin: new URL(url).origin,
          'Sec-Fetch-Site': 'same-origin',
        },
        form: fillIn(controls, input),
        expect,
      }),
    follow: (next: URL) => send('GET', next, { headers: { Accept: 'text/html', Cookie } }),
  };
}

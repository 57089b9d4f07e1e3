// @ts-check
import assert from 'node:assert/strict';
import { fillIn, readForm } from './html-form.mjs';
import { send } from './http.mjs';

/** The form of the demo: what JSON Schema says here decides what a field becomes. */
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

/** What a person types: everything a text, as all that a browser sends. */
const TYPED = {
  'traits.name.first': 'Mary',
  'traits.name.last': 'Somerville',
  'traits.age': '36',
  'traits.height': '1.70',
  'traits.address.city': 'Jedburgh',
  'traits.address.geo.latitude': '55.48',
};

/** What it must become. */
const TRAITS = {
  name: { first: 'Mary', last: 'Somerville' },
  age: 36,
  height: 1.7,
  address: { city: 'Jedburgh', geo: { latitude: 55.48 } },
};

const CHECKBOX = 'traits.newsletter';

/**
 * Register a schema, sign up twice through its page, read what the form became.
 *
 * @param {import('./story.mjs').Story} story
 * @param {import('../local-stack/state.mjs').StackRecord} stack
 */
export async function showIdentityForms(story, stack) {
  const direct = stack.services['identity-forms']?.url ?? '';
  const { adminApiKey } = stack.credentials;
  const publicUrl = stack.services.gateway?.url ?? direct;
  const adminUrl = adminApiKey === null ? direct : publicUrl;
  /** @type {Record<string, string>} */
  const headers = adminApiKey === null ? {} : { Authorization: `Bearer ${adminApiKey}` };
  const schemaId = `demo-${Date.now().toString(36)}`;
  const addresses = ['unchecked', 'checked'].map((word) => `${schemaId}.${word}@example.com`);
  const [firstAddress = '', secondAddress = ''] = addresses;
  /** @type {string[]} */
  const identityIds = [];

  story.part('3. Identity forms', `Pages and typed traits of a JSON Schema, at ${publicUrl}`);

  await story.step(
    'Register a schema: strings, numbers, a checkbox, nested objects',
    async (tell) => {
      const json = { id: schemaId, schema: SCHEMA, public: true };
      const { body } = await send('POST', `${adminUrl}/v1/schemas`, { headers, json, expect: 201 });
      assert.equal(body.id, schemaId);
      tell(`schema ${body.id}, version ${body.version}`);
    },
  );

  try {
    await story.step('Open its sign-up page as a browser does', async (tell) => {
      const page = await openSignUp(publicUrl, schemaId);
      const boxes = page.controls.filter(({ name }) => name === CHECKBOX);
      assert.deepEqual(
        boxes.map(({ type, value }) => [type, value]),
        [
          ['hidden', 'false'],
          ['checkbox', 'true'],
        ],
      );
      tell(
        `${page.url}`,
        `${page.controls.length} controls; the checkbox is two: a hidden "false" and a "true" to tick`,
      );
    });

    await story.step('Send it with a wrong age: the page comes back and says so', async (tell) => {
      const page = await openSignUp(publicUrl, schemaId);
      const type = { ...TYPED, 'traits.email': firstAddress, 'traits.age': 'forty' };
      const { text } = await page.submit({ type, check: [] }, { expect: 422 });
      const again = readForm(text).controls;
      assert.equal(again.find(({ name }) => name === 'traits.age')?.value, 'forty');
      assert.match(text, /aria-invalid="true"/);
      tell('422, with what was typed still there and the message at its field');
    });

    await story.step('Sign up with the checkbox left alone', async (tell) => {
      const page = await openSignUp(publicUrl, schemaId);
      const type = { ...TYPED, 'traits.email': firstAddress };
      const { headers: answered } = await page.submit({ type, check: [] }, { expect: 303 });
      const next = new URL(answered.get('location') ?? '', page.url);
      const thanks = await page.follow(next);
      assert.match(thanks.headers.get('content-type') ?? '', /^text\/html/);
      tell(`303 to ${next.pathname.replace(/[^/]{12,}/, '…')}, the thank-you page`);
    });

    await story.step(
      'Sign up with the checkbox ticked, as a program that wants JSON',
      async (tell) => {
        const page = await openSignUp(publicUrl, schemaId);
        const type = { ...TYPED, 'traits.email': secondAddress };
        const person = { type, check: [CHECKBOX] };
        const { body } = await page.submit(person, { expect: 201, accept: 'application/json' });
        assert.deepEqual(body.traits, { ...TRAITS, email: secondAddress, newsletter: true });
        tell(JSON.stringify(body.traits));
      },
    );

    await story.step('Read both identities: the types are those of the schema', async (tell) => {
      const { body } = await send('GET', `${adminUrl}/v1/identities?page_size=50`, { headers });
      const found = body.identities.filter(
        (/** @type {any} */ each) => each.schema_id === schemaId,
      );
      identityIds.push(...found.map((/** @type {any} */ each) => each.id));
      for (const [email, newsletter] of /** @type {[string, boolean][]} */ ([
        [firstAddress, false],
        [secondAddress, true],
      ])) {
        const identity = found.find((/** @type {any} */ each) => each.traits.email === email);
        assert.deepEqual(identity?.traits, { ...TRAITS, email, newsletter });
        const { age, height } = identity.traits;
        tell(
          `checkbox ${newsletter ? 'ticked    ' : 'left alone'}: newsletter ${newsletter} (${typeof identity.traits.newsletter}), ` +
            `age ${age} (${typeof age}), height ${height} (${typeof height})`,
        );
      }
    });

    await story.step(
      'A second sign-up with the same address is refused at its field',
      async (tell) => {
        const page = await openSignUp(publicUrl, schemaId);
        const type = { ...TYPED, 'traits.email': firstAddress.toUpperCase() };
        const options = { expect: 422, accept: 'application/json' };
        const { body } = await page.submit({ type, check: [] }, options);
        const [error] = body.errors;
        assert.match(error.pointer, /\/email$/);
        tell(`422 at ${error.pointer}: ${error.message}`);
      },
    );
  } finally {
    for (const id of identityIds) {
      await send('DELETE', `${adminUrl}/v1/identities/${id}`, {
        headers,
        expect: [204, 404],
      }).catch(() => {});
    }
  }
}

/**
 * Starts a flow and opens its page, keeping the cookie as a browser does.
 *
 * @param {string} publicUrl
 * @param {string} schemaId
 */
async function openSignUp(publicUrl, schemaId) {
  const start = await send('GET', `${publicUrl}/sign-up?schema=${schemaId}`, { expect: 303 });
  const url = new URL(start.headers.get('location') ?? '', publicUrl).href;
  const page = await send('GET', url, { headers: { Accept: 'text/html' } });
  const cookie = page.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const { action, controls } = readForm(page.text);
  return {
    url,
    controls,
    /**
     * @param {Parameters<typeof fillIn>[1]} person
     * @param {{ expect: number, accept?: string }} options
     */
    submit: (person, { expect, accept = 'text/html' }) =>
      send('POST', new URL(action, url), {
        headers: {
          Accept: accept,
          Cookie: cookie,
          Origin: new URL(url).origin,
          'Sec-Fetch-Site': 'same-origin',
        },
        form: fillIn(controls, person),
        expect,
      }),
    /** @param {URL} next */
    follow: (next) => send('GET', next, { headers: { Accept: 'text/html', Cookie: cookie } }),
  };
}

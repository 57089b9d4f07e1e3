/** examples/sign-up and docs/sign-people-up.md on the packed client. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGatehouse } from '@gatehouse/client';
import { createTestDatabase, type TestDatabase } from '@gatehouse/testing';
import { workspace } from '#local-stack/layout.mjs';
import { ExampleProgram } from './example-program.js';
import { ADMIN_KEY, openSmall, type SmallGate } from './gate.js';

const SCHEMA = join(workspace, 'examples', 'sign-up', 'member.schema.json');
const PERSON = {
  'traits.name': 'Ada <Lovelace>',
  'traits.email': 'ada@example.com',
  'traits.age': '36',
  'traits.newsletter': 'true',
};

let database: TestDatabase;
let gate: SmallGate;
let example: ExampleProgram;
beforeAll(async () => {
  database = await createTestDatabase();
  gate = await openSmall(database, {
    EXAMPLE_SCHEMA: 'true',
    ALLOWED_RETURN_URLS: 'http://127.0.0.1:*/welcome',
  });
  example = ExampleProgram.fromFolder('sign-up');
  const connection = { url: gate.process.adminUrl, key: ADMIN_KEY };
  const schema = JSON.parse(readFileSync(SCHEMA, 'utf8')) as Record<string, unknown>;
  await createGatehouse(connection).schemas.register({ id: 'member', schema });
  await example.start({ GATEHOUSE_URL: connection.url, GATEHOUSE_KEY: connection.key });
});
afterAll(async () => {
  await example.remove();
  await gate.close();
  await database.drop();
});

async function submit(fields: Record<string, string>): Promise<{ status: number; text: string }> {
  const answer = await fetch(example.url, { method: 'POST', body: new URLSearchParams(fields) });
  return { status: answer.status, text: await answer.text() };
}

it('shows the form', async () => {
  const page = await (await fetch(example.url)).text();
  expect(page).toContain('name="traits.email"');
  expect(page).not.toMatch(/\{(?:value|error)/);
});

it('shows an error beside its field, and keeps what was typed', async () => {
  const { status, text } = await submit({ ...PERSON, 'traits.age': '17' });
  expect(status).toBe(422);
  expect(text).toMatch(/name="traits\.age".*\s*<em>[^<]+<\/em>/);
  expect(text).toContain('value="Ada &#60;Lovelace&#62;"');
});

it('creates the person with typed values, and refuses the same address', async () => {
  expect(await submit(PERSON)).toMatchObject({
    status: 201,
    text: expect.stringContaining('Welcome, Ada &#60;Lovelace&#62;!'),
  });
  const { identities } = await createGatehouse({
    url: gate.process.adminUrl,
    key: ADMIN_KEY,
  }).identities.list({ identifier: 'ada@example.com' });
  expect(identities).toMatchObject([{ traits: { age: 36, newsletter: true } }]);
  expect(await submit(PERSON)).toMatchObject({
    status: 422,
    text: expect.stringMatching(/name="traits\.email".*\s*<em>[^<]+<\/em>/),
  });
});

it('answers 503 without an internal detail when Gatehouse is away', async () => {
  const away = ExampleProgram.fromFolder('sign-up');
  try {
    await away.start({ GATEHOUSE_URL: 'http://127.0.0.1:9', GATEHOUSE_KEY: ADMIN_KEY });
    const answer = await fetch(away.url, { method: 'POST', body: new URLSearchParams(PERSON) });
    expect(answer.status).toBe(503);
    expect(await answer.text()).toBe('Please try again in a minute.');
  } finally {
    await away.remove();
  }
});

describe('docs/sign-people-up.md', () => {
  let page: ExampleProgram;
  beforeAll(async () => {
    page = ExampleProgram.fromPage('sign-people-up.md', ['fastify']);
    await page.start({ GATEHOUSE_URL: gate.process.adminUrl, GATEHOUSE_KEY: ADMIN_KEY });
  });
  afterAll(() => page.remove());

  it('finds the person who returns, in the browser that started', async () => {
    const started = await fetch(`${page.url}/sign-up`, { redirect: 'manual' });
    const cookie = started.headers.get('set-cookie')?.split(';')[0] ?? '';
    const form = new URL(started.headers.get('location') ?? '');
    const returned = await submitForm(gate.process.url + form.pathname, {
      'traits.email': 'grace@example.com',
      'traits.name': 'Grace',
    });
    const welcome = new URL(returned);
    expect(welcome.origin + welcome.pathname).toBe(`${page.url}/welcome`);

    const known = await fetch(welcome, { headers: { cookie } });
    expect(await known.json()).toMatchObject({ traits: { email: 'grace@example.com' } });
    expect((await fetch(welcome)).status).toBe(403);
  });
});

/** Fills in a page of Gatehouse. @returns where the browser is sent */
async function submitForm(url: string, fields: Record<string, string>): Promise<string> {
  const opened = await fetch(url, { headers: { accept: 'application/json' } });
  const { csrf_token } = (await opened.json()) as { csrf_token: string };
  const cookie = opened.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const answer = await fetch(url, {
    method: 'POST',
    headers: { cookie, accept: 'text/html' },
    body: new URLSearchParams({ ...fields, csrf_token }),
    redirect: 'manual',
  });
  return answer.headers.get('location') ?? (await answer.text());
}

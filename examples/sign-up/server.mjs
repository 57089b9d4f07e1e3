// A sign-up page of your own: Gatehouse types and validates what the form sends, and keeps the person.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { GatehouseError, createGatehouse } from '@gatehouse/client';

const BODY_BYTES_MAX = 100_000;
const PAGE = readFileSync(new URL('sign-up.html', import.meta.url), 'utf8');
const gatehouse = createGatehouse();

const server = createServer(async (request, response) => {
  const { status, text } = await answer(request).catch((error) => {
    console.error(error);
    return { status: 503, text: 'Please try again in a minute.' };
  });
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(text);
});
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${server.address().port}`),
);
process.once('SIGTERM', () => server.close());

async function answer(request) {
  if (request.method === 'GET') return { status: 200, text: page() };
  if (!(Number(request.headers['content-length']) <= BODY_BYTES_MAX)) {
    return { status: 413, text: 'The form is too large.' };
  }
  const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
  try {
    const { traits } = await gatehouse.forms.decode({ id: 'member', body: form });
    const { id } = await gatehouse.identities.create({ schema_id: 'member', traits });
    return { status: 201, text: `<p>Welcome, ${escaped(traits.name)}! You are member ${id}.</p>` };
  } catch (error) {
    if (!(error instanceof GatehouseError) || error.status !== 422) throw error;
    return { status: 422, text: page(form, error.body.errors) };
  }
}

/** The page with the values that were sent, and the error of each field. */
function page(form = new URLSearchParams(), errors = []) {
  const texts = {
    value: (name) => form.get(name),
    error: (name) => errors.find((each) => each.name === name)?.message,
  };
  return PAGE.replace(/\{(value|error) ([\w.]+)\}/g, (_, kind, name) => escaped(texts[kind](name)));
}

function escaped(text) {
  return String(text ?? '').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Guarantees of the answers of all routes. */
import { connect } from 'node:net';
import fc from 'fast-check';
import { type Answer } from '@gatehouse/testing';
import { ADMIN_KEY, FORM, type FormsClient } from './forms-client.js';
import { type FormsStack, openFormsStack } from './forms-stack.js';

const TOO_LARGE = 'x'.repeat(300 * 1024);
/** Parts that random bodies are composed of. */
const PIECES =
  '& = % %E4 %00 + . \\ [ ] [0] [] " : , { } null 1e999 -0 traits traits.name __proto__ \r\n \r\n\r\n --B --B-- Content-Disposition: filename="x" \u{1f642}'.split(
    ' ',
  );

describe('answers', () => {
  let stack: FormsStack;
  let forms: FormsClient;

  beforeAll(async () => {
    stack = await openFormsStack();
    forms = (await stack.start()).client;
    await forms.schema('person', { properties: { name: { type: 'string' } } }, { public: true });
  });

  afterAll(() => stack.close());

  function expectProblem(answer: Answer, problem: object): void {
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(answer.body).toMatchObject({
      type: 'about:blank',
      title: expect.any(String) as string,
      status: answer.status,
      request_id: answer.headers.get('x-request-id'),
      ...problem,
    });
  }

  it('404 for an unknown path', async () => {
    expectProblem(await forms.admin('GET', '/v1/nothing'), { status: 404, code: 'NOT_FOUND' });
  });

  it.each([
    ['POST', '/v1/schemas', '[]'],
    ['PUT', '/v1/schemas/person', 'null'],
    ['POST', '/v1/flows', '5'],
    ['POST', '/v1/flows', undefined],
  ])('400 BODY for %s %s with %j', async (method, path, body) => {
    const headers = { 'content-type': 'application/json' };
    expectProblem(await forms.admin(method, path, body, headers), { status: 400, code: 'BODY' });
  });

  it.each([
    ['DELETE', '/v1/schemas', 'GET, HEAD, POST'],
    ['PATCH', '/v1/schemas/person', 'GET, HEAD, PUT'],
    ['POST', '/v1/schemas/person/form', 'GET, HEAD'],
    ['DELETE', '/v1/schemas/person/decode', 'GET, PATCH, POST, PUT'],
    ['OPTIONS', '/v1/schemas/person/decode', 'GET, PATCH, POST, PUT'],
    ['HEAD', '/v1/schemas/person/decode', 'GET, PATCH, POST, PUT'],
    ['GET', '/v1/flows', 'POST'],
    ['PUT', '/v1/identities', 'GET, HEAD, POST'],
    ['POST', '/v1/identities/x', 'DELETE, GET, HEAD, PATCH'],
    ['POST', '/sign-up', 'GET, HEAD'],
    ['PUT', '/flows/x', 'GET, HEAD, POST'],
    ['POST', '/flows/x/done', 'GET, HEAD'],
    ['POST', '/health/alive', 'GET, HEAD'],
    ['DELETE', '/openapi.json', 'GET, HEAD'],
  ])('405 for %s %s, with the allowed methods', async (method, path, allow) => {
    const answer = await forms.admin(method, `${path}?a=b`);
    expect({ status: answer.status, allow: answer.headers.get('allow') }).toEqual({
      status: 405,
      allow,
    });
    if (method !== 'HEAD') expectProblem(answer, { code: 'METHOD_NOT_ALLOWED' });
  });

  it('HEAD of a page has the headers of GET and no body', async () => {
    const path = await forms.startFlow({ kind: 'sign-up', schema_id: 'person' });
    const head = await forms.send('HEAD', path, { headers: { accept: 'text/html' } });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(head.text).toBe('');
  });

  it('413 for a body over the limit names the limit, in every media type', async () => {
    const json = { 'content-type': 'application/json' };
    const limit = { status: 413, code: 'LIMIT_BODY', params: { limit: '262144' } };
    const decode = '/v1/schemas/person/decode';
    expectProblem(await forms.admin('POST', decode, TOO_LARGE, FORM), limit);
    expectProblem(await forms.admin('POST', decode, TOO_LARGE, json), limit);
    const path = await forms.startFlow({ kind: 'sign-up', schema_id: 'person' });
    expectProblem(await forms.admin('POST', path, TOO_LARGE, json), limit);
    const schema = await forms.admin('POST', '/v1/schemas', TOO_LARGE.repeat(5), json);
    expectProblem(schema, { status: 413, code: 'LIMIT_BODY', params: { limit: '1048576' } });
  });

  it('415 for a compressed body', async () => {
    const packed = { 'content-encoding': 'gzip' };
    const code = { status: 415, code: 'CONTENT_ENCODING' };
    const json = { 'content-type': 'application/json' };
    const decode = '/v1/schemas/person/decode';
    expectProblem(await forms.admin('POST', decode, 'traits.name=a', { ...FORM, ...packed }), code);
    expectProblem(await forms.admin('POST', decode, '{}', { ...json, ...packed }), code);
    expectProblem(await forms.admin('POST', '/v1/schemas', '{}', { ...json, ...packed }), code);
    const plain = { ...FORM, 'content-encoding': 'identity' };
    expect((await forms.admin('POST', decode, 'traits.name=a', plain)).status).toBe(200);
  });

  it('415 for a charset that is not UTF-8, on the admin routes too', async () => {
    const latin = { 'content-type': 'application/json; charset=iso-8859-1' };
    const answer = await forms.admin('POST', '/v1/schemas', '{}', latin);
    expectProblem(answer, { status: 415, code: 'CHARSET' });
  });

  it.each([
    ['application/x-www-form-urlencoded', ''],
    ['application/json', '{"traits":'],
    ['multipart/form-data; boundary=B', '--B\r\nContent-Disposition: form-data; name="'],
  ])('200 or 4xx for any bytes at all as %s, and never a 5xx', async (type, start) => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.concat([Buffer.from(start), bytes])),
      fc
        .array(fc.constantFrom(...PIECES), { maxLength: 30 })
        .map((pieces) => Buffer.from(start + pieces.join(''))),
    );
    const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': type };
    const seen = async (body: Buffer) => {
      const path = '/v1/schemas/person/decode';
      const { status } = await forms.send('POST', path, { headers, body: new Uint8Array(body) });
      expect([200, 400, 413, 415, 422]).toContain(status);
    };
    await fc.assert(fc.asyncProperty(anything, seen), { numRuns: 150 });
    expect((await forms.send('GET', '/health/alive')).status).toBe(200);
  });

  it('browsers get a page that names the field that could not be read', async () => {
    const flow = await forms.openNew({ kind: 'sign-up', schema_id: 'person' });
    const body = new FormData();
    body.set('csrf_token', flow.token);
    body.set('traits.name', new File(['x'], 'me.png'));
    const headers = { accept: 'text/html', cookie: flow.cookie, origin: forms.url };
    const answer = await forms.send('POST', flow.path, { headers, body });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('We could not read what was sent');
    expect(answer.text).toContain('The field &quot;traits.name&quot; is a file');
  });

  it('a problem document for input that is not HTTP', async () => {
    const text = await new Promise<string>((resolve, reject) => {
      let heard = '';
      const { hostname, port } = new URL(forms.url);
      const socket = connect(Number(port), hostname, () => socket.write('WHAT is this\r\n\r\n'));
      socket.setEncoding('utf8').on('data', (chunk) => (heard += String(chunk)));
      socket.on('error', reject).on('close', () => resolve(heard));
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toMatch(/content-type: application\/problem\+json/i);
    expect(text).toMatch(/"type":"about:blank","title":"Bad Request","status":400/);
  });
});

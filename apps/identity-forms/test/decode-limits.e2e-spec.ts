import { connect } from 'node:net';
import { ADMIN_KEY, FORM, type FormsClient, part } from './forms-client.js';
import { type FormsStack, openFormsStack } from './forms-stack.js';
import { PERSON } from './traits.js';

describe('the decode endpoint refuses', () => {
  let stack: FormsStack;
  let forms: FormsClient;

  beforeAll(async () => {
    stack = await openFormsStack();
    forms = (await stack.start()).client;
    await forms.schema('person', PERSON);
  });

  afterAll(() => stack.close());

  const multipart = (body: Parameters<FormsClient['decodeMultipart']>[1]) =>
    forms.decodeMultipart('person', body);
  const json = (body: string) =>
    forms.admin('POST', '/v1/schemas/person/decode', body, { 'content-type': 'application/json' });

  describe('400', () => {
    it.each([
      'version=0',
      'validate=maybe',
      'useDefaults=1',
      'emptyNullable=x',
      'validate=a&validate=b',
    ])('option %s', async (query) => {
      const { status, body } = await forms.decode('person', 'traits.email=a@b.c', `?${query}`);
      expect(status).toBe(400);
      expect(body.errors[0].name).toBe(query.split('=')[0]);
    });

    it.each([
      ['of nothing at all', ''],
      ['truncated', part('traits.email', 'a@b.c')],
      ['without its boundary', 'hello'],
      [
        'with a part that has no name',
        '--B\r\nContent-Disposition: form-data\r\n\r\n1\r\n--B--\r\n',
      ],
      ['with a part that has no disposition', `--B\r\nX: y\r\n\r\n1\r\n--B--\r\n`],
      [
        'with a header line that has no colon',
        part('traits.email', 'a@b.c').replace('\r\n\r\n', '\r\nNonsense\r\n\r\n') + '--B--\r\n',
      ],
      [
        'with a header line that has no name',
        part('traits.email', 'a@b.c').replace('--B\r\n', '--B\r\n: x\r\n') + '--B--\r\n',
      ],
    ])('a multipart body %s', async (_case, body) => {
      const answer = await multipart(body);
      expect(answer).toMatchObject({ status: 400, body: { code: 'MULTIPART' } });
    });

    it('a multipart type without a boundary', async () => {
      const answer = await forms.admin('POST', '/v1/schemas/person/decode', 'x', {
        'content-type': 'multipart/form-data',
      });
      expect(answer).toMatchObject({ status: 400, body: { code: 'MULTIPART' } });
    });

    it('a file part, naming the field', async () => {
      const answer = await multipart([
        ['traits.email', 'a@b.c'],
        ['traits.photo', new File(['x'.repeat(5000)], 'me.png', { type: 'image/png' })],
      ]);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'FILE_PART', errors: [{ name: 'traits.photo' }] });
    });

    it.each(['{"traits.age":', '{"a":1} {}', ''])('the JSON body %j', async (body) => {
      expect((await json(body)).status).toBe(400);
    });

    it('a JSON body nested deeper than 16, as a body and as the text of a field', async () => {
      const deep = `${'{"a":'.repeat(17)}1${'}'.repeat(17)}`;
      const body = await json(deep);
      expect(body).toMatchObject({ status: 400, body: { code: 'LIMIT_DEPTH' } });
      const field = await forms.decode('person', `traits.address=${encodeURIComponent(deep)}`);
      expect(field).toMatchObject({ status: 400, body: { code: 'LIMIT_DEPTH' } });
    });

    it('bytes that are not UTF-8, in every media type', async () => {
      for (const [type, body] of [
        [FORM['content-type'], 'traits.email=\xff'],
        ['application/json', '{"traits.email":"\xff"}'],
        ['multipart/form-data; boundary=B', part('traits.email', '\xff') + '--B--\r\n'],
      ] as const) {
        const answer = await forms.send('POST', '/v1/schemas/person/decode', {
          headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': type },
          body: Buffer.from(body, 'latin1'),
        });
        expect(answer).toMatchObject({ status: 400, body: { code: 'ENCODING' } });
      }
    });
  });

  describe('401 and 403', () => {
    it('a missing credential, a wrong one, and one in the wrong scheme', async () => {
      const path = '/v1/schemas/person/decode';
      for (const headers of [
        FORM,
        { ...FORM, authorization: 'Bearer wrong-key-wrong-key-wrong' },
        { ...FORM, authorization: `Basic ${ADMIN_KEY}` },
      ]) {
        const { status, headers: answered } = await forms.send('POST', path, {
          headers,
          body: 'a=b',
        });
        // A credential that is not ours is asked of the key service, which is not there.
        expect([401, 503, 504]).toContain(status);
        if (status === 401) expect(answered.get('www-authenticate')).toBe('Bearer');
      }
    });
  });

  it('404 for an unknown schema', async () => {
    expect((await forms.decode('unknown', 'a=b')).status).toBe(404);
    expect((await forms.decode('person', 'a=b', '?version=9')).status).toBe(404);
  });

  describe('413', () => {
    const refuses = async (body: string, code: string) => {
      const answer = await forms.decode('person', body);
      expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 413, code });
    };

    it('a body over 256 KiB', async () => {
      const answer = await forms.decode('person', `traits.email=${'a'.repeat(263_000)}`);
      expect(answer.status).toBe(413);
    });

    it('100,000 fields, quickly', async () => {
      const startedAt = performance.now();
      await refuses('a&'.repeat(100_000), 'LIMIT_FIELDS');
      expect(performance.now() - startedAt).toBeLessThan(5_000);
    });

    it('1001 fields, a name of 513 bytes, a value over 64 KiB', async () => {
      await refuses(Array.from({ length: 1001 }, (_, i) => `f${i}=1`).join('&'), 'LIMIT_FIELDS');
      await refuses(`${'n'.repeat(513)}=1`, 'LIMIT_NAME');
      await refuses(`traits.email=${'a'.repeat(65_537)}`, 'LIMIT_VALUE');
    });

    it('the same limits in JSON', async () => {
      const bodies = [
        { traits: { tags: new Array(1001).fill('x') } },
        { traits: { ['n'.repeat(513)]: 1 } },
        { 'traits.email': 'a'.repeat(65_537) },
      ];
      const answers = await Promise.all(bodies.map((body) => json(JSON.stringify(body))));
      expect(answers.map(({ status, body }) => `${status} ${body.code}`)).toEqual([
        '413 LIMIT_FIELDS',
        '413 LIMIT_NAME',
        '413 LIMIT_VALUE',
      ]);
      expect(answers.at(-1)?.body.errors[0].name).toBe('traits.email');
    });

    it('the same limits in multipart, and 1 MiB of body', async () => {
      const answers = await Promise.all([
        multipart(`${part('f', '1').repeat(1002)}--B--\r\n`),
        multipart(`${part('n'.repeat(513), '1')}--B--\r\n`),
        multipart(`${part('traits.email', 'a'.repeat(65_540))}--B--\r\n`),
        multipart(`${part('traits.email', 'a'.repeat(60_000)).repeat(20)}--B--\r\n`),
      ]);
      expect(answers.map(({ status, body }) => `${status} ${body.code}`)).toEqual([
        '413 LIMIT_FIELDS',
        '413 LIMIT_NAME',
        '413 LIMIT_VALUE',
        '413 LIMIT_BODY',
      ]);
    });

    it('1 MiB of multipart without a Content-Length', async () => {
      const text = await chunkedMultipart(forms.url, part('traits.email', 'x'.repeat(60_000)), 40);
      expect(text).toMatch(/^HTTP\/1\.1 413 /);
      expect(text).toContain('LIMIT_BODY');
    });
  });

  it.each([
    'text/plain',
    'application/xml',
    'multipart/mixed; boundary=B',
    'application/x-www-form-urlencoded; charset=iso-8859-1',
    'application/x-www-form-urlencoded; charset',
    'application/json; charset=utf-16',
    'application/problem+json',
    'nonsense',
  ])('415 for %s', async (type) => {
    const answer = await forms.admin('POST', '/v1/schemas/person/decode', 'a=b', {
      'content-type': type,
    });
    expect(answer.status).toBe(415);
  });

  it('random bytes as body in every media type, without a 5xx', async () => {
    const types = [FORM['content-type'], 'application/json', 'multipart/form-data; boundary=B'];
    for (let round = 0; round < 60; round += 1) {
      const bytes = Uint8Array.from({ length: 400 }, () => Math.floor(Math.random() * 256));
      const { status } = await forms.send('POST', '/v1/schemas/person/decode', {
        headers: {
          authorization: `Bearer ${ADMIN_KEY}`,
          'content-type': types[round % 3] as string,
        },
        body: bytes,
      });
      expect([200, 400, 413, 415, 422]).toContain(status);
    }
    expect((await forms.send('GET', '/health/ready')).status).toBe(200);
  });
});

/** Sends parts in chunks without a Content-Length and returns the whole answer as text. */
function chunkedMultipart(url: string, text: string, count: number): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST /v1/schemas/person/decode HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ADMIN_KEY}\r\n` +
          'Content-Type: multipart/form-data; boundary=B\r\nTransfer-Encoding: chunked\r\n' +
          'Connection: close\r\n\r\n',
      );
      for (let chunk = 0; chunk < count; chunk += 1) {
        socket.write(`${text.length.toString(16)}\r\n${text}\r\n`);
      }
      socket.write('0\r\n\r\n');
    });
    socket.on('data', (data) => (answer += data.toString()));
    socket.on('error', () => resolve(answer));
    socket.on('close', () => resolve(answer));
  });
}

import fc from 'fast-check';
import { FormError } from '../model/form-decoder.errors.js';
import { parseMultipart } from './multipart.reader.js';

const TYPE = 'multipart/form-data; boundary=B';

/** A part as a browser writes it. */
const part = (name: string, value: string, more = '') =>
  `--B\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const END = '--B--\r\n';

function parse(text: string, type = TYPE) {
  return parseMultipart(Buffer.from(text), type);
}

function refusal(read: () => unknown): FormError | undefined {
  try {
    read();
  } catch (error) {
    if (error instanceof FormError) return error;
    throw error;
  }
  return undefined;
}

describe('parseMultipart', () => {
  it('reads names and values in their order, repeated ones and empty ones too', () => {
    const text = part('b', '1') + part('a', 'x\r\ny\r\n') + part('b', '') + part('__proto__', 'é');
    expect(parse(text + END)).toEqual([
      ['b', '1'],
      ['a', 'x\r\ny\r\n'],
      ['b', ''],
      ['__proto__', 'é'],
    ]);
    expect(parse(END)).toEqual([]);
  });

  it('reads what any browser sends (fetch of this Node.js)', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\\', '"', ';', 'a') }),
    );
    // Two backslashes look like one of Go.
    const name = text.map((each) => each.replaceAll(/\\+/g, '\\'));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, text), { maxLength: 8 }), async (fields) => {
        const form = new FormData();
        for (const [name, value] of fields) form.append(name, value);
        const sent = new Response(form);
        const body = new Uint8Array(await sent.arrayBuffer());
        const lines = (value: string) => value.replaceAll(/\r\n?|\n/g, '\r\n');
        // A percent escape that was typed looks like one that the browser made.
        const typed = (name: string) =>
          lines(name).replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
        expect(parseMultipart(body, sent.headers.get('content-type') ?? '')).toEqual(
          fields.map(([name, value]) => [typed(name), lines(value)]),
        );
      }),
    );
  });

  it.each([
    ['a quoted boundary', 'multipart/form-data; boundary="B C"', part('a', '1') + END],
    [
      'other parameters',
      'multipart/form-data; charset=utf-8; boundary="B C"; x=y',
      part('a', '1') + END,
    ],
  ])('takes %s', (_name, type, text) => {
    expect(parse(text.replaceAll('--B', '--B C'), type)).toEqual([['a', '1']]);
  });

  it.each([
    ['text before and after', `before\r\n${part('a', '1')}${END}after`],
    ['white space after a boundary', part('a', '1').replace('--B', '--B \t') + END],
    ['folded header lines', part('a', '1').replace('form-data; ', 'form-data;\r\n\t') + END],
    ['other headers', part('a', '1').replace('--B\r\n', '--B\r\nX-Any: "\r\n') + END],
    [
      'names in any case',
      part('a', '1').replace(
        'Content-Disposition: form-data; name',
        'content-disposition:FORM-DATA ;NAME',
      ) + END,
    ],
    ['a value as it is', part('a', '1', '\r\nContent-Transfer-Encoding: 8bit') + END],
    ['names without quotes', part('a', '1').replace('"a"', 'a') + END],
    [
      'a part that ends without a line of its own',
      '--B\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--B--',
    ],
  ])('takes %s', (_name, text) => {
    expect(parse(text)).toEqual([['a', '1']]);
  });

  it('undoes the escapes of names, and nothing else', () => {
    const [[name] = ['']] = parse(part('a%22b%0D%0Ac%41%2\\"d\\\\e\\f; g', '1') + END);
    expect(name).toBe('a"b\r\nc%41%2"d\\e\\f; g');
  });

  it.each([
    ['a browser', 'a\\'],
    ['Go', 'a\\\\'],
  ])('reads a backslash at the end of a name as %s sends it', (_name, sent) => {
    expect(parse(part(sent, '1') + END)).toEqual([['a\\', '1']]);
    expect(parse(part(sent, '1', '; x="y"') + END)).toEqual([['a\\', '1']]);
    const file = part(sent, '1', '; filename="b.png"') + END;
    expect(refusal(() => parse(file))?.params).toEqual({ name: 'a\\' });
  });

  it('takes a file control without a file as a blank field, and refuses files by their name', () => {
    expect(
      parse(part('a', '', '; filename=""\r\nContent-Type: application/octet-stream') + END),
    ).toEqual([['a', '']]);
    for (const file of [
      part('a', '', '; filename="b.png"'),
      part('a', 'x', '; filename=""'),
      part('a', '', `; filename*=UTF-8''b`),
      part('a', 'x', '\r\nContent-Type: application/octet-stream'),
    ]) {
      expect(refusal(() => parse(file + END))).toMatchObject({
        code: 'file.part',
        status: 400,
        params: { name: 'a' },
      });
    }
  });

  it('names a file by the length that a name may have', () => {
    const found = refusal(() => parse(part('n'.repeat(100_000), 'x', '; filename="b"') + END));
    expect(found?.params).toEqual({ name: 'n'.repeat(512) });
    expect(found?.message.length).toBeLessThan(600);
  });

  it.each([
    ['', 'is empty'],
    ['hello', 'malformed'],
    [part('a', '1'), 'malformed'],
    [`${part('a', '1')}--B`, 'malformed'],
    [`${part('a', '1')}--B-`, 'malformed'],
    [`${part('a', '1')}--Bx\r\n${END}`, 'malformed'],
    ['--B\r\nContent-Disposition: form-data; name="a"\r\n--B--', 'malformed'],
    ['--B\nContent-Disposition: form-data; name="a"\n\n1\n--B--', 'malformed'],
    [`--B\r\n\r\n1\r\n${END}`, 'no field name'],
    [part('a', '1').replace('name', 'title') + END, 'no field name'],
    [part('a', '1').replace('form-data', 'attachment') + END, 'no field name'],
    [
      part('a', 'YQ==', '\r\nContent-Transfer-Encoding: Base64') + END,
      'without Content-Transfer-Encoding',
    ],
    [
      part('a', '1').replace('--B\r\n', '--B\r\n: x\r\n') + END,
      'header line without a name: ": x"',
    ],
  ])('refuses %j', (text, message) => {
    const found = refusal(() => parse(text));
    expect(found).toMatchObject({ code: 'multipart', status: 400 });
    expect(found?.message).toContain(message);
  });

  it('refuses a type without a boundary, and bytes that are not UTF-8', () => {
    expect(refusal(() => parse(END, 'multipart/form-data'))?.code).toBe('multipart');
    const body = Buffer.from(part('a', '\xff') + END, 'latin1');
    expect(refusal(() => parseMultipart(body, TYPE))?.code).toBe('encoding');
  });

  it('holds fields to the limits', () => {
    const limits = { fieldsMax: 1, nameBytesMax: 2, valueBytesMax: 2 };
    const codeOf = (text: string) =>
      refusal(() => parseMultipart(Buffer.from(text + END), TYPE, limits))?.code;
    expect(codeOf(part('é', '12'))).toBeUndefined();
    expect(codeOf(part('a', '1') + part('b', '2'))).toBe('limit.fields');
    expect(codeOf(part('éa', '1'))).toBe('limit.name');
    expect(codeOf(part('a', '123'))).toBe('limit.value');
  });

  it('ends in linear time for any megabyte', () => {
    const bodies = [
      part('a', '1').repeat(20_000),
      `--B\r\n${'\r\n'.repeat(500_000)}`,
      `--B\r\nContent-Disposition: form-data${';a="'.repeat(250_000)}\r\n\r\n1\r\n${END}`,
      `--B\r\nContent-Disposition: form-data${';a="\\'.repeat(200_000)}\r\n\r\n1\r\n${END}`,
      `--B\r\nContent-Disposition: form-data;${' '.repeat(1_000_000)}\r\n\r\n1\r\n${END}`,
      `--B\r\nContent-Disposition: form-data; name="${'\\'.repeat(1_000_000)}\r\n\r\n1\r\n${END}`,
      `--B\r\n${'x:\r\n '.repeat(200_000)}\r\n\r\n1\r\n${END}`,
      '\r\n--'.repeat(250_000),
    ];
    const start = performance.now();
    for (const body of bodies) expect(refusal(() => parse(body))).toBeDefined();
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

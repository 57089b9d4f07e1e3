// A form of some kilobytes must not cause a page of megabytes.
import { type FormsClient, JSON_ACCEPT } from './forms-client.js';
import { type FormsStack, openFormsStack } from './forms-stack.js';

const ROWS = 999;

describe('the answer to a form with 999 rows', () => {
  let stack: FormsStack;
  let forms: FormsClient;

  beforeAll(async () => {
    stack = await openFormsStack();
    forms = (await stack.start({ EXAMPLE_SCHEMA: 'true' })).client;
    const phones = {
      type: 'array',
      items: { type: 'object', properties: { number: { type: 'string', format: 'tel' } } },
    };
    await forms.schema('unbounded', { properties: { phones } });
  });

  afterAll(() => stack.close());

  const rows = Array.from({ length: ROWS }, (_, index): [string, string] => [
    `traits.phones.${index}.number`,
    'x',
  ]);
  const sentBytes = new URLSearchParams(rows).toString().length;

  it.each([
    ['a page', {}, []],
    ['JSON', JSON_ACCEPT, []],
    ['a page with one row more', {}, [['_action', 'add:traits.phones']]],
  ] as [string, object, [string, string][]][])(
    'is at most ten times its size, where five are allowed: %s',
    async (_name, headers, more) => {
      const flow = await forms.openNew({ kind: 'sign-up', schema_id: 'example' });
      const { text } = await forms.submit(flow, [...rows.slice(0, 990), ...more], { ...headers });
      expect(text.length).toBeLessThan(10 * sentBytes);
    },
  );

  it('shows one row more than allowed, with the reason', async () => {
    const flow = await forms.openNew({ kind: 'sign-up', schema_id: 'example' });
    const { status, text } = await forms.submit(flow, rows.slice(0, 990));
    expect(status).toBe(422);
    expect(text).toContain('may have at most 5 entries');
    expect(text).toContain('name="traits.phones.5.number"');
    expect(text).not.toContain('name="traits.phones.6.number"');
  });

  it('is a refusal that names the limit, where any number is allowed', async () => {
    const flow = await forms.openNew({ kind: 'sign-up', schema_id: 'unbounded' });
    const { status, body } = await forms.submit(flow, rows.slice(0, 990), JSON_ACCEPT);
    expect([status, body.errors.length]).toEqual([422, 100]);
    const page = await forms.submit(flow, rows.slice(0, 990));
    expect(page.status).toBe(400);
    expect(page.text).toContain('more than 100 rows');
    const few = await forms.submit(flow, rows.slice(0, 100));
    expect(few.status).toBe(422);
    expect(few.text).toContain('name="traits.phones.99.number"');
  });

  it('of the decode endpoint is at most ten times its size too', async () => {
    const form = new URLSearchParams(rows).toString();
    const { status, text } = await forms.decode('example', form);
    expect(status).toBe(422);
    expect(text.length).toBeLessThan(10 * sentBytes);
  });
});

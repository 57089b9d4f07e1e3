import { type Exchange, redisExchange } from '@gatehouse/kit/exchange';
import { MessagePatterns } from '@gatehouse/schemas';
import { MessageClient } from '@gatehouse/nest-kit/exchange';
import { createLogger } from '@gatehouse/nest-kit/logging';
import { checkPayload, CONTROL_PLANE, type Json } from '@gatehouse/testing';
import { type FormsStack, openFormsStack } from './forms-stack.js';
import { USER } from './traits.js';

describe('forms.decode over Redis', () => {
  let stack: FormsStack;
  let exchange: Exchange;
  /** Also for requests that the catalog does not allow. */
  let messages: MessageClient<{ 'forms.decode': { request: object | string; reply: Json } }>;

  beforeAll(async () => {
    stack = await openFormsStack();
    const forms = (await stack.start()).client;
    await forms.schema('user', USER);
    exchange = redisExchange({
      redis: stack.redis,
      service: 'tests',
      messageKeys: [CONTROL_PLANE.MESSAGE_KEYS],
      logger: createLogger('test', 'silent'),
    });
    messages = new MessageClient(exchange);
  });

  afterAll(async () => {
    await exchange?.close();
    await stack.close();
  });

  const decode = async (request: object | string) => {
    const { decodeForm } = MessagePatterns;
    const reply = await messages.request(decodeForm, request, { timeoutMs: 10_000 });
    checkPayload(decodeForm, 'reply', reply);
    return reply;
  };

  it('decodes urlencoded text, fields and JSON to the same result', async () => {
    const expected = { traits: { email: 'a@b.c', age: 20 }, ignored: ['x'] };
    for (const form of [
      { form: 'traits.email=a%40b.c&traits.age=20&x=1' },
      {
        fields: [
          ['traits.email', 'a@b.c'],
          ['traits.age', '20'],
          ['x', '1'],
        ],
      },
      { json: { traits: { email: 'a@b.c', age: 20 }, x: '1' } },
    ]) {
      const request = { schema_id: 'user', ...form };
      checkPayload(MessagePatterns.decodeForm, 'request', request);
      expect(await decode(request)).toEqual(expected);
    }
  });

  it('answers errors with problem documents', async () => {
    expect(await decode({ schema_id: 'user', form: 'traits.age=x' })).toMatchObject({
      status: 422,
      traits: { age: 'x' },
    });
    expect(await decode({ schema_id: 'unknown', form: '' })).toMatchObject({ status: 404 });
    expect(await decode({ schema_id: '', form: '' })).toMatchObject({ status: 404 });
    expect(await decode('x')).toMatchObject({ status: 400, code: 'BODY' });
    expect(await decode({ schema_id: 'user', json: null })).toMatchObject({ status: 422 });
    const wrong = await decode({ schema_id: 'user', form: 5 });
    expect(wrong.errors).toHaveLength(1);
    expect(await decode({ schema_id: 'user' })).toMatchObject({ status: 400 });
    expect(await decode({ form: 'a=b' })).toMatchObject({ status: 400 });
    expect(await decode({ schema_id: 'user', fields: [['a']] })).toMatchObject({ status: 400 });
    expect(await decode({ schema_id: 'user', form: '', merge: 'x' })).toMatchObject({
      status: 400,
      errors: [{ pointer: '/merge' }],
    });
    expect(await decode({ schema_id: 'user', form: 'a&'.repeat(2000) })).toMatchObject({
      status: 413,
    });
    const many = Array.from({ length: 6 }, () => 'x'.repeat(60_000));
    for (const form of [
      { form: many.map((value) => `a=${value}`).join('&') },
      { fields: many.map((value) => ['a', value]) },
      { json: { a: many } },
    ]) {
      const answer = await decode({ schema_id: 'user', ...form });
      expect(answer).toMatchObject({ status: 413, code: 'LIMIT_BODY' });
    }
    const loose = { schema_id: 'user', form: 'traits.age=3', validate: false };
    expect(await decode(loose)).toEqual({ traits: { age: 3 }, ignored: [] });
  });

  it('puts the request id of the caller, or a new one, into a problem', async () => {
    const asked = await decode({ schema_id: 'unknown', form: '', request_id: 'r-1' });
    expect(asked).toMatchObject({ status: 404, request_id: 'r-1' });
    for (const request_id of [undefined, '', {}, 'x'.repeat(200), 'a b']) {
      const answer = await decode({ schema_id: 'unknown', form: '', request_id });
      expect(answer).toMatchObject({ status: 404 });
      expect(answer.request_id).toMatch(/^[\w-]{20,}$/);
    }
  });
});

import { IdentityEvents } from '@gatehouse/schemas';
import { checkPayload, eventually, type Json } from '@gatehouse/testing';
import { type FormsClient, JSON_ACCEPT } from './forms-client.js';
import { type FormsStack, openFormsStack } from './forms-stack.js';
import { HeardEvents } from './heard-events.js';
import { USER } from './traits.js';

const SIGN_UP = { kind: 'sign-up', schema_id: 'user' };

describe('what strangers can try', () => {
  let stack: FormsStack;
  let serial = 0;

  beforeAll(async () => {
    stack = await openFormsStack();
    const { client } = await stack.start();
    await client.schema('user', USER, { public: true });
  });

  afterAll(() => stack.close());

  const address = () => `stranger${(serial += 1)}@example.com`;
  const signUp = async (client: FormsClient, fields: Record<string, string>, headers = {}) =>
    client.submit(await client.openNew(SIGN_UP), fields, { ...JSON_ACCEPT, ...headers });
  const limited = (answer: { status: number; headers: Headers; body: Json }, by: string) => {
    expect(answer.body).toMatchObject({
      status: 429,
      code: 'TOO_MANY_SUBMISSIONS',
      params: { by },
    });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  };

  it('of one address is limited on all replicas, with a page that says so', async () => {
    const settings = {
      SUBMISSIONS_PER_ADDRESS: '3',
      CLIENT_IP_SOURCE: 'x-real-ip',
      TRUSTED_PROXIES: '127.0.0.1/32',
    };
    const { client } = await stack.start(settings);
    const { client: other } = await stack.start(settings);
    const from = (ip: string) => ({ 'x-real-ip': ip });
    for (const each of [client, other, client]) {
      expect((await signUp(each, { 'traits.email': 'x' }, from('203.0.113.7'))).status).toBe(422);
    }
    limited(await signUp(other, { 'traits.email': address() }, from('203.0.113.7')), 'address');
    const page = await signUp(
      client,
      {},
      { ...from('203.0.113.7'), accept: 'text/html', 'accept-language': 'de' },
    );
    expect(page.status).toBe(429);
    expect(page.text).toContain('Zu viele Versuche');
    expect(page.headers.get('retry-after')).toMatch(/^\d+$/);
    const free = await signUp(client, { 'traits.email': address() }, from('203.0.113.8'));
    expect(free.status).toBe(201);
  });

  it('with one flow is limited, so that it does not tell which identifiers are taken', async () => {
    const { client } = await stack.start({ SUBMISSIONS_PER_FLOW: '2' });
    const taken = address();
    await signUp(client, { 'traits.email': taken });
    const flow = await client.openNew(SIGN_UP);
    const probe = () => client.submit(flow, { 'traits.email': taken }, JSON_ACCEPT);
    expect([(await probe()).status, (await probe()).status]).toEqual([422, 422]);
    limited(await probe(), 'flow');
  });

  it('with one identifier is limited, in any spelling, from everywhere', async () => {
    const { client } = await stack.start({ SUBMISSIONS_PER_IDENTIFIER: '2' });
    const email = address();
    expect((await signUp(client, { 'traits.email': email })).status).toBe(201);
    expect((await signUp(client, { 'traits.email': email.toUpperCase() })).status).toBe(422);
    limited(await signUp(client, { 'traits.email': `${email}.` }), 'identifier');
    expect((await signUp(client, { 'traits.email': address() })).status).toBe(201);
  });

  it('compares identifiers only when everything else is right, and reports one', async () => {
    const { client } = await stack.start();
    const [email, username] = [address(), address()];
    await signUp(client, { 'traits.email': email, 'traits.username': username });
    const both = { 'traits.email': email, 'traits.username': username };
    const wrong = await signUp(client, { ...both, 'traits.age': '3' });
    expect(wrong.body.errors).toMatchObject([{ pointer: '/traits/age' }]);
    const right = await signUp(client, both);
    expect(right.body.errors).toMatchObject([{ pointer: '/traits/email', id: 4000007 }]);
  });

  it.each([
    ['open', 201],
    ['closed', 503],
  ])('while Redis is away is %s', async (SUBMISSION_LIMIT_ON_ERROR, status) => {
    const { client } = await stack.start({
      SUBMISSION_LIMIT_ON_ERROR,
      SUBMISSIONS_PER_ADDRESS: '3',
      REDIS_URL: 'redis://127.0.0.1:1',
    });
    expect((await signUp(client, { 'traits.email': address() })).status).toBe(status);
  });

  describe('with SIGN_UP_ENUMERATION=hide', () => {
    let client: FormsClient;

    beforeAll(async () => {
      client = (await stack.start({ SIGN_UP_ENUMERATION: 'hide' })).client;
    });

    const look = async (id: string) => (await client.admin('GET', `/v1/flows/${id}`)).body;

    it('a taken identifier is answered like success, and uses the flow', async () => {
      const email = address();
      const [first, second] = [await client.openNew(SIGN_UP), await client.openNew(SIGN_UP)];
      const answers = [];
      for (const flow of [first, second]) {
        answers.push(await client.submit(flow, { 'traits.email': email }));
      }
      for (const [index, flow] of [first, second].entries()) {
        expect(answers[index]?.status).toBe(303);
        expect(answers[index]?.headers.get('location')).toBe(`${flow.path}/done`);
        const done = await client.send('GET', `${flow.path}/done`);
        expect(done.text).toContain('Your account is ready');
        expect((await client.submit(flow, { 'traits.email': email })).status).toBe(410);
      }
    });

    it('a program gets the same answer too; the application is told by an event', async () => {
      const email = address();
      const heard = await HeardEvents.of(stack);
      try {
        const made = await signUp(client, { 'traits.email': email });
        const repeated = await signUp(client, { 'traits.email': email });
        for (const { status, body } of [made, repeated]) {
          expect([status, Object.keys(body)]).toEqual([202, ['flow_id']]);
        }
        const flow = await look(made.body.flow_id);
        expect(await look(repeated.body.flow_id)).toMatchObject({
          state: 'completed',
          identity_id: null,
        });
        const [event] = await stack.database.query<{ id: string; data: Json }>(
          `SELECT id, data FROM forms.events
           WHERE type = 'identity.sign_up_repeated' AND data ->> 'identity_id' = $1`,
          [flow.identity_id],
        );
        expect(event?.data).toMatchObject({
          identity_id: flow.identity_id,
          flow_id: repeated.body.flow_id,
        });
        const repeats = () =>
          heard.events.filter(({ type }) => type === IdentityEvents.signUpRepeated);
        await eventually(() => expect(repeats()).toHaveLength(1));
        expect(repeats()[0]).toMatchObject({ event_id: event?.id, ...event?.data });
        checkPayload(IdentityEvents.signUpRepeated, 'event', repeats()[0]);
      } finally {
        heard.close();
      }
    });

    it('other faults are told as always', async () => {
      const { status } = await signUp(client, { 'traits.email': 'no' });
      expect(status).toBe(422);
    });
  });
});

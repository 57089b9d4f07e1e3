import { eventually } from '@gatehouse/testing';
import { type FormsClient, JSON_ACCEPT } from './forms-client.js';
import { MemberFlows, SIGN_UP } from './member-flows.js';

describe('who may submit a flow, and how often', () => {
  let members: MemberFlows;
  let forms: FormsClient;
  let replica: FormsClient;

  beforeAll(async () => {
    members = await MemberFlows.start();
    ({ forms, replica } = members);
  });

  afterAll(() => members.stack.close());

  const address = () => members.address();
  const count = () => members.count();

  describe('403 for a submission that another site may have sent', () => {
    const refused = async (headers: Record<string, string>, token?: string) => {
      const flow = await forms.openNew(SIGN_UP);
      const before = await count();
      const answer = await forms.submit(
        token === undefined ? flow : { ...flow, token },
        { 'traits.email': address() },
        headers,
      );
      expect(answer.status).toBe(403);
      expect(await count()).toBe(before);
      expect((await forms.submit(flow, { 'traits.email': address() })).status).toBe(303);
    };

    it('from a foreign origin', () => refused({ origin: 'https://evil.example' }));
    it('from an opaque origin', () => refused({ origin: 'null' }));
    it('with Sec-Fetch-Site: cross-site', () => refused({ 'sec-fetch-site': 'cross-site' }));
    it('with Sec-Fetch-Site: same-site', () => refused({ 'sec-fetch-site': 'same-site' }));
    it('without the cookie', () => refused({ cookie: '' }));
    it('with another cookie', () => refused({ cookie: `gatehouse_flow=${'a'.repeat(43)}` }));
    it('with a wrong token', () => refused({}, 'x'.repeat(43)));
    it('with an empty token', () => refused({}, ''));

    it('without a token, or with the cookie and token of another flow', async () => {
      const [flow, other] = [await forms.openNew(SIGN_UP), await forms.openNew(SIGN_UP)];
      const bare = await forms.send('POST', flow.path, {
        headers: { cookie: flow.cookie },
        body: new URLSearchParams({ 'traits.email': address() }),
      });
      expect(bare.status).toBe(403);
      const swapped = { ...flow, cookie: other.cookie, token: other.token };
      expect((await forms.submit(swapped, { 'traits.email': address() })).status).toBe(403);
    });

    it('answers browsers with a page and programs with a problem', async () => {
      const flow = await forms.openNew(SIGN_UP);
      const evil = { origin: 'https://evil.example' };
      const page = await forms.submit(flow, {}, evil);
      expect(page.text).toContain('We could not check that this form came from you');
      const problem = await forms.submit(flow, {}, { ...evil, ...JSON_ACCEPT });
      expect(problem.body).toMatchObject({ status: 403, code: 'CSRF' });
    });
  });

  it('403 in a second browser, for a flow that is bound to the first', async () => {
    const path = await forms.startFlow({ ...SIGN_UP, same_browser: true });
    const answers = await Promise.all(
      [forms, replica, forms, replica].map((client) => client.send('GET', path)),
    );
    const first = answers.find(({ status }) => status === 200);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);
    const other = answers.find(({ status }) => status === 403);
    expect(other?.text).toContain('opened in another browser');
    const cookie = first?.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const again = await replica.open(path, { cookie });
    expect(again.token).not.toBe('');
    const foreign = other?.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const stolen = await forms.submit({ ...again, cookie: foreign }, {});
    expect(stolen.status).toBe(403);
    expect((await forms.submit(again, { 'traits.email': address() })).status).toBe(303);
  });

  it('404 for an unknown flow, an unknown schema, and a schema that is not public', async () => {
    for (const path of [
      '/flows/x',
      `/flows/${'a'.repeat(43)}`,
      '/sign-up?schema=unknown',
      '/sign-up',
    ]) {
      const page = await forms.send('GET', path);
      expect(page.status).toBe(404);
      expect(page.text).toContain('Page not found');
    }
    expect((await forms.send('GET', '/sign-up?schema=closed')).status).toBe(404);
    const flow = await forms.openNew(SIGN_UP);
    expect((await forms.send('GET', `${flow.path}/done`)).status).toBe(404);
    const missing = await forms.admin('POST', '/v1/flows', {
      kind: 'sign-up',
      schema_id: 'unknown',
    });
    expect(missing.status).toBe(404);
  });

  describe('410', () => {
    it('after it has expired, even between opening and submitting', async () => {
      const path = await forms.startFlow({ ...SIGN_UP, ttl: '3s' });
      const open = await forms.open(path);
      await eventually(async () => {
        expect((await forms.send('GET', path)).status).toBe(410);
      });
      const late = await forms.submit(open, { 'traits.email': address() });
      expect(late.status).toBe(410);
      expect(late.text).toContain('This page has expired');
    });

    it('after it was used, with a separate message', async () => {
      const flow = await forms.openNew(SIGN_UP);
      await forms.submit(flow, { 'traits.email': address() });
      const again = await forms.submit(flow, { 'traits.email': address() });
      expect(again.status).toBe(410);
      expect(again.text).toContain('already sent');
      const json = await forms.send('GET', flow.path, { headers: JSON_ACCEPT });
      expect(json.body).toMatchObject({ status: 410, code: 'FLOW_USED' });
    });

    it('for all but one of ten submissions at once over two replicas', async () => {
      for (let round = 0; round < 5; round += 1) {
        const flow = await forms.openNew(SIGN_UP);
        const before = (await count()) as number;
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            (index % 2 ? forms : replica).submit(
              flow,
              { 'traits.email': address() },
              { origin: index % 2 ? forms.url : replica.url },
            ),
          ),
        );
        const statuses = answers.map(({ status }) => status).sort();
        expect(statuses).toEqual([303, ...Array.from({ length: 9 }, () => 410)]);
        expect(await count()).toBe(before + 1);
      }
    });
  });
});

// A sign-up that a visitor starts without an administrator: /sign-up.
import { type FormsClient, JSON_ACCEPT } from './forms-client.js';
import { MemberFlows } from './member-flows.js';

const QUERY = '?schema=member&return_to=https://app.example.com/welcome';

describe('a public sign-up', () => {
  let members: MemberFlows;
  let forms: FormsClient;
  let replica: FormsClient;

  beforeAll(async () => {
    members = await MemberFlows.start();
    ({ forms, replica } = members);
  });

  afterAll(() => members.stack.close());

  const start = async (query = QUERY) => {
    const { headers } = await forms.send('GET', `/sign-up${query}`);
    const path = headers.get('location') as string;
    members.stack.secrets.add(path.slice('/flows/'.length));
    return path;
  };
  const stored = async () => {
    const [row] = await members.stack.database.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM forms.flows',
    );
    return row?.n;
  };

  it('stores nothing before the first submission that succeeds', async () => {
    const before = await stored();
    const open = await forms.open(await start());
    await forms.submit(open, { _action: 'add:traits.tags' });
    expect((await forms.submit(open, { 'traits.email': 'no' })).status).toBe(422);
    expect(await stored()).toBe(before);
    expect((await forms.submit(open, { 'traits.email': members.address() })).status).toBe(303);
    expect(await stored()).toBe((before ?? 0) + 1);
  });

  it('opens and ends on any replica, and leads to its identity', async () => {
    const path = await start();
    const open = await replica.open(path);
    const email = members.address();
    const away = await replica.submit(open, { 'traits.email': email });
    const to = new URL(away.headers.get('location') as string);
    expect(to.origin + to.pathname).toBe('https://app.example.com/welcome');
    const { body } = await forms.admin('GET', `/v1/flows/${to.searchParams.get('flow')}`);
    expect(body).toMatchObject({ kind: 'sign-up', state: 'completed', schema_id: 'member' });
    const identity = await forms.admin('GET', `/v1/identities/${body.identity_id}`);
    expect(identity.body.traits).toMatchObject({ email });
    expect((await forms.send('GET', path)).status).toBe(410);
    expect((await forms.send('GET', `${path}/done`)).text).toContain('Your account is ready');
  });

  it('is used once, by ten submissions at once over two replicas', async () => {
    const open = await forms.open(await start());
    const before = (await members.count()) as number;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => {
        const client = index % 2 ? forms : replica;
        const fields = { 'traits.email': members.address() };
        return client.submit(open, fields, { ...JSON_ACCEPT, origin: client.url });
      }),
    );
    const codes = answers.map(({ status, body }) => (status === 201 ? 201 : body.code)).sort();
    expect(codes).toEqual([201, ...Array.from({ length: 9 }, () => 'FLOW_USED')]);
    expect(await members.count()).toBe(before + 1);
  });

  it('is used once, however its address is spelt', async () => {
    const path = await start();
    const open = await forms.open(path);
    await forms.submit(open, { 'traits.email': members.address() });
    const last = path.at(-1) as string;
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (const letter of letters) {
      const other = { ...open, path: path.slice(0, -1) + letter };
      const { status } = await forms.submit(other, { 'traits.email': members.address() });
      expect([letter === last, status]).toEqual([letter === last, expect.any(Number)]);
      expect([404, 410]).toContain(status);
    }
  });

  it('stays used after its identity was deleted', async () => {
    const open = await forms.open(await start());
    const made = await forms.submit(open, { 'traits.email': members.address() }, JSON_ACCEPT);
    await forms.admin('DELETE', `/v1/identities/${made.body.id}`);
    const again = await forms.submit(open, { 'traits.email': members.address() }, JSON_ACCEPT);
    expect(again.body).toMatchObject({ status: 410, code: 'FLOW_USED' });
  });

  it('404 for an address that was changed, and 410 for one that has expired', async () => {
    const path = await start();
    const middle = path.length - 20;
    const changed = path.slice(0, middle) + (path[middle] === 'A' ? 'B' : 'A');
    expect((await forms.send('GET', changed + path.slice(middle + 1))).status).toBe(404);
    const quick = await members.stack.start({ FLOW_TTL: '60' });
    const { headers } = await quick.client.send('GET', '/sign-up?schema=member');
    const short = headers.get('location') as string;
    members.stack.secrets.add(short.slice('/flows/'.length));
    const cookie = (await quick.client.send('GET', short)).headers.getSetCookie()[0];
    expect(Number(/Max-Age=(\d+)/.exec(cookie ?? '')?.[1])).toBeLessThanOrEqual(60);
  });

  it('403 without the cookie of its page', async () => {
    const open = await forms.open(await start());
    const other = await forms.open(await start());
    for (const wrong of [{ cookie: '' }, { token: other.token }]) {
      const { status } = await forms.submit({ ...open, ...wrong }, {});
      expect(status).toBe(403);
    }
  });
});

// Flow results, as the application that started the flow reads them.
import { type FormsClient, JSON_ACCEPT } from './forms-client.js';
import { MemberFlows, SIGN_UP } from './member-flows.js';
import { eventually } from '@gatehouse/testing';

const RETURN_TO = 'https://app.example.com/welcome?flow=forged#top';

describe('the result of a flow', () => {
  let members: MemberFlows;
  let forms: FormsClient;
  let replica: FormsClient;

  beforeAll(async () => {
    members = await MemberFlows.start();
    ({ forms, replica } = members);
  });

  afterAll(() => members.stack.close());

  const start = async (request: object) => {
    const { body } = await forms.admin('POST', '/v1/flows', request);
    const path = new URL(body.url as string).pathname;
    return { id: body.id as string, open: await forms.open(path) };
  };
  const look = async (id: string) => (await replica.admin('GET', `/v1/flows/${id}`)).body;
  const eventsOf = (identityId: string) =>
    members.stack.database.query<{ payload: { type: string; flow_id?: string } }>(
      `SELECT data::jsonb || jsonb_build_object('type', type) AS payload FROM forms.events
       WHERE data ->> 'identity_id' = $1 ORDER BY sequence`,
      [identityId],
    );

  it('leads from return_to to the identity, on any replica', async () => {
    const email = members.address();
    const { id, open } = await start({ ...SIGN_UP, return_to: RETURN_TO });
    expect(await look(id)).toMatchObject({
      id,
      kind: 'sign-up',
      state: 'open',
      schema_id: 'member',
      schema_version: 1,
      identity_id: null,
      completed_at: null,
    });
    const away = await forms.submit(open, { 'traits.email': email });
    const to = new URL(away.headers.get('location') as string);
    expect(to.searchParams.getAll('flow')).toEqual([id]);
    expect(to.hash).toBe('#top');
    const flow = await look(id);
    expect(flow).toMatchObject({ state: 'completed' });
    expect(Date.parse(flow.completed_at as string)).toBeLessThan(Date.now() + 5000);
    const { body } = await forms.admin('GET', `/v1/identities/${flow.identity_id}`);
    expect(body.traits).toMatchObject({ email });
  });

  it('is in the events of the identity; changes by administrators name no flow', async () => {
    const { id, open } = await start(SIGN_UP);
    const email = members.address();
    const made = await forms.submit(open, { 'traits.email': email }, JSON_ACCEPT);
    const identity = made.body.id as string;
    await forms.admin('PATCH', `/v1/identities/${identity}`, { traits: { nickname: 'a' } });
    const profile = await start({ kind: 'profile', identity_id: identity });
    await forms.submit(profile.open, { 'traits.email': email });
    expect((await eventsOf(identity)).map(({ payload }) => payload.flow_id)).toEqual([
      id,
      undefined,
      profile.id,
    ]);
    expect(await look(profile.id)).toMatchObject({ state: 'completed', identity_id: identity });
  });

  it('stays when the identity is deleted', async () => {
    const { id, open } = await start(SIGN_UP);
    const made = await forms.submit(open, { 'traits.email': members.address() }, JSON_ACCEPT);
    await forms.admin('DELETE', `/v1/identities/${made.body.id}`);
    expect(await look(id)).toMatchObject({ state: 'completed', identity_id: made.body.id });
  });

  it('is "expired" for a flow that was not used in time', async () => {
    const { id } = await start({ ...SIGN_UP, ttl: '1s' });
    await eventually(async () => {
      expect(await look(id)).toMatchObject({ state: 'expired', identity_id: null });
    });
  });

  it('401 for everybody else, 404 for what is not the name of a flow', async () => {
    const { id, open } = await start(SIGN_UP);
    expect((await forms.send('GET', `/v1/flows/${id}`)).status).toBe(401);
    const secret = open.path.slice('/flows/'.length);
    for (const other of [secret, 'x', '00000000-0000-7000-8000-000000000000']) {
      expect((await forms.admin('GET', `/v1/flows/${other}`)).status).toBe(404);
    }
  });
});

// A flow that changes after it was found open and before it is used.
import { eventually } from '@gatehouse/testing';
import { type FormsClient, JSON_ACCEPT, schemaOf } from './forms-client.js';
import { MemberFlows, SIGN_UP } from './member-flows.js';
import { MEMBER } from './traits.js';

describe('a flow that changes while it is submitted', () => {
  let members: MemberFlows;
  let forms: FormsClient;

  beforeAll(async () => {
    members = await MemberFlows.start();
    ({ forms } = members);
  });

  afterAll(() => members.stack.close());

  const query = (sql: string, values?: unknown[]) => members.stack.database.query(sql, values);

  /** Runs `interleaved` in a transaction that locks rows, while a submission waits for them. */
  const whileHeld = async <T>(
    hold: () => Promise<unknown>,
    submit: () => Promise<T>,
    interleaved: () => Promise<unknown>,
  ): Promise<T> => {
    await query('BEGIN');
    try {
      await hold();
      const submitted = submit();
      await eventually(async () => {
        const waiting = await query(
          `SELECT 1 FROM pg_locks
            WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))`,
        );
        expect(waiting).toHaveLength(1);
      });
      await interleaved();
      await query('COMMIT');
      return await submitted;
    } catch (error) {
      await query('ROLLBACK');
      throw error;
    }
  };

  const profile = async () => {
    const email = members.address();
    const made = await forms.submit(
      await forms.openNew(SIGN_UP),
      { 'traits.email': email },
      JSON_ACCEPT,
    );
    const id = made.body.id as string;
    const flow = await forms.openNew({ kind: 'profile', identity_id: id });
    return { id, email, flow };
  };

  it('answers that it has expired, not that it was submitted', async () => {
    const flow = await forms.openNew(SIGN_UP);
    const before = await members.count();
    const expire = () =>
      query(
        "UPDATE forms.flows SET expires_at = now() - interval '1 second' WHERE used_at IS NULL",
      );
    const answer = await whileHeld(
      expire,
      () => forms.submit(flow, { 'traits.email': members.address() }, JSON_ACCEPT),
      () => Promise.resolve(),
    );
    expect(answer.body).toMatchObject({ status: 410, code: 'FLOW_EXPIRED' });
    expect(await members.count()).toBe(before);
  });

  it('does not hold its row while it waits for an identity that is being deleted', async () => {
    const { id, email, flow } = await profile();
    const answer = await whileHeld(
      () => query('SELECT id FROM forms.identities WHERE id = $1 FOR UPDATE', [id]),
      () => forms.submit(flow, { 'traits.email': email }),
      async () => {
        await query('SELECT 1 FROM forms.flows WHERE identity_id = $1 FOR UPDATE NOWAIT', [id]);
        await query('DELETE FROM forms.identities WHERE id = $1', [id]);
      },
    );
    expect(answer.status).toBe(404);
  });

  it('is decoded again if the profile has changed since it was read', async () => {
    const { id, email, flow } = await profile();
    const answer = await whileHeld(
      () => query('SELECT id FROM forms.identities WHERE id = $1 FOR UPDATE', [id]),
      () => forms.submit(flow, { 'traits.email': email, 'traits.nickname': 'ada' }, JSON_ACCEPT),
      () =>
        query(
          `UPDATE forms.identities SET updated_at = updated_at + interval '1 millisecond',
                  traits = traits || '{"credit": 7, "nickname": "bob"}' WHERE id = $1`,
          [id],
        ),
    );
    expect(answer.status).toBe(200);
    expect(answer.body.traits).toMatchObject({ email, nickname: 'ada', credit: 7 });
  });

  it('has expired if the profile has been moved to another schema version', async () => {
    const { id, email, flow } = await profile();
    const put = await forms.admin('PUT', '/v1/schemas/member', {
      schema: schemaOf({ ...MEMBER, title: 'Another version' }),
    });
    const answer = await whileHeld(
      () => query('SELECT id FROM forms.identities WHERE id = $1 FOR UPDATE', [id]),
      () => forms.submit(flow, { 'traits.email': email }, JSON_ACCEPT),
      () =>
        query(
          `UPDATE forms.identities SET updated_at = updated_at + interval '1 millisecond',
                  schema_version = $2 WHERE id = $1`,
          [id, put.body.version],
        ),
    );
    expect(answer.body).toMatchObject({ status: 410, code: 'FLOW_EXPIRED' });
  });

  it('was submitted already when the change came from a submission of the same flow', async () => {
    const { email, flow } = await profile();
    const answers = await Promise.all(
      ['ada', 'bob', 'eve'].map((nickname) =>
        forms.submit(flow, { 'traits.email': email, 'traits.nickname': nickname }, JSON_ACCEPT),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
    const codes = answers.filter(({ status }) => status === 410).map(({ body }) => body.code);
    expect(codes).toEqual(['FLOW_USED', 'FLOW_USED']);
  });

  it('writes nothing when its values are refused', async () => {
    const { id, flow } = await profile();
    const signUp = await forms.openNew(SIGN_UP);
    // xmax shows an update or a row lock, also of a transaction that was rolled back.
    const versions = () =>
      query(
        `SELECT id_digest AS id, ctid, xmin, xmax FROM forms.flows WHERE used_at IS NULL
         UNION ALL SELECT uuid_send(id), ctid, xmin, xmax FROM forms.identities WHERE id = $1
          ORDER BY id`,
        [id],
      );
    const before = await versions();
    for (const refused of [signUp, flow]) {
      const { status } = await forms.submit(refused, { 'traits.email': 'no' }, JSON_ACCEPT);
      expect(status).toBe(422);
    }
    expect(await versions()).toEqual(before);
  });

  it('has expired when its identity was moved to another version of the schema', async () => {
    const { id, email, flow } = await profile();
    const properties = { ...MEMBER.properties, phone: { type: 'string' } };
    const schema = schemaOf({ ...MEMBER, properties });
    const put = await forms.admin('PUT', '/v1/schemas/member', { schema });
    const moved = { traits: { phone: '1' }, schema_version: put.body.version };
    expect((await forms.admin('PATCH', `/v1/identities/${id}`, moved)).status).toBe(200);
    expect((await forms.send('GET', flow.path, { headers: JSON_ACCEPT })).status).toBe(410);
    const { status, body } = await forms.submit(flow, { 'traits.email': email }, JSON_ACCEPT);
    expect({ status, code: body.code }).toEqual({ status: 410, code: 'FLOW_EXPIRED' });
    const { body: kept } = await forms.admin('GET', `/v1/identities/${id}`);
    expect(kept).toMatchObject({ schema_version: put.body.version, traits: { phone: '1' } });
  });
});

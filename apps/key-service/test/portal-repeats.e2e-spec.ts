/** Forms of the portal that arrive twice, late or altered: reloaded pages, double clicks, lost answers. */
import { eventually } from '@gatehouse/testing';
import { ADMIN_KEY, type KeyServiceStack, startKeyService } from './key-stack.js';
import { type Browser, portalOf, PUBLIC } from './portal-browser.js';

let service: KeyServiceStack;

beforeAll(async () => {
  service = await startKeyService({ ADMIN_API_KEYS: ADMIN_KEY, EXTERNAL_URL: PUBLIC }, 2);
});
afterAll(() => service.close());

const portal = portalOf(() => service);
const { admin, browserOf, openSession, issue, make, secretOf, verify } = portal;

const idOf = async (secret: string | undefined) => (await verify(secret ?? '')).key_id as string;
const keysOf = async (actor: string) => {
  const filter = encodeURIComponent(`actor_id="${actor}"`);
  const { body } = await admin('GET', `/issuedApiKeys?filter=${filter}`);
  return body.issued_api_keys as { key_id: string; scopes: string[]; status: string }[];
};
/** The hidden fields of the first form of a page. */
async function fieldsOf(browser: Browser, path: string) {
  const { text } = await browser.send('GET', path);
  const valueOf = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1];
  return { csrf_token: valueOf('csrf_token') ?? '', nonce: valueOf('nonce') ?? '' };
}

describe('a form that is sent again', () => {
  it.each([
    ['at once', '0', 2],
    ['with the last key that is allowed', '86400', 2],
  ])('replaces a key once, %s, and says so', async (_, grace, max_keys) => {
    const session = await openSession({ actor_id: `twice-${grace}`, max_keys });
    const page = `/portal/keys/${await issue({ actor_id: `twice-${grace}` })}`;
    const form = { ...(await fieldsOf(session, page)), grace };
    const answers = await Promise.all(
      [0, 1, 0, 1].map((replica) =>
        browserOf(session.cookie, replica).send('POST', `${page}/rotate`, form),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const secrets = answers.map(secretOf).filter((secret) => secret !== undefined);
    expect(secrets).toHaveLength(1);
    const again = await session.send('POST', `${page}/rotate`, form);
    expect([again.status, secretOf(again)]).toEqual([200, undefined]);
    // The way out for a user whose answer was lost.
    const next = `/portal/keys/${await idOf(secrets[0])}`;
    expect(again.text).toContain(`href="${next}"`);
    expect(await keysOf(`twice-${grace}`)).toHaveLength(2);
    expect(secretOf(await session.submit(next, `${next}/rotate`, { grace: '0' }))).toBeDefined();
    // Another form of the same page is another request.
    const late = { ...form, nonce: 'n'.repeat(43) };
    expect((await session.send('POST', `${page}/rotate`, late)).status).toBe(409);
    expect((await session.send('POST', `${next}/rotate`, form)).status).toBe(409);
    expect((await session.send('POST', `${page}/rotate`, { ...form, nonce: '' })).status).toBe(400);
    // So is the other choice: the answer to the first says nothing about when the key stops.
    const other = { ...form, grace: grace === '0' ? '86400' : '0' };
    expect((await session.send('POST', `${page}/rotate`, other)).status).toBe(409);
  });

  it('revokes a key once, and shows it', async () => {
    const session = await openSession({ actor_id: 'revoker' });
    const page = `/portal/keys/${await issue({ actor_id: 'revoker' })}`;
    const form = await fieldsOf(session, page);
    const answers = await Promise.all(
      [0, 1, 0].map((replica) =>
        browserOf(session.cookie, replica).send('POST', `${page}/revoke`, form),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect((await session.send('GET', page)).text).toContain('revoked');
    const { body } = await admin('GET', '/events?page_size=1000');
    const events = body.events as { event: string; data: { key_id: string } }[];
    const own = events.filter(({ data }) => page.endsWith(data.key_id));
    expect(own.map(({ event }) => event)).toEqual(['key.issued', 'key.revoked']);
  });

  it('gives a key each scope once, however its position is written', async () => {
    const session = await openSession({ actor_id: 'scopes', scopes: ['a', 'b'] });
    const form = new URLSearchParams({ ...(await fieldsOf(session, '/portal/keys/new')) });
    form.set('name', 'Robot');
    for (const scope of ['0', '00', '000', '1', '0']) form.append('scope', scope);
    const made = await session.send('POST', '/portal/keys', form);
    expect([made.status, (await keysOf('scopes'))[0]?.scopes]).toEqual([200, ['a', 'b']]);
  });
});

describe('a form whose transaction waits', () => {
  /** Runs `meanwhile` while `send` waits for the row of a key, and returns the answer of `send`. */
  async function inTheMiddle<T>(page: string, send: () => Promise<T>, meanwhile: () => unknown) {
    const query = (text: string, values?: unknown[]) => service.database.query(text, values);
    await query('BEGIN');
    const id = page.split('/').at(-1);
    await query('SELECT FROM keys.api_keys WHERE key_id = $1 FOR UPDATE', [id]);
    const sent = send();
    await eventually(async () => {
      const text = `SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
      expect(await query(text)).not.toHaveLength(0);
    });
    await meanwhile();
    await query('COMMIT');
    return sent;
  }

  it('replaces nothing if the session is revoked meanwhile', async () => {
    const session = await openSession({ actor_id: 'late' });
    const page = `/portal/keys/${await issue({ actor_id: 'late' })}`;
    const form = { ...(await fieldsOf(session, page)), grace: '0' };
    const answer = await inTheMiddle(
      page,
      () => browserOf(session.cookie, 1).send('POST', `${page}/rotate`, form),
      () => admin('POST', `/portalSessions/${session.id}:revoke`),
    );
    expect(answer.status).toBe(410);
    expect(await keysOf('late')).toMatchObject([{ status: 'KEY_STATUS_ACTIVE' }]);
  });

  it('replaces the key with the same form if the process was killed before', async () => {
    const session = await openSession({ actor_id: 'killed' });
    const page = `/portal/keys/${await issue({ actor_id: 'killed' })}`;
    const form = { ...(await fieldsOf(session, page)), grace: '0' };
    const doomed = await service.start();
    const replica = service.replicas.indexOf(doomed);
    const answer = await inTheMiddle(
      page,
      () =>
        browserOf(session.cookie, replica)
          .send('POST', `${page}/rotate`, form)
          .catch(() => 'lost'),
      () => doomed.kill(),
    );
    expect(answer).toBe('lost');
    expect(secretOf(await session.send('POST', `${page}/rotate`, form))).toBeDefined();
    expect(await keysOf('killed')).toHaveLength(2);
  });
});

it('the sessions of an actor make max_keys + 100 keys in 24 hours, revoked and replaced ones included', async () => {
  const actor_id = 'busy';
  const session = await openSession({ actor_id, max_keys: 2 });
  const id = await idOf(secretOf(await make(session)));
  const page = `/portal/keys/${id}`;
  const copy = `INSERT INTO keys.api_keys SELECT (jsonb_populate_record(k, jsonb_build_object(
    'key_id', gen_random_uuid(), 'revoke_time', now(), 'request_id', $3 || gen_random_uuid()))).*
    FROM keys.api_keys k, generate_series(1, $2::integer) WHERE key_id = $1`;
  // Keys that the application created do not count.
  await service.database.query(copy, [id, 200, 'application:']);
  await service.database.query(copy, [id, 99, 'portal:']);
  const last = await idOf(secretOf(await make(session)));
  const other = await openSession({ actor_id, max_keys: 2 });
  await session.submit(`/portal/keys/${last}`, `/portal/keys/${last}/revoke`);
  expect((await session.submit(page, `${page}/rotate`, { grace: '0' })).status).toBe(200);
  expect((await make(other)).status).toBe(409);
  await service.database.query(
    "UPDATE keys.api_keys SET create_time = create_time - interval '25 h' WHERE actor_id = 'busy'",
  );
  expect((await make(other)).status).toBe(200);
});

it('no log has an address, however it is mistyped, nor a cookie', async () => {
  const session = await openSession({ actor_id: 'logged' });
  const answers = await Promise.all(
    ['/', '/x', '%', '%zz', '?a=%', 'x'].map((more) => session.send('GET', session.path + more)),
  );
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 400, 400, 303, 404]);
  const logs = service.replicas.map((replica) => replica.logs()).join('');
  expect(logs).toContain('INVALID_ARGUMENT');
  expect(logs).not.toContain(session.path.slice('/portal/'.length));
  expect(logs).not.toContain(session.cookie.slice(session.cookie.indexOf('=') + 1));
});

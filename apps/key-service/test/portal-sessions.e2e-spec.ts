/** Portal sessions, as applications create, list and revoke them, and who gets in. */
import { type Answer } from '@gatehouse/testing';
import {
  ADMIN_KEY,
  bearer,
  type KeyServiceStack,
  namedFields,
  reasonOf,
  startKeyService,
} from './key-stack.js';
import { portalBrowser } from './portal-browser.js';

const PUBLIC = 'https://keys.example.com';
const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

let service: KeyServiceStack;

beforeAll(async () => {
  service = await startKeyService({ ADMIN_API_KEYS: ADMIN_KEY, EXTERNAL_URL: PUBLIC });
});
afterAll(() => service.close());

const admin = (method: string, path: string, body?: unknown) =>
  service.admin(method, path, body, { headers: bearer(ADMIN_KEY) });
const browserOf = (cookie = '') => portalBrowser(service, cookie);
const cookieOf = ({ headers }: Answer) => headers.get('set-cookie')?.split(';')[0] ?? '';
const fault = (answer: Answer) => [answer.status, reasonOf(answer)];

async function createSession(fields: object = {}) {
  const answer = await admin('POST', '/portalSessions', { actor_id: 'user_1', ...fields });
  expect(answer.status).toBe(201);
  const url = answer.body.url as string;
  expect(url.startsWith(`${PUBLIC}/portal/`)).toBe(true);
  return { id: answer.body.portal_session.session_id as string, path: url.slice(PUBLIC.length) };
}

describe('portal sessions', () => {
  it('are listed by actor in pages, and neither list nor table has the address', async () => {
    const made = [await createSession({ actor_id: 'listed' })];
    made.push(await createSession({ actor_id: 'listed' }));
    const first = (await admin('GET', '/portalSessions?actor_id=listed&page_size=1')).body;
    expect(first.portal_sessions[0].session_id).toBe(made[1]?.id);
    const more = `&page_token=${encodeURIComponent(first.next_page_token as string)}`;
    const second = await admin('GET', `/portalSessions?actor_id=listed&page_size=1${more}`);
    expect(second.body.portal_sessions[0].session_id).toBe(made[0]?.id);
    expect(second.body.next_page_token).toBe('');
    const rows = await service.database.query('SELECT p::text FROM keys.portal_sessions p');
    const secret = (made[0]?.path ?? '').slice('/portal/'.length);
    expect(JSON.stringify([rows, first, second.body])).not.toContain(secret);
    expect(fault(await admin('GET', `/portalSessions/${UNKNOWN_ID}`))).toEqual([
      404,
      'PORTAL_SESSION_NOT_FOUND',
    ]);
    expect((await admin('POST', '/portalSessions/x:revoke')).status).toBe(404);
  });

  it('20 of an actor can work at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => admin('POST', '/portalSessions', { actor_id: 'many' })),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(fault)).toEqual(Array(5).fill([409, 'PORTAL_SESSIONS_LIMIT_REACHED']));
  });

  it('allow everything when allow is null, as when it is left out', async () => {
    const session = async (more: object) => {
      const { body } = await admin('POST', '/portalSessions', { actor_id: 'nothing', ...more });
      return body.portal_session.allow as string[];
    };
    expect(await session({ allow: null })).toEqual(await session({}));
    expect(await session({ allow: [] })).toEqual([]);
  });

  it.each([
    [{ actor_id: '' }, 'actor_id'],
    [{ actor_id: 'a', ttl: '1m' }, 'ttl'],
    [{ actor_id: 'a', ttl: '25h' }, 'ttl'],
    [{ actor_id: 'a', allow: ['delete'] }, 'allow'],
    [{ actor_id: 'a', scopes: ['x', 'keys:admin'] }, 'scopes[1]'],
    [{ actor_id: 'a', prefix: 'other' }, 'prefix'],
    [{ actor_id: 'a', max_keys: 0 }, 'max_keys'],
    [{ actor_id: 'a', key_ttl: '0s' }, 'key_ttl'],
    [{ actor_id: 'a', key_ttl: '' }, 'key_ttl'],
    [
      { actor_id: 'a', rate_limits: [{ name: 'x', quota: '0', window: '1m' }] },
      'rate_limits[0].quota',
    ],
    [{ actor_id: 'a', return_url: 'javascript:alert(1)' }, 'return_url'],
    [{ actor_id: 'a', return_url: 'http://app.example.com' }, 'return_url'],
    [{ actor_id: 'a', language: 'xx' }, 'language'],
    [{ actor_id: 'a', language: '' }, 'language'],
    [{ actor_id: 'a', color: 'x' }, 'color'],
  ])('400 for %j', async (body, field) => {
    const answer = await admin('POST', '/portalSessions', body);
    expect([answer.status, namedFields(answer)]).toEqual([400, [field]]);
  });

  it('opens again if the answer was lost, for two minutes, until its cookie comes back', async () => {
    const { id, path } = await createSession({ actor_id: 'unlucky' });
    const open = (from = browserOf()) => from.send('POST', path, {});
    const lost = browserOf(cookieOf(await open()));
    const kept = browserOf(cookieOf(await open()));
    expect((await lost.send('GET', '/portal/keys')).status).toBe(410);
    // The button again, in the browser that has the session.
    expect((await open(kept)).headers.get('set-cookie')).toBeNull();
    expect((await kept.send('GET', '/portal/keys')).status).toBe(200);
    expect((await open()).status).toBe(410);
    const { body } = await admin('GET', '/auditEvents?page_size=200');
    const events = body.audit_events as { caller: string; type: string }[];
    const own = events.filter(({ caller }) => caller === `portal:${id}`);
    const types = ['portal_session.reopened', 'portal_session.opened'];
    expect(own.map(({ type }) => type)).toEqual(types);

    const late = await createSession({ actor_id: 'unlucky' });
    await browserOf().send('POST', late.path, {});
    await service.database.query(
      `UPDATE keys.portal_sessions SET reopen_expire_time = now() WHERE session_id = $1`,
      [late.id],
    );
    expect((await browserOf().send('POST', late.path, {})).status).toBe(410);
    const revoked = await createSession({ actor_id: 'unlucky' });
    await browserOf().send('POST', revoked.path, {});
    for (const sessionId of [id, revoked.id]) {
      await admin('POST', `/portalSessions/${sessionId}:revoke`);
    }
    expect((await browserOf().send('POST', revoked.path, {})).status).toBe(410);
    expect((await kept.send('GET', '/portal/keys')).status).toBe(410);
  });

  it('need keys:admin, and EXTERNAL_URL', async () => {
    const { body } = await admin('POST', '/issuedApiKeys', {
      name: 'Issuer',
      actor_id: 'app',
      scopes: ['keys:issue'],
    });
    const headers = bearer(body.secret as string);
    const send = () => service.admin('POST', '/portalSessions', { actor_id: 'a' }, { headers });
    expect((await send()).status).toBe(403);
    const closed = await service.start({ EXTERNAL_URL: '' });
    const answer = await closed.http.send('POST', '/v2alpha1/admin/portalSessions', {
      headers: bearer(ADMIN_KEY),
      json: { actor_id: 'a' },
    });
    expect(fault(answer)).toEqual([409, 'PORTAL_CLOSED']);
  });
});

/** The portal: an address that opens once, and pages on which a user manages the keys of one actor. */
import { type Answer } from '@gatehouse/testing';
import { ADMIN_KEY, type KeyServiceStack, startKeyService } from './key-stack.js';
import { portalOf, PUBLIC } from './portal-browser.js';

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

let service: KeyServiceStack;

beforeAll(async () => {
  const settings = { CLIENT_IP_SOURCE: 'x-real-ip', TRUSTED_PROXIES: '127.0.0.1/32' };
  service = await startKeyService(
    { ADMIN_API_KEYS: ADMIN_KEY, EXTERNAL_URL: PUBLIC, ...settings },
    2,
  );
});
afterAll(() => service.close());

const portal = portalOf(() => service);
const { admin, browserOf, createSession, openSession, issue, make, secretOf, verify } = portal;
const cookieOf = ({ headers }: Answer) => headers.get('set-cookie')?.split(';')[0] ?? '';

describe('opening', () => {
  it('a GET never opens it, and of many POSTs at once one gets in', async () => {
    const { path } = await createSession();
    for (let time = 0; time < 3; time += 1) {
      expect((await browserOf().send('GET', path)).status).toBe(200);
    }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => browserOf('', n % 2).send('POST', path, {})),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(303));
    const cookies = answers.map(cookieOf);
    const entered = await Promise.all(
      cookies.map((cookie, n) => browserOf(cookie, n % 2).send('GET', '/portal/keys')),
    );
    expect(entered.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array<number>(7).fill(410),
    ]);
    expect((await browserOf().send('GET', path)).status).toBe(410);
    expect((await browserOf().send('POST', path, {})).status).toBe(410);
  });

  it('the address leads only the browser that opened it back into the session', async () => {
    const one = await openSession();
    const other = await openSession();
    expect((await one.send('GET', one.path)).status).toBe(303);
    expect((await one.send('POST', one.path, {})).status).toBe(303);
    expect((await other.send('GET', one.path)).status).toBe(410);
  });

  it('403: is not opened in a browser that keeps no cookies, and works once it does', async () => {
    const { path } = await createSession({ language: 'fr' });
    const probe = cookieOf(await browserOf().send('GET', path));
    const browser = { origin: PUBLIC };
    const blocked = await browserOf().send('POST', path, {}, browser);
    expect([blocked.status, blocked.text]).toEqual([
      403,
      expect.stringContaining('Votre navigateur bloque les cookies'),
    ]);
    expect((await browserOf(probe).send('POST', path, {}, browser)).status).toBe(303);
    expect((await browserOf(probe).send('GET', '/portal/keys')).status).toBe(410);
  });

  it('pages are not stored, framed or scripted, and cannot be entered without the cookie', async () => {
    const session = await openSession();
    const { headers, text } = await session.send('GET', '/portal/keys');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(text).not.toContain('<script');
    expect((await browserOf().send('GET', '/portal/keys')).status).toBe(410);
    const invented = `__Host-gatehouse_portal=${'a'.repeat(43)}`;
    expect((await browserOf(invented).send('GET', '/portal/keys')).status).toBe(410);
    expect((await browserOf().send('GET', '/portal/nothing')).status).toBe(404);
  });
});

describe('keys', () => {
  it('a new key has what the application decided, and is shown once', async () => {
    const session = await openSession({
      actor_id: 'maker/ü@x',
      scopes: ['a', 'b'],
      tags: ['portal'],
      key_ttl: '90d',
      rate_limits: [{ name: 'calls', quota: '9', window: '24h', scope: 'actor', strict: true }],
    });
    const form = { name: 'مفتاح 🤖 <b>', scope: '1' };
    const sent = { ...form, ...(await session.hiddenFields('/portal/keys/new')) };
    const made = await session.send('POST', '/portal/keys', sent);
    const secret = secretOf(made) as string;
    expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const found = await verify(secret);
    expect(found).toMatchObject({ is_valid: true, actor_id: 'maker/ü@x', scopes: ['b'] });
    const { body: key } = await admin('GET', `/issuedApiKeys/${found.key_id as string}`);
    expect(key).toMatchObject({ name: 'مفتاح 🤖 <b>', tags: ['portal'] });
    const days = (Date.parse(key.expire_time) - Date.parse(key.create_time)) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    expect(key.rate_limits).toMatchObject([{ name: 'calls', quota: '9', scope: 'actor' }]);

    const again = await session.send('POST', '/portal/keys', sent);
    expect([again.status, secretOf(again)]).toEqual([200, undefined]);
    const list = (await session.send('GET', '/portal/keys')).text;
    expect(list.match(/<h2>/g)).toHaveLength(1);
    expect(list).toContain('مفتاح 🤖 &lt;b&gt;');
    expect(list).toMatch(/calls<\/bdi>: 9 \/ 1 day/);
    expect(list).not.toContain(secret);
    const { body: audit } = await admin('GET', `/auditEvents?page_size=200`);
    const events = audit.audit_events as { caller: string; type: string }[];
    const own = events.filter(({ caller }) => caller === `portal:${session.id}`);
    expect(own.map(({ type }) => type).sort()).toEqual(['key.issued', 'portal_session.opened']);
  });

  it('refuses names and scopes that are not allowed, and forms without the token', async () => {
    const session = await openSession({ actor_id: 'careful', scopes: ['a'] });
    for (const name of ['', '   ', 'x'.repeat(256), 'a\u0000b']) {
      const answer = await make(session, { name });
      expect([answer.status, answer.text.includes('id="name-fault"')]).toEqual([400, true]);
    }
    for (const scope of ['1', 'a', '-1', '']) {
      expect((await make(session, { name: 'x', scope })).status).toBe(400);
    }
    expect((await make(session, { name: 'x', nonce: 'short' })).status).toBe(400);
    const other = await openSession({ actor_id: 'careful' });
    const stolen = await other.hiddenFields('/portal/keys/new');
    for (const csrf_token of ['', stolen.csrf_token]) {
      const form = { name: 'x', nonce: 'n'.repeat(43), csrf_token };
      expect((await session.send('POST', '/portal/keys', form)).status).toBe(403);
    }
    const foreign = { origin: 'https://evil.example' };
    expect((await session.send('POST', '/portal/keys', {}, foreign)).status).toBe(403);
    expect((await session.send('GET', '/portal/keys')).text).not.toContain('<h2>');
  });

  it('max_keys counts the live keys of the actor over all sessions and replicas', async () => {
    const actor_id = 'crowded';
    const one = await openSession({ actor_id, max_keys: 3 });
    const two = await openSession({ actor_id, max_keys: 3 });
    const second = browserOf(two.cookie, 1);
    const browsers = [one, second, one, second, one, second];
    // The page hides its form once the actor has three keys, so each browser reads it before.
    const forms = await Promise.all(browsers.map((each) => each.hiddenFields('/portal/keys/new')));
    const made = await Promise.all(
      browsers.map((each, n) => each.send('POST', '/portal/keys', { ...forms[n], name: 'Robot' })),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409, 409]);
    const { body } = await admin('GET', `/issuedApiKeys?filter=actor_id="${actor_id}"`);
    const [{ key_id: id }] = body.issued_api_keys as [{ key_id: string }];
    const page = `/portal/keys/${id}`;
    // A grace period keeps the old key beside the new one, which one key may have beyond the limit.
    const beyond = await one.submit(page, `${page}/rotate`, { grace: '86400' });
    expect(beyond.status).toBe(200);
    const [, other] = body.issued_api_keys as { key_id: string }[];
    const next = `/portal/keys/${other?.key_id as string}`;
    const late = await one.submit(next, `${next}/rotate`, { grace: '86400' });
    expect([late.status, late.text]).toEqual([
      409,
      expect.stringContaining('You have as many keys as allowed (3).'),
    ]);
    expect(late.text).toContain('href="/portal/keys"');
    expect((await one.submit(next, `${next}/rotate`, { grace: '0' })).status).toBe(200);
  });

  it('max_keys hides the form, and keeps the one that was sent', async () => {
    const session = await openSession({ actor_id: 'full', max_keys: 1 });
    const { csrf_token } = await session.hiddenFields('/portal/keys/new');
    await make(session);
    const text = 'You have as many keys as allowed (1).';
    for (const path of ['/portal/keys', '/portal/keys/new']) {
      const answer = (await session.send('GET', path)).text;
      expect(answer).toContain(text);
      expect(answer).not.toContain('<form');
      expect(answer.includes('href="/portal/keys/new"')).toBe(false);
    }
    const form = { csrf_token, nonce: 'n'.repeat(43), name: 'Second' };
    const late = await session.send('POST', '/portal/keys', form);
    expect([late.status, late.text]).toEqual([409, expect.stringContaining(text)]);
    expect(late.text).toContain('value="Second"');
  });

  it('keys of others, imported, control and unknown keys are the same 404', async () => {
    const session = await openSession({ scopes: ['a'] });
    const imported = await admin('POST', '/importedApiKeys', {
      raw_key: 'imported-key-of-a-user',
      name: 'Imported',
      actor_id: 'user_1',
    });
    const ids = [
      UNKNOWN_ID,
      'x'.repeat(300),
      '%00',
      await issue({ actor_id: 'user_2' }),
      await issue({ scopes: ['keys:admin'] }),
      imported.body.key_id as string,
    ];
    for (const id of ids) {
      const page = `/portal/keys/${id}`;
      const answers = [
        await session.send('GET', page),
        await session.submit('/portal/keys/new', `${page}/rotate`, { grace: '0' }),
        await session.submit('/portal/keys/new', `${page}/revoke`),
      ];
      expect([id, ...answers.map(({ status }) => status)]).toEqual([id, 404, 404, 404]);
    }
    const list = (await session.send('GET', '/portal/keys')).text;
    for (const id of ids) expect(list).not.toContain(id);
  });

  it('pages are full, however many newer keys of the actor have control scopes', async () => {
    const session = await openSession({ actor_id: 'operator' });
    await make(session, { name: 'Older than those' });
    const id = await issue({ actor_id: 'operator', scopes: ['a', 'keys:read'] });
    await service.database.query(
      `INSERT INTO keys.api_keys SELECT (jsonb_populate_record(k,
         jsonb_build_object('key_id', gen_random_uuid()))).*
       FROM keys.api_keys k, generate_series(1, 60) WHERE key_id = $1`,
      [id],
    );
    const list = (await session.send('GET', '/portal/keys')).text;
    expect(list.match(/<h2>/g)).toHaveLength(1);
    expect(list).toContain('Older than those');
    expect(list).not.toContain('page_token');
  });

  it('rotates and revokes, but gives no new secret to scopes that it may not give', async () => {
    const session = await openSession({ actor_id: 'rotor', scopes: ['a'] });
    const secret = secretOf(await make(session, { name: 'Mine', scope: '0' })) as string;
    const page = `/portal/keys/${(await verify(secret)).key_id as string}`;
    const rotated = await session.submit(page, `${page}/rotate`, { grace: '0' });
    const next = secretOf(rotated) as string;
    expect((await verify(next)).is_valid).toBe(true);
    expect((await verify(secret)).is_valid).toBe(false);
    const again = await session.submit('/portal/keys/new', `${page}/rotate`, { grace: '0' });
    expect(again.status).toBe(409);
    const nextPage = `/portal/keys/${(await verify(next)).key_id as string}`;
    expect((await session.submit(nextPage, `${nextPage}/rotate`, { grace: '9' })).status).toBe(400);
    expect((await session.submit(nextPage, `${nextPage}/revoke`)).status).toBe(303);
    expect((await verify(next)).is_valid).toBe(false);

    const wide = `/portal/keys/${await issue({ actor_id: 'rotor', scopes: ['a', 'wide'] })}`;
    expect((await session.send('GET', wide)).text).not.toContain(`${wide}/rotate`);
    const form = { grace: '0', nonce: 'n'.repeat(43) };
    expect((await session.submit(wide, `${wide}/rotate`, form)).status).toBe(403);
  });

  it('asks before a key stops working, and says then how it can be undone', async () => {
    const session = await openSession({ actor_id: 'asked', scopes: ['a'] });
    const secret = secretOf(await make(session, { name: 'Mine', scope: '0' })) as string;
    const page = `/portal/keys/${(await verify(secret)).key_id as string}`;
    const asking = { ask: '1', grace: '0' };
    const questions = [
      await session.submit(page, `${page}/rotate`, asking),
      await session.submit(page, `${page}/revoke`, asking),
    ];
    for (const { status, text } of questions) {
      expect([status, text]).toEqual([200, expect.stringContaining('class="primary warning"')]);
    }
    expect((await verify(secret)).is_valid).toBe(true);
    // The form of the question is the same request as the one that asked.
    const [replace = ''] = questions.map(({ text }) => text);
    const nonce = /name="nonce" value="([^"]+)"/.exec(replace)?.[1] as string;
    const form = { grace: '0', nonce };
    const replaced = await session.submit(page, `${page}/rotate`, form);
    expect(replaced.text).toContain('The key before it has stopped working.');
    expect(secretOf(await session.submit('/portal/keys/new', `${page}/rotate`, form))).toBe(
      undefined,
    );
    expect((await session.send('GET', page)).text).not.toContain('within an hour');
    const next = `/portal/keys/${(await verify(secretOf(replaced) as string)).key_id as string}`;
    expect((await session.submit(next, `${next}/revoke`)).status).toBe(303);
    expect((await session.send('GET', next)).text).toContain('within an hour');
  });

  it('a session may only what it was allowed to', async () => {
    const page = `/portal/keys/${await issue({ actor_id: 'reader' })}`;
    const maker = await openSession({ actor_id: 'reader', allow: ['create'] });
    expect((await maker.send('GET', page)).text).not.toContain('<form');
    const from = '/portal/keys/new';
    expect((await maker.submit(from, `${page}/revoke`)).status).toBe(403);
    expect((await maker.submit(from, `${page}/rotate`, { grace: '0' })).status).toBe(403);
    const revoker = await openSession({ actor_id: 'reader', allow: ['revoke'] });
    expect((await revoker.send('GET', from)).status).toBe(403);
    const form = { name: 'x', nonce: 'n'.repeat(43) };
    expect((await revoker.submit(page, '/portal/keys', form)).status).toBe(403);
    expect((await revoker.submit(page, `${page}/revoke`)).status).toBe(303);
  });

  it('all pages have the language of the session, errors too', async () => {
    const session = await openSession({ language: 'de' });
    for (const path of ['/portal/keys', '/portal/keys/x', '/portal/keys?page_token=x']) {
      expect((await session.send('GET', path)).text).toContain('<html lang="de"');
    }
    expect((await session.send('GET', '/portal/keys/x')).text).toContain(
      'Zurück zu den Schlüsseln',
    );
    expect((await browserOf().send('GET', '/portal/keys')).text).toContain('<html lang="en"');
  });
});

describe('ending', () => {
  it('a revocation ends the session on all replicas, also in the middle of a form', async () => {
    const home = 'https://app.example.com/settings';
    const session = await openSession({ actor_id: 'ended', return_url: home });
    const { csrf_token } = await session.hiddenFields('/portal/keys/new');
    const revoked = await admin('POST', `/portalSessions/${session.id}:revoke`);
    expect([revoked.status, revoked.body.state]).toEqual([200, 'REVOKED']);
    const form = { csrf_token, nonce: 'n'.repeat(43), name: 'Late' };
    expect((await session.send('POST', '/portal/keys', form)).status).toBe(410);
    expect((await browserOf(session.cookie, 1).send('GET', '/portal/keys')).status).toBe(410);
    for (const path of [session.path, '/portal/keys']) {
      const { status, text } = await session.send('GET', path);
      expect([status, text]).toEqual([410, expect.stringContaining(`href="${home}"`)]);
    }
    expect((await admin('POST', `/portalSessions/${session.id}:revoke`)).status).toBe(200);
  });

  it('an expired session is gone, opened or not', async () => {
    const open = await openSession({ actor_id: 'old' });
    const unopened = await createSession({ actor_id: 'old' });
    await service.database.query(
      "UPDATE keys.portal_sessions SET expire_time = now() - interval '1 s' WHERE actor_id = 'old'",
    );
    expect((await open.send('GET', '/portal/keys')).status).toBe(410);
    expect((await browserOf().send('POST', unopened.path, {})).status).toBe(410);
    expect((await admin('GET', `/portalSessions/${open.id}`)).body.state).toBe('EXPIRED');
  });

  it('answers 120 requests of a session a minute', async () => {
    const session = await openSession({ actor_id: 'busy' });
    const statuses: number[] = [];
    for (let n = 0; n < 125; n += 1) {
      statuses.push((await session.send('GET', '/portal/keys')).status);
    }
    expect(statuses.slice(0, 110).every((status) => status === 200)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
  });

  it('answers 300 requests of a client with unknown secrets and cookies a minute', async () => {
    const session = await openSession({ actor_id: 'neighbor' });
    const address = { 'x-real-ip': '198.51.100.7' };
    const unknown = `/portal/${'x'.repeat(43)}`;
    const guesses = await Promise.all(
      Array.from({ length: 160 }, () => browserOf().send('GET', unknown, undefined, address)),
    );
    expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([410]));
    const guesser = browserOf(`__Host-gatehouse_portal=${'a'.repeat(43)}`, 1);
    const more = await Promise.all(
      Array.from({ length: 150 }, () => guesser.send('GET', '/portal/keys', undefined, address)),
    );
    expect(more.filter(({ status }) => status === 429)).toHaveLength(10);
    expect((await browserOf().send('POST', unknown, {}, address)).status).toBe(429);
    expect((await browserOf().send('POST', unknown, {})).status).toBe(410);
    expect((await session.send('GET', '/portal/keys', undefined, address)).status).toBe(200);
  });
});

/** Links that open once, the sessions that they become, and how both end. */
import { type Json, type TestDirectory, useReplicas } from '@gatehouse/directory-sync/testing';
import { CALL, codeOf, unwrap, setupOf } from './setup-of.js';

const replicas = useReplicas();
let directory: TestDirectory;

beforeEach(async () => {
  directory = await replicas.answering.newDirectory();
});

const links = () => setupOf(replicas.answering).links;
const sessions = () => setupOf(replicas.answering).sessions;
const otherSessions = () => setupOf(replicas.changing).sessions;

async function newLink(input: object = {}): Promise<{ id: string; secret: string }> {
  const { id, url } = await unwrap(links().create({ directory_id: directory.id, ...input }, CALL));
  return { id, secret: new URL(url).pathname.replace('/setup/', '') };
}
const openLink = async (secret: string) => (await unwrap(sessions().open(secret, CALL))).cookie;
const noticesOf = async (): Promise<Json[]> =>
  replicas.answering.dataSource.query(
    `SELECT type, data FROM dsync.events WHERE type LIKE 'directory.setup%'
       AND data->>'directory_id' = $1 ORDER BY sequence`,
    [directory.id],
  );
const auditOf = async (): Promise<Json[]> =>
  (await unwrap(replicas.answering.sync.auditEvents.getAll({ targetId: directory.id }))).reverse();

describe('a setup link', () => {
  it('is not used up by looking at it', async () => {
    const { secret } = await newLink({ locale: 'fr' });
    for (let visit = 0; visit < 3; visit += 1) {
      expect(await unwrap(sessions().peek(secret))).toMatchObject({ locale: 'fr' });
    }
    expect(await codeOf(sessions().open(secret, CALL))).toBe(200);
  });

  it('does not open when it has expired, was revoked, or never existed', async () => {
    const expired = await newLink();
    await replicas.answering.dataSource.query(
      'UPDATE dsync.setup_links SET expires_at = now() WHERE id = $1',
      [expired.id],
    );
    const revoked = await newLink();
    await unwrap(links().revoke(revoked.id, {}, CALL));
    for (const secret of [expired.secret, revoked.secret, 'x'.repeat(43), '']) {
      expect(await codeOf(otherSessions().open(secret, CALL))).toBe(410);
    }
    expect(await unwrap(links().get(expired.id))).toMatchObject({ state: 'expired' });
    expect(await unwrap(links().get(revoked.id))).toMatchObject({ state: 'revoked' });
  });

  it('does not open for a directory that was deleted or deactivated', async () => {
    const { secret } = await newLink();
    const { directories } = replicas.changing.sync;
    await unwrap(directories.update(directory.id, { deactivated: true }));
    expect(await codeOf(sessions().open(secret, CALL))).toBe(410);
    await unwrap(directories.update(directory.id, { deactivated: false }));
    await unwrap(directories.delete(directory.id));
    expect(await codeOf(sessions().open(secret, CALL))).toBe(410);
  });

  it('leaves only hashes in the database', async () => {
    const { secret } = await newLink();
    const cookie = await openLink(secret);
    const [row] = await replicas.answering.dataSource.query<Json[]>(
      `SELECT l::text AS text, (SELECT string_agg(a::text, '') FROM dsync.audit_events a) AS audit
       FROM dsync.setup_links l WHERE directory_id = $1`,
      [directory.id],
    );
    for (const text of [secret, cookie]) {
      expect(row.text).not.toContain(text);
      expect(row.audit).not.toContain(text);
      expect(row.text).not.toContain(Buffer.from(text).toString('hex'));
    }
  });

  it('can come with a new directory', async () => {
    const input = { tenant: 'acme', product: 'shop', name: 'Acme', locale: 'de' as const };
    const created = await unwrap(links().create(input, CALL));
    const found = await unwrap(replicas.changing.sync.directories.get(created.directory_id));
    expect(found).toMatchObject({ tenant: 'acme', product: 'shop', name: 'Acme' });
  });

  it.each<[Json, string]>([
    [{}, 'tenant'],
    [{ directory_id: 'x' }, 'directory_id'],
    [{ tenant: 'a:b', product: 'p' }, 'tenant'],
    [{ tenant: 'a', product: 'p', expires_in: '9m' }, 'expires_in'],
    [{ tenant: 'a', product: 'p', expires_in: '31d' }, 'expires_in'],
    [{ tenant: 'a', product: 'p', session_expires_in: '8d' }, 'session_expires_in'],
    [{ tenant: 'a', product: 'p', return_url: 'http://app.example.com' }, 'return_url'],
    [{ tenant: 'a', product: 'p', return_url: 'javascript:alert(1)' }, 'return_url'],
    [{ tenant: 'a', product: 'p', return_url: 'https://u:p@app.example.com' }, 'return_url'],
    [{ tenant: 'a', product: 'p', allow: ['everything'] }, 'allow'],
    [{ tenant: 'a', product: 'p', locale: 'xx' }, 'locale'],
    [{ tenant: 'a', product: 'p', secret: 'mine' }, 'secret'],
  ])('400: %j names the field', async (input, field) => {
    const { error } = await links().create(input, CALL);
    expect(error).toMatchObject({ code: 400, message: expect.stringContaining(field) });
  });

  it('400: a list does not ignore a directory whose id is too long', async () => {
    await newLink();
    const { error } = await links().getPage({ directory_id: 'x'.repeat(5_000) });
    expect(error).toMatchObject({ code: 400, message: expect.stringContaining('directory_id') });
  });

  it('404 for an unknown directory, 409 for one with twenty links', async () => {
    const unknown = { directory_id: '01900000-0000-7000-8000-000000000000' };
    expect(await codeOf(links().create(unknown, CALL))).toBe(404);
    const mine = { directory_id: directory.id };
    for (let count = 0; count < 20; count += 1) await newLink();
    expect(await codeOf(links().create(mine, CALL))).toBe(409);
    const page = await unwrap(links().getPage({ ...mine, pageLimit: 15 }));
    expect([page.items.length, page.nextOffset]).toEqual([15, 15]);
    await unwrap(links().revoke(page.items[0]?.id ?? '', {}, CALL));
    expect(await codeOf(links().create(mine, CALL))).toBe(200);
  });
});

describe('a setup session', () => {
  it('ends at once on all replicas when its link is revoked', async () => {
    const { id, secret } = await newLink();
    const cookie = await openLink(secret);
    expect(await codeOf(otherSessions().enter(cookie))).toBe(200);
    await unwrap(setupOf(replicas.changing).links.revoke(id, {}, CALL));
    expect(await codeOf(sessions().enter(cookie))).toBe(410);
    expect(await codeOf(sessions().createToken(cookie, CALL))).toBe(410);
    expect(await codeOf(otherSessions().chooseProvider(cookie, 'okta', CALL))).toBe(410);
  });

  it('ends by request, and when its time is over', async () => {
    const { id, secret } = await newLink();
    const cookie = await openLink(secret);
    await unwrap(links().endSession(id, CALL));
    expect(await codeOf(otherSessions().enter(cookie))).toBe(410);
    const other = await newLink({ session_expires_in: '10m' });
    const otherCookie = await openLink(other.secret);
    await replicas.answering.dataSource.query(
      "UPDATE dsync.setup_links SET session_expires_at = now() - interval '1 minute' WHERE id = $1",
      [other.id],
    );
    expect(await codeOf(sessions().enter(otherCookie))).toBe(410);
    expect(await codeOf(links().endSession((await newLink()).id, CALL))).toBe(404);
  });

  it('is not entered with the secret of the link, nor with that of another', async () => {
    const { secret } = await newLink();
    await openLink(secret);
    for (const cookie of [secret, 'x'.repeat(43), '']) {
      expect(await codeOf(sessions().enter(cookie))).toBe(410);
    }
  });

  it('takes the type of the chosen provider until the first request', async () => {
    const cookie = await openLink((await newLink()).secret);
    const typeOf = async () =>
      (await unwrap(replicas.answering.sync.directories.get(directory.id))).type;
    await unwrap(sessions().chooseProvider(cookie, 'entra', CALL));
    expect(await typeOf()).toBe('azure-scim-v2');
    await unwrap(sessions().chooseProvider(cookie, 'ping', CALL));
    expect(await typeOf()).toBe('generic-scim-v2');
    await directory.send('POST', '/Users', { userName: 'ann' });
    await eventuallySucceeded();
    await unwrap(sessions().chooseProvider(cookie, 'okta', CALL));
    expect(await typeOf()).toBe('generic-scim-v2');
    for (const name of ['', 'google', 'constructor', undefined, ['okta']]) {
      expect(await codeOf(sessions().chooseProvider(cookie, name, CALL))).toBe(400);
    }
  });

  it('creates a token that works beside the secret, and that a second one replaces', async () => {
    const { id, secret } = await newLink();
    const cookie = await openLink(secret);
    const statusOf = async (token: string) =>
      (await directory.send('GET', '/Users', undefined, { apiSecret: token })).status;
    const create = async () => (await unwrap(sessions().createToken(cookie, CALL))).token;
    const first = await create();
    const second = await create();
    expect(await Promise.all([first, second, directory.scim.secret].map(statusOf))).toEqual([
      401, 200, 200,
    ]);
    const [token] = await unwrap(replicas.changing.sync.scimTokens.list(directory.id));
    expect(token).toMatchObject({ name: `setup link ${id}`, expires_at: null });
  });

  it('replaces a token that is in use with an overlap of a day', async () => {
    const cookie = await openLink((await newLink()).secret);
    await unwrap(sessions().createToken(cookie, CALL));
    await replicas.answering.dataSource.query(
      'UPDATE dsync.scim_tokens SET last_used_at = now() WHERE directory_id = $1',
      [directory.id],
    );
    await unwrap(sessions().createToken(cookie, CALL));
    const [token] = await unwrap(replicas.changing.sync.scimTokens.list(directory.id));
    const until = Date.parse(token?.previous?.expires_at ?? '');
    expect((until - Date.now()) / 3_600_000).toBeCloseTo(24, 1);
  });

  it('creates no eleventh token, and none unless the link allows it', async () => {
    const { scimTokens } = replicas.answering.sync;
    const denied = await openLink((await newLink({ allow: [] })).secret);
    expect(await codeOf(sessions().createToken(denied, CALL))).toBe(403);
    expect(await unwrap(scimTokens.list(directory.id))).toEqual([]);
    const cookie = await openLink((await newLink()).secret);
    for (let count = 0; count < 10; count += 1) {
      await unwrap(scimTokens.create(directory.id, { name: `token ${count}` }));
    }
    expect(await codeOf(sessions().createToken(cookie, CALL))).toBe(409);
  });

  it('is connected by a request since it was opened, and reported once by many replicas', async () => {
    const { id, secret } = await newLink();
    await replicas.answering.dataSource.query(
      `UPDATE dsync.directories SET last_success_at = now() - interval '1 hour' WHERE id = $1`,
      [directory.id],
    );
    const cookie = await openLink(secret);
    await sessions().markConnected();
    expect(await unwrap(sessions().proof(cookie))).toMatchObject({ isConnected: false });
    expect(await codeOf(sessions().complete(cookie, CALL))).toBe(409);
    await directory.send('POST', '/Users', { userName: 'after' });
    await eventuallySucceeded(`now() - interval '1 minute'`);
    await Promise.all([sessions().markConnected(), otherSessions().markConnected()]);
    expect(await unwrap(otherSessions().proof(cookie))).toMatchObject({
      hasRequest: true,
      isConnected: true,
      hasUsers: true,
      hasGroups: false,
    });
    expect(await unwrap(links().get(id))).toMatchObject({ state: 'connected' });
    await unwrap(sessions().complete(cookie, CALL));
    expect(await codeOf(sessions().enter(cookie))).toBe(410);
    expect(await unwrap(links().get(id))).toMatchObject({ state: 'completed' });
    const common = { link_id: id, directory_id: directory.id, name: directory.name };
    expect(await noticesOf()).toMatchObject([
      { type: 'directory.setup_opened', data: common },
      { type: 'directory.setup_connected', data: common },
      { type: 'directory.setup_completed', data: common },
    ]);
  });

  it('is audited with the link as the caller', async () => {
    const { id, secret } = await newLink();
    const cookie = await openLink(secret);
    await unwrap(sessions().chooseProvider(cookie, 'okta', CALL));
    await unwrap(sessions().createToken(cookie, CALL));
    await unwrap(links().revoke(id, {}, CALL));
    const caller = `setup-link:${id}`;
    const details = { link_id: id };
    expect((await auditOf()).slice(1)).toMatchObject([
      { type: 'directory.setup_link_created', caller: 'admin', details },
      { type: 'directory.setup_opened', caller, details, ip: CALL.ip },
      { type: 'directory.setup_provider_chosen', caller, details: { provider: 'okta' } },
      { type: 'directory.setup_link_revoked', caller: 'admin', details },
    ]);
  });

  it('goes with its directory', async () => {
    await newLink();
    const { data } = await replicas.changing.sync.directories.delete(directory.id);
    expect(data).toBeNull();
    const rows = await replicas.answering.dataSource.query<Json[]>(
      'SELECT FROM dsync.setup_links WHERE directory_id = $1',
      [directory.id],
    );
    expect(rows).toEqual([]);
  });
});

/** Requests are recorded after their answer. */
async function eventuallySucceeded(since = `'-infinity'`): Promise<void> {
  for (;;) {
    const rows = await replicas.answering.dataSource.query<Json[]>(
      `SELECT FROM dsync.directories WHERE id = $1 AND last_success_at > (${since})::timestamptz`,
      [directory.id],
    );
    if (rows.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Consents on the pages of setup links: whose browser may end them, and what stops them. */
import { type FakeGoogle } from '@gatehouse/testing';
import {
  authorizationUrl,
  consent,
  type Json,
  type TestSync,
  useGoogle,
} from '@gatehouse/directory-sync/testing';
import {
  answerTo,
  finish,
  type OpenedLink,
  openGoogleLink,
  openLink,
  storedOf,
} from './setup-fixture.js';
import { CALL, setupOf, unwrap } from './setup-of.js';
import { createSetup } from '../src/links/create-setup.js';

const fixture = useGoogle();
let google: FakeGoogle;
let first: TestSync;
let second: TestSync;
let link: OpenedLink;

const newLink = (input: object = {}) => openGoogleLink(first, input);
const stored = () => storedOf(second, link.directoryId);
const NOTHING = { state: 'needs_authorization', hasTokens: false, runs: 0 };

beforeEach(async () => {
  ({ google, first, second } = fixture);
  google.accounts.isConsentDenied = false;
  google.accounts.customerId = 'C01fake';
  google.server.beforeAnswer = () => undefined;
  link = await newLink();
});

describe('a consent', () => {
  it('of the browser that began it is stored with a first run, on any replica', async () => {
    const answer = await answerTo(first, google, link);
    expect(await finish(second, link, answer)).toBe('stored');
    expect(await stored()).toEqual({
      state: 'authorized',
      hasTokens: true,
      runs: 1,
      authorizations: 0,
    });
    const audit = await unwrap(second.sync.auditEvents.getAll({ targetId: link.directoryId }));
    const caller = `setup-link:${link.id}`;
    const last = audit.slice(0, 2).sort((a, b) => (a.type < b.type ? -1 : 1));
    expect(last).toMatchObject([
      {
        type: 'directory.connected',
        caller,
        ip: CALL.ip,
        details: { link_id: link.id, account: 'C01fake' },
      },
      { type: 'directory.sync_started', caller, ip: CALL.ip },
    ]);
  });

  it('of another account is refused, and keeps the access there was', async () => {
    expect(await finish(second, link, await answerTo(first, google, link))).toBe('stored');
    const before = await stored();
    google.accounts.customerId = 'C02other';
    const answer = await answerTo(first, google, link);
    expect(await finish(second, link, answer)).toBe('wrong_account');
    expect(await stored()).toEqual(before);
    await unwrap(second.sync.workspace.disconnect(link.directoryId));
    expect(await finish(second, link, answer)).toBe('expired');
    expect(await finish(second, link, await answerTo(first, google, link))).toBe('stored');
    const [row] = await first.dataSource.query<Json[]>(
      'SELECT account FROM dsync.workspace_connections WHERE directory_id = $1',
      [link.directoryId],
    );
    expect(row).toEqual({ account: 'C02other' });
  });

  it('connects nothing for any other browser, and stays open for its own', async () => {
    const answer = await answerTo(first, google, link);
    const neighbor = await newLink();
    expect(await finish(second, neighbor, answer)).toBe('foreign');
    for (const cookie of ['', 'x'.repeat(43), answer.state]) {
      expect(await finish(first, { cookie }, answer)).toBe(410);
    }
    expect(await storedOf(first, neighbor.directoryId)).toMatchObject(NOTHING);
    expect(await stored()).toMatchObject({ ...NOTHING, authorizations: 1 });
    expect(await finish(second, link, answer)).toBe('stored');
  });

  it('connects nothing for another link of the same directory', async () => {
    const answer = await answerTo(first, google, link);
    const other = await openLink(first, { directory_id: link.directoryId });
    expect(await finish(second, other, answer)).toBe('foreign');
    const state = answer.state.replace(link.id, other.id);
    expect(await finish(second, other, { ...answer, state })).toBe('foreign');
    expect(await stored()).toMatchObject(NOTHING);
  });

  it('is stored once, however often and wherever its answer arrives', async () => {
    const answer = await answerTo(first, google, link);
    const outcomes = await Promise.all(
      [first, second, first, second].map((each) => finish(each, link, answer)),
    );
    expect(outcomes.sort()).toEqual(['expired', 'expired', 'expired', 'stored']);
    expect(await stored()).toMatchObject({ hasTokens: true, runs: 1 });
  });

  it.each<[string, (link: OpenedLink) => Promise<unknown>]>([
    ['is revoked', ({ id }) => unwrap(setupOf(second).links.revoke(id))],
    ['loses its session', ({ id }) => unwrap(setupOf(second).links.endSession(id, CALL))],
    [
      'expires',
      ({ id }) =>
        second.dataSource.query(
          'UPDATE dsync.setup_links SET session_expires_at = now() WHERE id = $1',
          [id],
        ),
    ],
    [
      'has its directory deactivated',
      ({ directoryId }) =>
        unwrap(second.sync.directories.update(directoryId, { deactivated: true })),
    ],
  ])('stores nothing if the link %s while Google is asked', async (_name, end) => {
    const answer = await answerTo(first, google, link);
    google.server.beforeAnswer = async ({ url }) => {
      if (url.pathname === '/token') await end(link);
    };
    expect(await finish(first, link, answer)).toBe(410);
    expect(google.server.requestsOf('/token').length).toBeGreaterThan(0);
    expect(await stored()).toMatchObject(NOTHING);
    expect((await unwrap(setupOf(second).links.get(link.id))).connected_at).toBeNull();
  });

  it('is not stored, and a deleted directory not brought back, if it goes meanwhile', async () => {
    const answer = await answerTo(first, google, link);
    google.server.beforeAnswer = async ({ url }) => {
      if (url.pathname === '/token') await second.sync.directories.delete(link.directoryId);
    };
    expect(await finish(first, link, answer)).toBe(410);
    expect(await stored()).toBeUndefined();
  });

  it('is not begun by a session that has ended', async () => {
    await unwrap(setupOf(second).links.revoke(link.id));
    const { error } = await setupOf(first).consents.begin(link.cookie);
    expect(error).toMatchObject({ code: 410 });
    expect(await stored()).toMatchObject({ authorizations: 0 });
  });

  it('leaves only a hash of its state, with a verifier that is sealed', async () => {
    const answer = await answerTo(first, google, link);
    const rows: Json[] = await first.dataSource.query(
      'SELECT a::text AS text, link_id FROM dsync.workspace_authorizations a WHERE directory_id = $1',
      [link.directoryId],
    );
    expect(rows).toEqual([{ text: expect.any(String), link_id: link.id }]);
    expect(rows[0].text).not.toContain(answer.state.split('.')[2]);
  });
});

describe('the states of links and of authorization URLs', () => {
  it('are not taken for each other', async () => {
    const answer = await answerTo(first, google, link);
    const { directoryId } = link;
    const { workspace } = second.sync;
    const { consents } = createSetup(second.sync.parts);
    const code = answer.code as string;
    expect((await workspace.completeAuthorization(answer)).error?.code).toBe(400);
    for (const state of [answer.state, undefined]) {
      const { error } = await workspace.getAccessToken({ directoryId, code, state });
      expect(error).toMatchObject({ code: 400 });
    }
    const own = await consent(google, await authorizationUrl(first, directoryId));
    expect([consents.isOfSetup(answer), consents.isOfSetup(own)]).toEqual([true, false]);
    expect(await finish(second, link, own)).toBe('foreign');
    const shortened = answer.state.replace(`.${link.id}`, '');
    expect(consents.isOfSetup({ ...answer, state: shortened })).toBe(false);
    expect(
      (await workspace.completeAuthorization({ ...answer, state: shortened })).error?.code,
    ).toBe(400);
    expect(await stored()).toMatchObject({ ...NOTHING, authorizations: 2 });
    expect((await workspace.completeAuthorization(own)).error).toBeNull();
  });

  it('end the oldest of ten of their own, and none of the other', async () => {
    const own = await consent(google, await authorizationUrl(first, link.directoryId));
    const oldest = await answerTo(first, google, link);
    for (let count = 0; count < 10; count += 1) {
      await unwrap(setupOf(first).consents.begin(link.cookie));
    }
    expect(await stored()).toMatchObject({ authorizations: 11 });
    expect(await finish(second, link, oldest)).toBe('expired');
    expect((await second.sync.workspace.completeAuthorization(own)).error).toBeNull();
  });
});

describe('the outcome of a consent', () => {
  it('says that the administrator declined, and the next try works', async () => {
    google.accounts.isConsentDenied = true;
    expect(await finish(second, link, await answerTo(first, google, link))).toBe('refused');
    expect(await stored()).toMatchObject({ ...NOTHING, authorizations: 0 });
    google.accounts.isConsentDenied = false;
    expect(await finish(second, link, await answerTo(first, google, link))).toBe('stored');
  });

  it('says that it took longer than ten minutes', async () => {
    const answer = await answerTo(first, google, link);
    await first.dataSource.query(
      'UPDATE dsync.workspace_authorizations SET expires_at = now() WHERE link_id = $1',
      [link.id],
    );
    expect(await finish(second, link, answer)).toBe('expired');
    expect(await stored()).toMatchObject(NOTHING);
  });

  it('says that scopes were left out, and stores no half access', async () => {
    const answer = await answerTo(first, google, link);
    google.server.fail('/token', (body) => ({
      ...body,
      scope: String(body.scope).split(' ').slice(1).join(' '),
    }));
    expect(await finish(second, link, answer)).toBe('incomplete');
    expect(await stored()).toMatchObject(NOTHING);
  });

  it('says that Google sent nothing, or gave no access', async () => {
    const { state } = await answerTo(first, google, link);
    expect(await finish(second, link, { state })).toBe('unanswered');
    const invalid = await answerTo(first, google, link);
    expect(await finish(second, link, { ...invalid, error: 'server_error' })).toBe('unanswered');
    const answer = await answerTo(first, google, link);
    google.server.fail('/token', { status: 500 });
    expect(await finish(second, link, answer)).toBe('failed');
    const wrong = await answerTo(first, google, link);
    expect(await finish(second, link, { ...wrong, code: '4/0-of-another-flow' })).toBe('expired');
    expect(await finish(second, link, { state: ['a', 'b'] })).toBe(400);
    expect(await stored()).toMatchObject(NOTHING);
  });
});

describe('what Google answers to a code', () => {
  type Body = Record<string, unknown>;

  it.each<[string, (body: Body) => Body]>([
    ['no refresh token', ({ refresh_token: _, ...body }) => body],
    ['no access token', ({ access_token: _, ...body }) => body],
    ['an access token that is no text', (body) => ({ ...body, access_token: 5 })],
    ['a refresh token that is no text', (body) => ({ ...body, refresh_token: { a: 1 } })],
    ['scopes that are a list', (body) => ({ ...body, scope: String(body.scope).split(' ') })],
    ['scopes that cannot be stored', (body) => ({ ...body, scope: `${String(body.scope)} \0` })],
    ['a type that is no text', (body) => ({ ...body, token_type: ['Bearer'] })],
    ['a type that cannot be stored', (body) => ({ ...body, token_type: 'Bearer\0' })],
    ['a huge body', (body) => ({ ...body, more: 'x'.repeat(40_000_000) })],
    ['a list', () => [] as unknown as Body],
  ])('%s: keeps the access there was, and the next try works', async (_, change) => {
    expect(await finish(second, link, await answerTo(first, google, link))).toBe('stored');
    const tokensOf = async () =>
      first.dataSource.query<Json[]>(
        `SELECT access_token_sealed, refresh_token_sealed, version
         FROM dsync.workspace_connections WHERE directory_id = $1`,
        [link.directoryId],
      );
    const before = await tokensOf();
    const answer = await answerTo(first, google, link);
    google.server.fail('/token', change);
    expect(await finish(second, link, answer)).toBe('failed');
    expect(await tokensOf()).toEqual(before);
    expect(await finish(second, link, answer)).toBe('expired');
    expect(await finish(second, link, await answerTo(first, google, link))).toBe('stored');
  });
});

describe('a session of a workspace directory', () => {
  it('chooses no provider, creates no token and maps nothing', async () => {
    const { sessions: setupSessions } = setupOf(second);
    const codes = await Promise.all([
      setupSessions.chooseProvider(link.cookie, 'okta', CALL),
      setupSessions.createToken(link.cookie, CALL),
      setupSessions.mapping(link.cookie),
    ]);
    expect(codes.map(({ error }) => error?.code)).toEqual([403, 403, 403]);
  });

  it('is the only kind that begins a consent', async () => {
    const scim = await openLink(first, { tenant: `t-${crypto.randomUUID()}`, product: 'p' });
    const { consents: setupConsents } = setupOf(second);
    expect((await setupConsents.begin(scim.cookie)).error?.code).toBe(403);
    expect((await setupConsents.reading(scim.cookie)).error?.code).toBe(403);
    const answer = await answerTo(first, google, link);
    expect(await finish(second, scim, answer)).toBe(403);
  });
});

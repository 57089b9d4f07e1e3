// Whose workspace a directory reads: consents of another account, and disconnecting.
import { type FakeEntra, type FakeGoogle, startFakeEntra } from '@gatehouse/testing';
import { openSync, type Json, type TestSync } from '../harness.js';
import { authorizationUrl, connect, consent, useGoogle } from './google-fixture.js';
import { entraOf } from './entra-fixture.js';

const OTHER = 'C02other';
const REFUSED = { code: 400, message: expect.stringContaining('of another account') };

const fixture = useGoogle();
let google: FakeGoogle;
let entra: FakeEntra;
let first: TestSync;
let second: TestSync;

beforeAll(async () => {
  entra = await startFakeEntra();
});
afterAll(() => entra.close());
beforeEach(() => {
  ({ google, first, second } = fixture);
  google.accounts.customerId = 'C01fake';
});

const storedOf = async (directoryId: string) => {
  const rows: Json[] = await first.dataSource.query(
    'SELECT * FROM dsync.workspace_connections WHERE directory_id = $1',
    [directoryId],
  );
  return rows[0];
};
const stateOf = async (id: string) => (await first.sync.directories.status(id)).data?.workspace;
const auditOf = async (targetId: string) =>
  (await first.sync.auditEvents.getAll({ targetId })).data ?? [];

/** What Google answers to an administrator of an account. */
const answerOf = async (id: string, customerId: string) => {
  google.accounts.customerId = customerId;
  return consent(google, await authorizationUrl(first, id));
};
const complete = async (id: string, customerId: string) =>
  (await second.sync.workspace.completeAuthorization(await answerOf(id, customerId))).error;

describe.each([{ workspace_domain: 'example.com' }, {}])('a Google directory %j', (input) => {
  let id: string;

  beforeEach(async () => {
    ({ id } = await first.newDirectory({ type: 'google', ...input }));
  });

  it('refuses the consent of another account, and keeps its tokens', async () => {
    expect(await complete(id, 'C01fake')).toBeNull();
    const before = await storedOf(id);
    expect(before).toMatchObject({ account: 'C01fake' });
    expect(await complete(id, OTHER)).toMatchObject(REFUSED);
    expect(await storedOf(id)).toEqual(before);
    const types = (await auditOf(id)).map(({ type }) => type);
    expect(types.filter((type) => type === 'directory.connected')).toHaveLength(1);
  });

  it('takes another consent of its account, also after it has lost its access', async () => {
    expect(await complete(id, 'C01fake')).toBeNull();
    expect(await complete(id, 'C01fake')).toBeNull();
    google.accounts.revokeConsents();
    const session = await first.sync.connections.open(id);
    await expect(session.listUsers(null)).rejects.toMatchObject({ kind: 'needs_authorization' });
    expect(await complete(id, OTHER)).toMatchObject(REFUSED);
    expect(await stateOf(id)).toMatchObject({ state: 'needs_authorization' });
    expect(await complete(id, 'C01fake')).toBeNull();
    expect(await stateOf(id)).toMatchObject({ state: 'authorized' });
  });

  it('takes any account once an administrator has disconnected it', async () => {
    expect(await complete(id, 'C01fake')).toBeNull();
    const begun = await answerOf(id, 'C01fake');
    const call = { caller: 'admin-key:7', ip: '', requestId: '' };
    expect((await second.sync.workspace.disconnect(id, call)).error).toBeNull();
    expect(await storedOf(id)).toMatchObject({
      account: null,
      access_token_sealed: null,
      refresh_token_sealed: null,
      state: 'needs_authorization',
      reason: expect.stringContaining('disconnected'),
    });
    const [last] = await auditOf(id);
    expect(last).toMatchObject({ type: 'directory.disconnected', caller: 'admin-key:7' });
    const late = await second.sync.workspace.completeAuthorization(begun);
    expect(late.error).toMatchObject({ code: 400, message: expect.stringContaining('state') });
    expect(await complete(id, OTHER)).toBeNull();
    expect(await storedOf(id)).toMatchObject({ account: OTHER, state: 'authorized' });
    expect(await complete(id, 'C01fake')).toMatchObject(REFUSED);
  });
});

describe('a Google directory', () => {
  let id: string;

  beforeEach(async () => {
    ({ id } = await first.newDirectory({ type: 'google', workspace_domain: 'example.com' }));
  });

  it('is connected to one of two accounts that consent at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const fresh = await first.newDirectory({ type: 'google' });
      const answers = [await answerOf(fresh.id, 'C01fake'), await answerOf(fresh.id, OTHER)];
      const [own, other] = await Promise.all([
        first.sync.workspace.completeAuthorization(answers[0] ?? {}),
        second.sync.workspace.completeAuthorization(answers[1] ?? {}),
      ]);
      const refused = [own, other].filter(({ error }) => error !== null);
      expect(refused).toHaveLength(1);
      expect(refused[0]?.error).toMatchObject(REFUSED);
      const winner = own.error === null ? 'C01fake' : OTHER;
      expect(await storedOf(fresh.id)).toMatchObject({ account: winner });
      expect(await first.sync.connections.accountOf(fresh.id)).toBe(winner);
    }
  });

  it('asks its tokens for an account that was not stored', async () => {
    await connect(google, second, id);
    const forget = () =>
      first.dataSource.query(
        'UPDATE dsync.workspace_connections SET account = NULL WHERE directory_id = $1',
        [id],
      );
    await forget();
    const before = await storedOf(id);
    expect(await complete(id, OTHER)).toMatchObject(REFUSED);
    expect(await storedOf(id)).toEqual(before);
    google.server.fail('/admin/directory/v1/users', { status: 500 }, 5);
    expect(await complete(id, OTHER)).toMatchObject({ code: 502 });
    expect(await storedOf(id)).toEqual(before);
    expect(await complete(id, 'C01fake')).toBeNull();
    expect(await storedOf(id)).toMatchObject({ account: 'C01fake' });
    // Tokens that read nothing any more cannot tell.
    await forget();
    google.accounts.revokeConsents();
    expect(await complete(id, OTHER)).toBeNull();
  });

  it('forgets its account with tokens that are set, and takes theirs', async () => {
    await connect(google, second, id);
    const { code } = await answerOf(id, OTHER);
    const { data } = await first.sync.workspace.getAccessToken({ directoryId: id, code });
    const saved = await first.sync.workspace.setToken({
      directoryId: id,
      accessToken: data?.access_token ?? '',
      refreshToken: data?.refresh_token ?? '',
    });
    expect(saved.error).toBeNull();
    expect(await storedOf(id)).toMatchObject({ account: null });
    expect(await complete(id, 'C01fake')).toMatchObject(REFUSED);
    expect(await complete(id, OTHER)).toBeNull();
  });

  it('keeps its account with another administrator, and not with another domain', async () => {
    const accountAfter = async (changes: object) => {
      const { error } = await first.sync.directories.update(id, changes);
      expect(error).toBeNull();
      return (await storedOf(id))?.account as string | null;
    };
    await connect(google, second, id);
    expect(await accountAfter({ name: 'Staff' })).toBe('C01fake');
    expect(await accountAfter({ workspace_domain: 'Example.com' })).toBe('C01fake');
    expect(await accountAfter({ workspace_administrator: 'a@example.com' })).toBe('C01fake');
    expect(await accountAfter({ workspace_administrator: null })).toBe('C01fake');
    expect(await accountAfter({ workspace_domain: null })).toBe('C01fake');
    expect(await accountAfter({ workspace_domain: 'example.com' })).toBeNull();
    expect(await complete(id, OTHER)).toMatchObject(REFUSED);
    expect(await complete(id, 'C01fake')).toBeNull();
    expect(await accountAfter({ workspace_domain: 'other.example' })).toBeNull();
    // The tokens do not read this domain.
    expect(await complete(id, OTHER)).toBeNull();
  });

  it('refuses a consent of an unknown account, unless no account is stored', async () => {
    const unknown = () => google.server.fail('/admin/directory/v1/users', { status: 403 });
    unknown();
    expect(await complete(id, OTHER)).toBeNull();
    expect(await storedOf(id)).toMatchObject({ account: null, state: 'authorized' });
    await connect(google, second, id);
    unknown();
    expect(await complete(id, OTHER)).toMatchObject(REFUSED);
  });

  it('refuses a malformed customer ID', async () => {
    for (const customerId of ['', '\0', 'x'.repeat(65), 'a b']) {
      expect(await complete(id, customerId)).toMatchObject({ code: 502 });
    }
    expect(await stateOf(id)).toMatchObject({ state: 'needs_authorization' });
  });

  it('names in its audit who began the authorization', async () => {
    const call = { caller: 'admin-key:42', ip: '192.0.2.1', requestId: '' };
    const begun = await first.sync.workspace.generateAuthorizationUrl(id, call);
    const answer = await consent(google, begun.data?.authorizationUrl ?? '');
    const back = { caller: 'oauth-callback', ip: '192.0.2.2', requestId: '' };
    await second.sync.workspace.completeAuthorization(answer, back);
    const [connected] = await auditOf(id);
    expect(connected).toMatchObject({
      type: 'directory.connected',
      caller: 'admin-key:42',
      ip: '192.0.2.2',
      details: { account: 'C01fake' },
    });
    // A version before this one stored no caller.
    const old = await answerOf(id, 'C01fake');
    await first.dataSource.query('UPDATE dsync.workspace_authorizations SET caller = NULL');
    await second.sync.workspace.completeAuthorization(old, back);
    expect((await auditOf(id))[0]).toMatchObject({ caller: 'oauth-callback' });
  });

  it('disconnects while a run reads it: the run ends, and the channels are gone', async () => {
    await connect(google, second, id);
    const session = await second.sync.connections.open(id);
    await first.sync.workspaceRuns.start(id);
    await first.dataSource.query(
      `WITH pushed AS (INSERT INTO dsync.workspace_push (directory_id, active_until)
         VALUES ($1, now() + interval '1 hour'))
       INSERT INTO dsync.workspace_channels (id, directory_id, topic, watched, token_sha256)
       VALUES (gen_random_uuid(), $1, 'users', '', '\\x00')`,
      [id],
    );
    expect((await first.sync.workspace.disconnect(id)).error).toBeNull();
    const { data: runs } = await first.sync.workspaceRuns.list(id);
    expect(runs?.items).toMatchObject([
      { state: 'failed', error: expect.stringContaining('disconnected') },
    ]);
    const channels: Json[] = await first.dataSource.query(
      'SELECT id FROM dsync.workspace_channels WHERE directory_id = $1',
      [id],
    );
    expect(channels).toEqual([]);
    expect(await stateOf(id)).toMatchObject({ push: { active: false, error: null } });
    google.accounts.expireAccessTokens();
    await expect(session.listUsers(null)).rejects.toMatchObject({ kind: 'needs_authorization' });
    expect((await first.sync.workspace.disconnect(id)).error).toBeNull();
  });

  it('400, 404: only a directory that needs consent can be disconnected', async () => {
    const scim = await first.newDirectory();
    const own = await first.newDirectory({
      type: 'google',
      workspace_administrator: 'admin@example.com',
    });
    const { workspace } = first.sync;
    const ids = [scim.id, own.id, crypto.randomUUID(), 'x'];
    const codes = await Promise.all(
      ids.map(async (each) => (await workspace.disconnect(each)).error?.code),
    );
    expect(codes).toEqual([400, 400, 404, 404]);
    expect(await stateOf(own.id)).toMatchObject({ state: 'authorized' });
  });
});

describe.each(['8b0f2f6e-6c5e-4f0a-9a1e-2b7c4d9e1f00', 'contoso.onmicrosoft.com'])(
  'a directory of the Entra ID tenant %s',
  (domain) => {
    const OTHER_TENANT = '11111111-2222-4333-8444-555555555555';
    let test: TestSync;
    let id: string;

    beforeAll(async () => {
      test = await openSync(fixture.database.url, {
        workspace: {
          retryDelayMs: 1,
          entra: entraOf(entra),
        },
      });
    });
    afterAll(() => test.close());
    beforeEach(async () => {
      ({ id } = await test.newDirectory({
        type: 'workspace',
        workspace_provider: 'entra',
        workspace_domain: domain,
      }));
    });

    const consentOf = async (tenant: string | undefined) => {
      const { data } = await test.sync.workspace.generateAuthorizationUrl(id);
      const back = new URL(await entra.consent(data?.authorizationUrl ?? ''));
      const answer = { ...Object.fromEntries(back.searchParams), tenant };
      return (await test.sync.workspace.completeAuthorization(answer)).error;
    };

    it('refuses the consent of another tenant, and takes its own again', async () => {
      expect(await consentOf(entra.tenant.toUpperCase())).toBeNull();
      const before = await storedOf(id);
      expect(before).toMatchObject({ account: entra.tenant });
      expect(await consentOf(OTHER_TENANT)).toMatchObject(REFUSED);
      expect(await consentOf(undefined)).toMatchObject(REFUSED);
      expect(await storedOf(id)).toEqual(before);
      expect(await consentOf(entra.tenant)).toBeNull();
      const [connected] = await auditOf(id);
      expect(connected).toMatchObject({
        type: 'directory.connected',
        details: { account: entra.tenant },
      });
    });

    it('is not read once it is disconnected, until a consent', async () => {
      expect(await consentOf(entra.tenant)).toBeNull();
      expect((await test.sync.workspace.disconnect(id)).error).toBeNull();
      expect(await stateOf(id)).toMatchObject({ state: 'needs_authorization' });
      const opened = test.sync.connections.open(id);
      await expect(opened).rejects.toMatchObject({ kind: 'needs_authorization' });
      expect(await storedOf(id)).toMatchObject({ account: null, disconnected: true });
      const isNamed = domain === entra.tenant;
      const other = await consentOf(OTHER_TENANT);
      // The ID of a tenant says whose users are read; a domain may move.
      expect(other === null).toBe(!isNamed);
      expect(await consentOf(isNamed ? entra.tenant : OTHER_TENANT)).toBeNull();
      expect(await stateOf(id)).toMatchObject({ state: 'authorized', reason: null });
      const session = await test.sync.connections.open(id);
      expect((await session.listUsers(null)).items).toHaveLength(3);
    });

    it('takes the tenant of another domain', async () => {
      expect(await consentOf(entra.tenant)).toBeNull();
      await test.sync.workspace.disconnect(id);
      const named = domain === entra.tenant ? 'contoso.onmicrosoft.com' : entra.tenant;
      const { error } = await test.sync.directories.update(id, { workspace_domain: named });
      expect(error).toBeNull();
      expect(await storedOf(id)).toMatchObject({ account: null, disconnected: false });
      expect(await stateOf(id)).toMatchObject({ state: 'authorized' });
    });
  },
);

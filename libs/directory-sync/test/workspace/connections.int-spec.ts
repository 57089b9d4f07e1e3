// Connects workspace directories to a server that speaks Google's API, from two controllers.
import { type FakeGoogle } from '@gatehouse/testing';
import { type DirectoryView } from '../../src/directories/directory.types.js';
import { type Json, type TestSync } from '../harness.js';
import { authorizationUrl, connect, consent, useGoogle } from './google-fixture.js';

const fixture = useGoogle();
let google: FakeGoogle;
let first: TestSync;
let second: TestSync;
let directory: DirectoryView;

beforeEach(async () => {
  ({ google, first, second } = fixture);
  google.accounts.isConsentDenied = false;
  google.accounts.rotatesRefreshTokens = false;
  directory = await first.newDirectory({ type: 'google', workspace_domain: 'example.com' });
});

const urlOf = (test: TestSync) => authorizationUrl(test, directory.id);
const consented = async () => consent(google, await urlOf(first));
const stateOf = async (id = directory.id) =>
  (await first.sync.directories.status(id)).data?.workspace;
const noticesOf = async (id = directory.id) => {
  const rows: { data: Json }[] = await first.dataSource.query(
    `SELECT data FROM dsync.events WHERE type = 'directory.needs_authorization'`,
  );
  return rows.filter(({ data }) => data.directory_id === id);
};
const stored = async () => {
  const rows: Json[] = await first.dataSource.query(
    'SELECT * FROM dsync.workspace_connections WHERE directory_id = $1',
    [directory.id],
  );
  return rows[0];
};

describe('a workspace directory', () => {
  it('is created without a SCIM secret, and its SCIM path answers 401', async () => {
    expect(directory).toMatchObject({
      type: 'workspace',
      workspace_provider: 'google',
      workspace_domain: 'example.com',
      workspace_administrator: '',
      workspace_access_token: '',
      workspace_refresh_token: '',
      scim: { secret: '' },
    });
    for (const apiSecret of ['', 'undefined', 'null']) {
      const request = { directoryId: directory.id, apiSecret, method: 'GET' };
      const answer = await first.sync.requests.handle({
        ...request,
        resourceId: '',
        resourceType: 'users',
      });
      expect(answer.status).toBe(401);
    }
    const { data } = await first.sync.providers();
    expect(data).toMatchObject({ workspace: expect.any(String) });
  });

  it('needs authorization until an administrator has consented, without a notice', async () => {
    expect(await stateOf()).toMatchObject({
      provider: 'google',
      state: 'needs_authorization',
      reason: expect.stringContaining('authorization URL'),
    });
    expect(await noticesOf()).toEqual([]);
    const opened = first.sync.connections.open(directory.id);
    await expect(opened).rejects.toMatchObject({ kind: 'needs_authorization' });
    await connect(google, second, directory.id);
    expect(await stateOf()).toMatchObject({ state: 'authorized', reason: null });
    const session = await second.sync.connections.open(directory.id);
    expect((await session.listUsers(null)).items).toHaveLength(3);
  });

  it('shows tokens to its administrator only, and keeps them sealed', async () => {
    await connect(google, second, directory.id);
    const { data } = await first.sync.directories.get(directory.id);
    expect(data?.workspace_access_token).toMatch(/^ya29\.fake-/);
    expect(data?.workspace_refresh_token).toMatch(/^1\/\/fake-/);
    const hidden = await first.sync.directories.get(directory.id, { secrets: false });
    expect(hidden.data).toMatchObject({ workspace_access_token: '', workspace_refresh_token: '' });
    const row = JSON.stringify(await stored());
    expect(row).not.toContain('ya29.fake-');
    expect(row).not.toContain('1//fake-');
  });

  it('can be read in the name of an administrator, without consent', async () => {
    const administrator = 'admin@example.com';
    const own = await first.newDirectory({
      type: 'workspace',
      workspace_administrator: administrator,
    });
    expect(await stateOf(own.id)).toMatchObject({ state: 'authorized' });
    const session = await first.sync.connections.open(own.id);
    expect((await session.listGroups(null)).items).toHaveLength(1);
    const { error } = await first.sync.workspace.generateAuthorizationUrl(own.id);
    expect(error).toMatchObject({ code: 400 });
    const audited = await first.sync.auditEvents.getAll({ targetId: own.id });
    expect(audited.data).toMatchObject([{ type: 'directory.created' }]);
    const changes = { workspace_administrator: null, workspace_domain: 'Example.COM' };
    const { data } = await first.sync.directories.update(own.id, changes);
    expect(data).toMatchObject({ workspace_administrator: '', workspace_domain: 'example.com' });
    expect(await stateOf(own.id)).toMatchObject({ state: 'needs_authorization' });
  });

  it('is not taken to have access because its provider was asked nothing', async () => {
    const input = { type: 'workspace', workspace_administrator: 'admin@example.com' } as const;
    const { id } = await first.newDirectory(input);
    await first.dataSource.query(`UPDATE dsync.workspace_connections
      SET state = 'needs_authorization', reason = 'test' WHERE directory_id = '${id}'`);
    const session = await first.sync.connections.open(id);
    expect(await session.changesSince(null)).toMatchObject({ hasChanged: true, calls: 0 });
    expect(await stateOf(id)).toMatchObject({ state: 'needs_authorization' });
  });

  it('loses its tokens with its deletion', async () => {
    await connect(google, second, directory.id);
    await urlOf(first);
    await first.sync.directories.delete(directory.id);
    expect(await stored()).toBeUndefined();
    const [left]: Json[] = await first.dataSource.query(
      'SELECT count(*)::int AS count FROM dsync.workspace_authorizations WHERE directory_id = $1',
      [directory.id],
    );
    expect(left.count).toBe(0);
  });
});

describe('the state of an authorization', () => {
  const complete = async (answer: object, { sync }: TestSync = second) =>
    (await sync.workspace.completeAuthorization(answer)).error;

  it('works once, on any replica', async () => {
    const answer = await consented();
    const errors = await Promise.all([complete(answer), complete(answer, first)]);
    expect(errors.filter((error) => error === null)).toHaveLength(1);
    expect(errors.find((error) => error !== null)).toMatchObject({ code: 400 });
    expect(await complete(answer)).toMatchObject({ code: 400 });
  });

  it('is refused if it was changed, is too old, or is that of another directory', async () => {
    const { state, code } = await consented();
    const other = await first.newDirectory({ type: 'google' });
    const [, random, mac] = state.split('.');
    const changed = [
      `${other.id}.${random}.${mac}`,
      `${state.slice(0, -1)}${state.endsWith('A') ? 'B' : 'A'}`,
      'x'.repeat(5_000),
      '',
      undefined,
      [state, state],
    ];
    for (const wrong of changed) {
      expect(await complete({ state: wrong, code })).toMatchObject({ code: 400 });
    }
    const foreign = { directoryId: other.id, code, state };
    expect((await first.sync.workspace.getAccessToken(foreign)).error).toMatchObject({ code: 400 });
    await first.dataSource.query(
      `UPDATE dsync.workspace_authorizations SET expires_at = now() WHERE directory_id = $1`,
      [directory.id],
    );
    expect(await complete({ state, code })).toMatchObject({
      code: 400,
      message: expect.stringContaining('older than 10 minutes'),
    });
    expect(await stateOf(other.id)).toMatchObject({ state: 'needs_authorization' });
  });

  it('is stored as a hash, with a sealed verifier, for 10 minutes and ten at a time', async () => {
    const states: string[] = [];
    for (let count = 0; count < 12; count += 1) {
      states.push(new URL(await urlOf(first)).searchParams.get('state') ?? '');
    }
    const rows: Json[] = await first.dataSource.query(
      `SELECT *, extract(epoch FROM expires_at - created_at)::int AS ttl
       FROM dsync.workspace_authorizations WHERE directory_id = $1`,
      [directory.id],
    );
    expect(rows).toHaveLength(10);
    expect(rows.map(({ ttl }) => ttl as number)).toEqual(Array(10).fill(600));
    for (const state of states) expect(JSON.stringify(rows)).not.toContain(state.split('.')[1]);
  });

  it('is used up by a refusal of the administrator', async () => {
    google.accounts.isConsentDenied = true;
    const answer = await consented();
    expect(await complete(answer)).toMatchObject({
      code: 400,
      message: 'code: the administrator did not consent',
    });
    expect(await complete({ ...answer, error: undefined, code: 'x' })).toMatchObject({ code: 400 });
  });
});

describe('workspace operations', () => {
  it('exchange a code, and store tokens when they are told to', async () => {
    const { code } = await consented();
    const { data } = await second.sync.workspace.getAccessToken({
      directoryId: directory.id,
      code,
    });
    expect(data).toEqual({
      access_token: expect.stringMatching(/^ya29\./),
      refresh_token: expect.stringMatching(/^1\/\//),
      scope: expect.stringContaining('admin.directory.group.member.readonly'),
      token_type: 'Bearer',
      expiry_date: expect.any(Number),
    });
    expect(await stateOf()).toMatchObject({ state: 'needs_authorization' });
    const saved = await first.sync.workspace.setToken({
      directoryId: directory.id,
      accessToken: data?.access_token ?? '',
      refreshToken: data?.refresh_token ?? '',
    });
    expect(saved.data).toMatchObject({ workspace_access_token: data?.access_token });
    expect(await stateOf()).toMatchObject({ state: 'authorized' });
  });

  it('400, 404 and 502: wrong directories, missing tokens, a provider that fails', async () => {
    const { workspace } = first.sync;
    const scim = await first.newDirectory();
    const codes = async (id: string) => [
      (await workspace.generateAuthorizationUrl(id)).error?.code,
      (await workspace.generateAuthorizationUrl({ directoryId: id })).error?.code,
      (await workspace.getAccessToken({ directoryId: id, code: 'x' })).error?.code,
      (await workspace.setToken({ directoryId: id, accessToken: 'a', refreshToken: 'r' })).error
        ?.code,
    ];
    expect(await codes(scim.id)).toEqual([400, 400, 400, 400]);
    expect(await codes(crypto.randomUUID())).toEqual([404, 404, 404, 404]);
    const tokens = { directoryId: directory.id, accessToken: 'a', refreshToken: 'r' };
    const messageOf = async (changed: object) =>
      (await workspace.setToken({ ...tokens, ...changed })).error;
    expect(await messageOf({ accessToken: '' })).toEqual({
      code: 400,
      message: 'Access token is required',
    });
    expect(await messageOf({ refreshToken: undefined })).toEqual({
      code: 400,
      message: 'Refresh token is required',
    });
    const { code } = await consented();
    google.server.fail('/token', { status: 503 });
    const failed = await workspace.getAccessToken({ directoryId: directory.id, code });
    expect(failed.error).toMatchObject({ code: 502 });
    expect(failed.error?.message).not.toContain(code);
  });
});

describe('tokens', () => {
  it('are refreshed once by two processes, and none is lost if they rotate', async () => {
    google.accounts.rotatesRefreshTokens = true;
    await connect(google, second, directory.id);
    for (let round = 1; round <= 3; round += 1) {
      google.accounts.expireAccessTokens();
      const before = google.server.requestsOf('/token').length;
      const sessions = [
        await first.sync.connections.open(directory.id),
        await second.sync.connections.open(directory.id),
      ];
      const pages = await Promise.all(sessions.map((session) => session.listUsers(null)));
      expect(pages.map(({ items }) => items.length)).toEqual([3, 3]);
      expect(google.server.requestsOf('/token').length - before).toBe(1);
    }
    expect(await stateOf()).toMatchObject({ state: 'authorized' });
  });

  it('of a new consent replace all of the one before', async () => {
    await connect(google, second, directory.id);
    google.accounts.givesRefreshTokens = false;
    await connect(google, second, directory.id);
    google.accounts.givesRefreshTokens = true;
    expect(await stored()).toMatchObject({ refresh_token_sealed: null, state: 'authorized' });
  });

  it('that were revoked end the access, with a reason and one notice', async () => {
    await connect(google, second, directory.id);
    const session = await first.sync.connections.open(directory.id);
    const late = await second.sync.connections.open(directory.id);
    google.accounts.revokeConsents();
    for (const each of [session, late, session]) {
      await expect(each.listUsers(null)).rejects.toMatchObject({ kind: 'needs_authorization' });
    }
    expect(await stateOf()).toMatchObject({
      state: 'needs_authorization',
      reason: expect.stringContaining('revoked'),
    });
    const notices = await noticesOf();
    expect(notices).toHaveLength(1);
    const opened = first.sync.connections.open(directory.id);
    await expect(opened).rejects.toMatchObject({ kind: 'needs_authorization' });
    await connect(google, second, directory.id);
    expect(await stateOf()).toMatchObject({ state: 'authorized', reason: null });
    // A session that still uses the old tokens does not end the new access.
    await expect(late.listUsers(null)).resolves.toMatchObject({ items: { length: 3 } });
    expect(await stateOf()).toMatchObject({ state: 'authorized' });
  });
});

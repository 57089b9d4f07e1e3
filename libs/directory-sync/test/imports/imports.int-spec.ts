import { randomUUID } from 'node:crypto';
import { useFixture } from '../fixture.js';
import { filtered, patch, user } from '../harness.js';
import { APPLY, importing, reasons } from './importing.js';
import { ScriptedSource } from './scripted-source.js';

const fixture = useFixture();
const { imports, run, send, viewOf } = importing(fixture);

describe('an import', () => {
  it('keeps ids and secrets, so that the provider notices nothing', async () => {
    const source = new ScriptedSource();
    const ada = source.user('ada@acme.example');
    const bob = source.user('bob@acme.example', { active: false });
    const team = source.group('Team', [ada, bob]);
    const report = await run(source);
    expect(report).toMatchObject({
      outcome: 'imported',
      users: { created: 2 },
      groups: { created: 1 },
      members: { created: 2 },
      conflictCount: 0,
    });
    expect(await viewOf(source)).toMatchObject({
      id: source.directory.id,
      tenant: source.directory.tenant,
      type: 'okta-scim-v2',
      webhook: { endpoint: 'https://shop.example.com/hooks', secret: 'short' },
      scim: { path: `/api/scim/v2.0/${source.directory.id}`, secret: 'secret-of-the-provider' },
    });
    const found = await send(source, 'GET', filtered('Users', 'userName eq "BOB@acme.example"'));
    expect(found.data.Resources).toMatchObject([{ id: bob, active: false }]);
    const { data } = await send(source, 'GET', `/Groups/${team}`);
    expect(data.members.map(({ value }: { value: string }) => value).sort()).toEqual(
      [ada, bob].sort(),
    );
    const again = await send(source, 'POST', '/Users', user('ADA@acme.example'));
    expect(again.status).toBe(409);
  });

  it('logs no events, and later ones wait until it is activated', async () => {
    const source = new ScriptedSource();
    const ada = source.user('ada@acme.example');
    await run(source);
    const directory = (await viewOf(source))!;
    expect(await fixture.test.eventsOf(directory)).toEqual([]);
    await send(
      source,
      'PATCH',
      `/Users/${ada}`,
      patch({ op: 'replace', value: { active: false } }),
    );
    const webhook = async () =>
      (await fixture.test.sync.directories.status(source.directory.id)).data;
    expect(await webhook()).toMatchObject({ pending: 1, webhook: { state: 'paused' } });
    expect(await imports().activate([source.directory.id])).toEqual([source.directory.id]);
    expect(await webhook()).toMatchObject({ pending: 1, webhook: { state: 'healthy' } });
    expect(await imports().activate([source.directory.id])).toEqual([]);
    expect(reasons(await run(source))).toEqual(['directory_activated']);
  });

  it('writes nothing in a dry run, and reports what it would write', async () => {
    const source = new ScriptedSource();
    source.group('Team', [source.user('ada'), source.user('ADA')]);
    const planned = await run(source, { isDryRun: true, isDelta: false });
    expect(await viewOf(source)).toBeNull();
    expect(planned).toEqual(await run(source));
    expect(reasons(planned)).toEqual(['name_taken', 'orphan_member']);
  });

  it('leaves nothing behind when it ends in the middle, and can be run again', async () => {
    const source = new ScriptedSource();
    for (let count = 0; count < 6; count++) source.user(`user-${count}`);
    source.onPage = (page) => {
      if (page === 3) throw new Error('the source is gone');
    };
    await expect(run(source)).rejects.toThrow('the source is gone');
    expect(await viewOf(source)).toBeNull();
    const stop = new AbortController();
    source.onPage = () => stop.abort();
    await expect(run(source, { ...APPLY, signal: stop.signal })).rejects.toThrow();
    expect(await viewOf(source)).toBeNull();
    source.onPage = () => undefined;
    expect(await run(source)).toMatchObject({ users: { created: 6 } });
  });

  it('is one of two that start at once; the other compares', async () => {
    const source = new ScriptedSource();
    source.group('Team', [source.user('ada'), source.user('bob')]);
    const results = await Promise.allSettled([run(source), run(source)]);
    const written = results.filter(({ status }) => status === 'fulfilled');
    expect(written.length).toBeGreaterThanOrEqual(1);
    expect(await run(source)).toMatchObject({ users: { unchanged: 2 }, members: { unchanged: 2 } });
  });

  it('counts against the quota, and leaves out what exceeds it', async () => {
    const source = new ScriptedSource();
    for (let count = 0; count < 5; count++) source.user(`user-${count}`);
    const report = await run(source, APPLY, { quota: { users: 3 } });
    expect(report.users.created).toBe(3);
    expect(reasons(report)).toEqual(['over_quota', 'over_quota']);
    const [row] = await fixture.database.query(
      'SELECT reserved_users::int AS users FROM dsync.directories WHERE id = $1',
      [source.directory.id],
    );
    expect(row).toEqual({ users: 3 });
  });

  it('imports a deactivated directory as such', async () => {
    const source = new ScriptedSource({ deactivated: true });
    await run(source);
    expect((await send(source, 'GET', '/Users')).status).toBe(403);
  });

  it('imports a workspace directory with its tokens; users come with its first run', async () => {
    const workspace = { domain: 'acme.example', accessToken: 'access', refreshToken: 'refresh' };
    const source = new ScriptedSource({ type: 'google', scimSecret: '', workspace });
    expect(reasons(await run(source))).toEqual(['workspace_resources']);
    expect(await viewOf(source)).toMatchObject({
      type: 'workspace',
      workspace_domain: 'acme.example',
      workspace_access_token: 'access',
      workspace_refresh_token: 'refresh',
    });
  });
});

describe('a conflict', () => {
  it.each([
    ['directory_invalid', { type: 'unknown-scim-v2' }],
    ['directory_invalid', { webhookUrl: 'ftp://shop.example.com' }],
    ['directory_invalid', { scimSecret: '' }],
    ['directory_invalid', { id: 'not-a-uuid' }],
  ])('%s leaves the directory out: %j', async (reason, directory) => {
    const report = await run(new ScriptedSource(directory));
    expect(report.outcome).toBe('skipped');
    expect(reasons(report)).toEqual([reason]);
  });

  it('directory_exists and directory_elsewhere protect what was not imported', async () => {
    const { id, tenant, product } = fixture.directory;
    const before = await fixture.test.sync.directories.get(id);
    const same = new ScriptedSource({ id, tenant, product });
    expect(reasons(await run(same))).toEqual(['directory_exists']);
    expect(reasons(await run(new ScriptedSource({ id })))).toEqual(['directory_elsewhere']);
    expect(await fixture.test.sync.directories.get(id)).toEqual(before);
  });

  it('id_taken keeps a tenant from taking over the users and groups of another', async () => {
    const created = await fixture.directory.send('POST', '/Users', user('victim'));
    const hostile = new ScriptedSource();
    const victim = hostile.user('thief', {}, created.data.id as string);
    hostile.group('Team', [victim]);
    expect(reasons(await run(hostile))).toEqual(['id_taken', 'orphan_member']);
    const { data } = await fixture.directory.send('GET', `/Users/${victim}`);
    expect(data).toMatchObject({ userName: 'victim' });
    expect(data.groups).toBeUndefined();
  });

  it('is reported for each user or group that cannot be stored, and the others are', async () => {
    const source = new ScriptedSource({ type: 'azure-scim-v2' });
    source.user('kept');
    source.user('nul\u0000');
    source.user('bad id', {}, '4711');
    source.listedUsers.set('x', { id: randomUUID(), resource: {} });
    source.group('Twice');
    source.group('TWICE');
    const report = await run(source);
    expect(reasons(report).sort()).toEqual(
      ['resource_invalid', 'id_invalid', 'resource_invalid', 'group_name_taken'].sort(),
    );
    expect(report).toMatchObject({ users: { created: 1 }, groups: { created: 1 } });
  });
});

import { uuidv7Bound } from '@gatehouse/kit/ids';
import { type Json } from '../harness.js';
import { useFixture } from '../fixture.js';

const fixture = useFixture();

const ODD = [undefined, null, 5, NaN, '', 'x', '\u0000', [], {}, { id: {} }, () => 'x'];

/** Every operation, called with invalid arguments. */
const operations = (): [string, (odd: Json) => Promise<Json>][] => {
  const { directories, users, groups, events, webhookLogs, auditEvents, requests, providers } =
    fixture.test.sync;
  const { search, workspaceRuns, scimTokens, roleMappings, keyLinks } = fixture.test.sync;
  const { id } = fixture.directory;
  return [
    ['directories.create', (odd) => directories.create(odd)],
    ['directories.create', (odd) => directories.create({ tenant: odd, product: odd })],
    ['directories.get', (odd) => directories.get(odd)],
    ['directories.getByTenantAndProduct', (odd) => directories.getByTenantAndProduct(odd, odd)],
    ['directories.getAll', (odd) => directories.getAll(odd)],
    ['directories.getAll', (odd) => directories.getAll({ pageLimit: odd, pageOffset: odd })],
    ['directories.filterBy', (odd) => directories.filterBy(odd)],
    ['directories.filterBy', (odd) => directories.filterBy({ product: odd, provider: odd })],
    ['directories.update', (odd) => directories.update(odd, odd)],
    ['directories.update', (odd) => directories.update(id, odd)],
    ['directories.update', (odd) => directories.update(id, { name: odd, attribute_mapping: odd })],
    ['directories.delete', (odd) => directories.delete(odd)],
    ['directories.rotateSecret', (odd) => directories.rotateSecret(odd, odd)],
    ['directories.status', (odd) => directories.status(odd)],
    ['users.getAll', (odd) => users.setTenantAndProduct(odd, odd).getAll(odd)],
    ['users.getAll', (odd) => users.setTenantAndProduct('a', 'b').getAll(odd)],
    ['users.getAll', (odd) => users.inScope(odd).getAll({ directoryId: odd })],
    ['users.get', (odd) => users.setTenantAndProduct('a', 'b').get(odd)],
    ['groups.getAll', (odd) => groups.setTenantAndProduct(odd, odd).getAll(odd)],
    ['groups.getAll', (odd) => groups.setTenantAndProduct('a', 'b').getAll(odd)],
    ['groups.get', (odd) => groups.setTenantAndProduct('a', 'b').get(odd)],
    ['groups.getGroupMembers', (odd) => groups.setTenantAndProduct('a', 'b').getGroupMembers(odd)],
    ['groups.getGroupMembers', (odd) => groups.inScope(odd).getGroupMembers({ groupId: odd })],
    ['events.getAll', (odd) => events.getAll(odd)],
    ['events.getAll', (odd) => events.getAll({ directoryId: id, after: odd, limit: odd })],
    ['events.get', (odd) => events.get(odd)],
    ['events.resend', (odd) => events.resend(odd)],
    ['auditEvents.getAll', (odd) => auditEvents.getAll(odd)],
    ['auditEvents.getAll', (odd) => auditEvents.getAll({ type: odd, pageLimit: odd })],
    ['auditEvents.deleteBefore', (odd) => auditEvents.deleteBefore(odd)],
    ['search.find', (odd) => search.find(odd)],
    ['search.find', (odd) => search.find({ query: odd, pageLimit: odd })],
    ['events.processBatch', (odd) => events.processBatch(odd)],
    ['events.processBatch', (odd) => events.processBatch({ directoryId: odd })],
    ['webhookLogs.getAll', (odd) => webhookLogs.getAll(odd)],
    ['workspaceRuns.start', (odd) => workspaceRuns.start(odd)],
    ['workspaceRuns.list', (odd) => workspaceRuns.list(odd, odd)],
    ['workspaceRuns.get', (odd) => workspaceRuns.get(odd, odd)],
    ['workspaceRuns.approve', (odd) => workspaceRuns.approve(id, odd)],
    ['workspaceRuns.discard', (odd) => workspaceRuns.discard(odd, odd)],
    ['workspaceRuns.changeSettings', (odd) => workspaceRuns.changeSettings(odd, odd)],
    ['keyLinks.put', (odd) => keyLinks.put(odd)],
    ['keyLinks.put', (odd) => keyLinks.put({ tenant: odd, product: odd, attribute: odd })],
    ['keyLinks.getPage', (odd) => keyLinks.getPage(odd)],
    ['keyLinks.getPage', (odd) => keyLinks.getPage({ tenant: odd, pageOffset: odd })],
    ['keyLinks.delete', (odd) => keyLinks.delete({ tenant: odd, product: odd })],
    ['scimTokens.list', (odd) => scimTokens.list(odd)],
    ['scimTokens.get', (odd) => scimTokens.get(id, odd)],
    ['scimTokens.create', (odd) => scimTokens.create(id, odd)],
    ['scimTokens.create', (odd) => scimTokens.create(id, { name: odd, ttl: odd })],
    ['scimTokens.update', (odd) => scimTokens.update(id, odd, { expires_at: odd })],
    ['scimTokens.rotate', (odd) => scimTokens.rotate(id, odd, odd)],
    ['scimTokens.delete', (odd) => scimTokens.delete(id, odd)],
    ['scimTokens.retireSecret', (odd) => scimTokens.retireSecret(odd)],
    ['users.getAll', (odd) => users.inScope({ directoryId: id }).getAll({ role: odd })],
    ['roleMappings.get', (odd) => roleMappings.get(odd)],
    ['roleMappings.put', (odd) => roleMappings.put(id, odd)],
    ['roleMappings.put', (odd) => roleMappings.put(id, { mode: odd, rules: odd })],
    ['roleMappings.put', (odd) => roleMappings.put(id, { rules: [{ group: odd, role: odd }] })],
    ['roleMappings.preview', (odd) => roleMappings.preview(id, odd)],
    ['roleMappings.delete', (odd) => roleMappings.delete(odd)],
    ['requests.handle', (odd) => requests.handle(odd)],
    ['requests.handle', (odd) => requests.handle({ directoryId: id, body: odd } as Json)],
    ['providers', () => providers()],
  ];
};

describe('the controller object', () => {
  it('has the documented operations', () => {
    const namesOf = (part: object) => [
      ...Object.keys(part),
      ...Object.getOwnPropertyNames(Object.getPrototypeOf(part)),
    ];
    const { sync } = fixture.test;
    expect(Object.keys(sync)).toEqual([
      'directories',
      'users',
      'groups',
      'events',
      'webhookEndpoints',
      'webhookAdmin',
      'webhookLogs',
      'auditEvents',
      'search',
      'workspaceRuns',
      'scimTokens',
      'guards',
      'keyLinks',
      'roleMappings',
      'roleJobs',
      'workspaceNotifications',
      'workspace',
      'connections',
      'sync',
      'requests',
      'requestLog',
      'maintainRequestLog',
      'requestHistory',
      'parts',
      'providers',
      'close',
    ]);
    expect(namesOf(sync.directories)).toEqual(
      expect.arrayContaining(
        'create get getByTenantAndProduct getAll filterBy update delete rotateSecret'.split(' '),
      ),
    );
    const users = sync.users.setTenantAndProduct('a', 'b');
    const groups = sync.groups.setTenantAndProduct('a', 'b');
    expect(namesOf(users)).toEqual(expect.arrayContaining(['getAll', 'get']));
    expect(namesOf(groups)).toEqual(expect.arrayContaining(['getAll', 'get', 'getGroupMembers']));
    expect(namesOf(sync.events)).toEqual(
      expect.arrayContaining(['getAll', 'latest', 'processBatch']),
    );
    expect(namesOf(sync.requests)).toEqual(expect.arrayContaining(['handle']));
  });

  it('audits changes for the caller `library`, or for the one that is named', async () => {
    const { directories, auditEvents } = fixture.test.sync;
    const { id } = fixture.directory;
    const call = { caller: 'console', ip: '192.0.2.1', requestId: 'r' };
    await directories.update(id, { name: 'renamed' }, call);
    const { data } = await auditEvents.getAll({ targetId: id });
    expect(data).toMatchObject([
      { type: 'directory.updated', caller: 'console', ip: '192.0.2.1', request_id: 'r' },
      { type: 'directory.created', caller: 'library', ip: '', request_id: '' },
    ]);
  });

  it('deletes old audit events where no service does, and none of the last seven days', async () => {
    const { dataSource, sync } = fixture.test;
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
    const old = daysAgo(10);
    await dataSource.query(
      `INSERT INTO dsync.audit_events
        (event_id, type, caller, ip, request_id, create_time, details, target_id, directory_id)
      VALUES ($1, 'directory.updated', 'old', '', '', $2, '{}', '', '')`,
      [uuidv7Bound(old), old],
    );
    const ofOld = async () => (await sync.auditEvents.getAll({ caller: 'old' })).data?.length;
    for (const time of [daysAgo(6), new Date(NaN)]) {
      expect((await sync.auditEvents.deleteBefore(time)).error?.code).toBe(400);
    }
    expect((await sync.auditEvents.deleteBefore(daysAgo(11))).data).toEqual({ deleted: 0 });
    expect(await ofOld()).toBe(1);
    expect((await sync.auditEvents.deleteBefore(daysAgo(9))).data).toEqual({ deleted: 1 });
    expect(await ofOld()).toBe(0);
    const { id: targetId } = fixture.directory;
    expect((await sync.auditEvents.getAll({ targetId })).data).toHaveLength(1);
  });

  it('resolves to data or a 4xx error for any argument, and never throws', async () => {
    const wrong: unknown[] = [];
    for (const [index, [name, operation]] of operations().entries()) {
      for (const odd of ODD) {
        const result = await operation(odd).catch((thrown: unknown) => ({ thrown }));
        const code: unknown = name === 'requests.handle' ? result.status : result.error?.code;
        const isCallers = typeof code === 'number' && code >= 400 && code < 500;
        const isDone = result.error === null && 'data' in result;
        if (!isCallers && !isDone) wrong.push([name, index, odd, result]);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('returns scoped handles that are independent of each other', async () => {
    const { users } = fixture.test.sync;
    const other = await fixture.test.newDirectory({ tenant: 'other', product: 'p' });
    await other.send('POST', '/Users', { userName: 'ann' });
    const [one, two] = [
      users.setTenantAndProduct(fixture.directory.tenant, 'product'),
      users.setTenantAndProduct('other', 'p'),
    ];
    const [ofOne, ofTwo] = await Promise.all([one.getAll(), two.getAll()]);
    expect([ofOne.data?.length, ofTwo.data?.length]).toEqual([0, 1]);
    expect(await one.get(ofTwo.data?.[0]?.id ?? '')).toEqual({
      data: null,
      error: { message: 'User not found', code: 404 },
    });
  });
});

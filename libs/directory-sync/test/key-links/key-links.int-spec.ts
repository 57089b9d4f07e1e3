/** Key links as administrators see them. */
import { KEY_SERVICE_ENDPOINT } from '@gatehouse/delivery';
import { type KeyLinkInput } from '../../src/management/key-links/key-links.js';
import { openSync, user } from '../harness.js';
import { useKeyLinks } from './key-link-fixture.js';

const fixture = useKeyLinks();
const put = (input: object) => fixture.test.sync.keyLinks.put(input as KeyLinkInput);
const scope = () => ({ tenant: fixture.directory.tenant, product: fixture.directory.product });

describe('a key link', () => {
  it('is off by default, is replaced as a whole, and has a higher revision each time', async () => {
    const { data: first } = await put({ ...scope(), attribute: 'id' });
    expect(first).toMatchObject({
      ...scope(),
      attribute: 'id',
      actor_prefix: '',
      email_domains: [],
      all_actors: false,
      on_deactivate: 'off',
      on_delete: 'off',
    });
    const email = { attribute: 'email', email_domains: ['Example.com', 'example.com'] };
    const { data: second } = await put({ ...scope(), ...email, on_delete: 'revoke' });
    expect(second).toMatchObject({ email_domains: ['example.com'], on_delete: 'revoke' });
    expect(second!.revision).toBeGreaterThan(first!.revision);
    expect(await fixture.test.sync.keyLinks.delete(scope())).toEqual({ data: null, error: null });
    const { data: third } = await put({ ...scope(), attribute: 'id' });
    expect(third!.revision).toBeGreaterThan(second!.revision);
  });

  it('is listed by tenant and product, in pages', async () => {
    const { tenant } = scope();
    for (const product of ['b', 'a', 'c']) await put({ tenant, product, attribute: 'id' });
    const list = fixture.test.sync.keyLinks;
    const { data: page } = await list.getPage({ tenant, pageLimit: 2 });
    expect(page).toMatchObject({ items: [{ product: 'a' }, { product: 'b' }], nextOffset: 2 });
    const { data: rest } = await list.getPage({ tenant, pageOffset: 2 });
    expect(rest).toMatchObject({ items: [{ product: 'c' }], nextOffset: null });
    expect((await list.getPage({ tenant, product: 'b' })).data!.items).toHaveLength(1);
    expect((await list.getPage({ tenant: 'another' })).data!.items).toEqual([]);
  });

  it('is audited when it is set and deleted', async () => {
    await put({ ...scope(), attribute: 'id', on_delete: 'pause' });
    await fixture.test.sync.keyLinks.delete(scope());
    const { data } = await fixture.test.sync.auditEvents.getAll();
    const fields = ['tenant', 'product', 'attribute', 'on_delete'];
    expect(data!.slice(0, 2)).toMatchObject([
      { type: 'key_link.deleted', details: scope() },
      { type: 'key_link.updated', details: { ...scope(), fields } },
    ]);
  });

  it('of an attribute that the identity provider sets is bound to actors of the tenant', async () => {
    const accepted = [
      { attribute: 'userName', actor_prefix: 'acme:' },
      { attribute: 'email', email_domains: ['example.com'] },
      { attribute: 'department', actor_prefix: 'acme/' },
      { attribute: 'externalId', all_actors: true },
    ];
    for (const link of accepted) expect((await put({ ...scope(), ...link })).error).toBeNull();
    const refused: [object, string][] = [
      [{ attribute: 'userName' }, 'bound it by actor_prefix'],
      [
        { attribute: 'externalId', all_actors: false },
        'attribute: is set by the identity provider',
      ],
      [
        { attribute: 'externalId', email_domains: ['example.com'] },
        'email_domains: can only bound',
      ],
      [{ attribute: 'userName', actor_prefix: 'acme' }, 'actor_prefix: must end with a separator'],
      [{ attribute: 'email', email_domains: ['@example.com'] }, 'email_domains: must be domains'],
      [{ attribute: 'no name' }, 'attribute: must be one of id, userName, externalId, email'],
      [{}, 'attribute: is required'],
      [{ attribute: 'id', on_delete: 'delete' }, 'on_delete: must be one of off, pause, revoke'],
      [{ attribute: 'id', tenant: 'a:b' }, 'tenant cannot contain the character :'],
      [{ attribute: 'id', policy: 'pause' }, 'policy: is not a known field'],
    ];
    for (const [link, message] of refused) {
      const { error } = await put({ ...scope(), ...link });
      expect(error).toMatchObject({ code: 400, message: expect.stringContaining(message) });
    }
  });

  it('that does not exist cannot be deleted', async () => {
    const { delete: remove } = fixture.test.sync.keyLinks;
    expect((await remove(scope())).error).toMatchObject({ code: 404 });
    expect((await remove({ ...scope(), tenant: '' })).error).toMatchObject({ code: 400 });
  });
});

describe('the lane of the key service', () => {
  it('is no webhook: it can be neither seen nor changed, and says nothing of events', async () => {
    const { sync } = fixture.test;
    const { id } = fixture.directory;
    await fixture.link();
    await fixture.directory.send('POST', '/Users', user('ann'));
    const { webhookEndpoints: endpoints } = sync;
    expect((await endpoints.list(id)).data).toEqual([]);
    expect((await endpoints.getAll(scope())).data).toEqual([]);
    const changes = [
      endpoints.get(id, KEY_SERVICE_ENDPOINT),
      endpoints.update(id, KEY_SERVICE_ENDPOINT, { url: 'https://example.com' }),
      endpoints.pause(id, KEY_SERVICE_ENDPOINT),
      endpoints.resume(id, KEY_SERVICE_ENDPOINT),
      endpoints.test(id, KEY_SERVICE_ENDPOINT),
      endpoints.status(id, KEY_SERVICE_ENDPOINT),
      endpoints.rotateSecret(id, KEY_SERVICE_ENDPOINT),
      endpoints.delete(id, KEY_SERVICE_ENDPOINT),
    ];
    for (const change of changes) expect((await change).error).toMatchObject({ code: 404 });
    const { data: events } = await sync.events.getAll({ directoryId: id });
    expect(events!.map(({ state }) => state)).toEqual(['not_sent']);
    expect((await sync.directories.status(id)).data).toMatchObject({
      pending: 0,
      webhook: { state: 'none' },
      health: { state: 'healthy' },
    });
    const urls = Array.from({ length: 9 }, (_, n) => `http://127.0.0.1/${n}`);
    for (const url of urls) expect((await endpoints.create(id, { url })).error).toBeNull();
  });

  it('is shown in the status of its directory', async () => {
    const status = async () =>
      (await fixture.test.sync.directories.status(fixture.directory.id)).data;
    expect(await status()).toMatchObject({ key_link: null });
    await fixture.link();
    const healthy = { state: 'healthy', reason: null };
    expect(await status()).toMatchObject({ key_link: { ...healthy, snapshot_pending: true } });
    await fixture.sendPeople();
    expect(await status()).toMatchObject({ key_link: { ...healthy, snapshot_pending: false } });
    fixture.answer = () => Promise.reject(new Error('no reply'));
    await fixture.directory.send('POST', '/Users', user('ann'));
    await fixture.runLane();
    expect(await status()).toMatchObject({
      health: { state: 'healthy' },
      key_link: { state: 'failing', reason: 'no reply', snapshot_pending: false },
    });
    await fixture.test.sync.keyLinks.delete(scope());
    expect(await status()).toMatchObject({ key_link: null });
  });

  it('goes on while its directory is deactivated', async () => {
    await fixture.link();
    await fixture.directory.send('POST', '/Users', user('ann'));
    const { id } = fixture.directory;
    await fixture.test.sync.directories.update(id, { deactivated: true });
    await fixture.runLane();
    expect(fixture.peopleOf()).toHaveLength(1);
  });

  it('wakes alone where webhooks wait for their batch, and only with a link', async () => {
    const woken: [string, string | undefined][] = [];
    const batches = await openSync(fixture.database.url, {
      sendsAtOnce: false,
      wakeLane: (...wake) => woken.push(wake as [string, string | undefined]),
    });
    try {
      const directory = await batches.newDirectory({
        webhook_url: 'http://127.0.0.1/hook',
        webhook_secret: 'a-secret-of-the-receiver',
      });
      await directory.send('POST', '/Users', user('ann'));
      expect(woken).toEqual([]);
      await fixture.link(directory);
      await directory.send('POST', '/Users', user('bob'));
      expect(woken).toEqual([[directory.id, KEY_SERVICE_ENDPOINT]]);
      const { id } = directory;
      const all = await fixture.newDelivery(10).endpointsOf(id, () => undefined);
      expect(all).toHaveLength(2);
      const alone = fixture.newDelivery(10).endpointsOf(id, () => undefined, KEY_SERVICE_ENDPOINT);
      expect(await alone).toEqual([{ id: KEY_SERVICE_ENDPOINT, sourceId: id }]);
    } finally {
      await batches.close();
    }
  });
});

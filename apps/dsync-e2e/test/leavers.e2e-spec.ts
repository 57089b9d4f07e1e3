/** From a SCIM request to the refusal of a key, through the real services. */
import { eventually } from '@gatehouse/testing';
import { type LinkedStack, openLinkedStack, REVOKED, setActive } from './linked-stack.js';
import { manage, newDirectory, user } from './sync-stack.js';

let stack: LinkedStack;
beforeAll(async () => {
  stack = await openLinkedStack();
});
afterAll(() => stack.close());

/** A user with a key that works. */
async function personOf(
  directory: Awaited<ReturnType<LinkedStack['linkedDirectory']>>,
  name = 'kim',
) {
  const { body } = await directory.scim('POST', '/Users', user(name, { active: true }));
  const key = await stack.issue(directory.actor(name));
  await stack.works(key.secret);
  return { id: body.id as string, key };
}

it('a PATCH stops the key and its JWT on every replica, and another one brings both back', async () => {
  const directory = await stack.linkedDirectory();
  const { id, key } = await personOf(directory);
  const { body } = await stack.admin('POST', '/apiKeys:derive', { credential: key.secret });
  await directory.scim('PATCH', `/Users/${id}`, setActive(false));
  await stack.isRefused(key.secret);
  await stack.isRefused(body.token.token as string);
  await directory.scim('PATCH', `/Users/${id}`, setActive(true));
  await stack.works(key.secret);
  await stack.works(body.token.token as string);
});

it('a PUT, a deletion and a bulk request do the same', async () => {
  const directory = await stack.linkedDirectory();
  const [put, deleted, bulk] = [
    await personOf(directory, 'put'),
    await personOf(directory, 'deleted'),
    await personOf(directory, 'bulk'),
  ];
  await directory.scim('PUT', `/Users/${put.id}`, user('put', { active: false }));
  await directory.scim('DELETE', `/Users/${deleted.id}`);
  await directory.scim('POST', '/Bulk', {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations: [{ method: 'PATCH', path: `/Users/${bulk.id}`, data: setActive(false) }],
  });
  await stack.isRefused(put.key.secret);
  await stack.isRefused(deleted.key.secret, REVOKED);
  await stack.isRefused(bulk.key.secret);
});

it('a removal that is held stops no key until it is approved', async () => {
  const directory = await stack.linkedDirectory({ on_deactivate: 'pause', on_delete: 'pause' });
  const people = [await personOf(directory, 'a'), await personOf(directory, 'b')];
  const [removed, held] = people as [(typeof people)[0], (typeof people)[0]];
  await manage(stack.api, 'PATCH', `/${directory.id}/guard`, { max_deletes: 1 });
  expect((await directory.scim('DELETE', `/Users/${removed.id}`)).status).toBe(204);
  expect((await directory.scim('DELETE', `/Users/${held.id}`)).status).toBe(403);
  // The lane of the directory has come as far.
  await stack.isRefused(removed.key.secret);
  expect(await stack.errorsOf(held.key.secret)).toEqual([undefined, undefined]);
  const { body } = await manage(stack.api, 'GET', `/${directory.id}/runs`);
  await manage(stack.api, 'POST', `/${directory.id}/runs/${body.data[0].id}/approve`);
  await stack.isRefused(held.key.secret);
});

it('a link that is made later finds who has left before, and shows it first', async () => {
  const directory = await stack.linkedDirectory({});
  const { id, key } = await personOf(directory);
  await directory.scim('PATCH', `/Users/${id}`, setActive(false));
  const query = `tenant=${directory.tenant}&product=product`;
  await eventually(async () => {
    const { body } = await stack.admin('GET', `/directoryLinks:preview?${query}`);
    expect(body.keys).toMatchObject([{ key_id: key.id, leaver: { user_id: id } }]);
  });
  await stack.works(key.secret);
  await directory.putLink({ on_deactivate: 'pause' });
  await stack.isRefused(key.secret);
});

it('a new directory of the scope is linked too, and a person stays while one has it active', async () => {
  const directory = await stack.linkedDirectory();
  const other = await newDirectory(stack.api, { tenant: directory.tenant, product: 'product' });
  const { id, key } = await personOf(directory);
  await other.scim('POST', '/Users', user('kim', { active: true }));
  await eventually(async () => {
    const [row] = await stack.database.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM keys.people WHERE actor_id = $1 AND state = 'active'`,
      [directory.actor('kim')],
    );
    expect(row?.count).toBe(2);
  });
  await directory.scim('PATCH', `/Users/${id}`, setActive(false));
  await eventually(async () => {
    const [row] = await stack.database.query<{ state: string }>(
      `SELECT state FROM keys.people WHERE actor_id = $1 AND source_id = $2`,
      [directory.actor('kim'), directory.id],
    );
    expect(row?.state).toBe('inactive');
  });
  await stack.works(key.secret);
});

it('a hostile identity provider cannot name actors beyond the bounds of its link', async () => {
  const victim = await stack.linkedDirectory();
  const hostile = await stack.linkedDirectory();
  const { key } = await personOf(victim);
  const names = [victim.actor('kim'), `../${victim.actor('kim')}`, 'kim'];
  for (const name of names) {
    const { body } = await hostile.scim('POST', '/Users', user(name, { active: true }));
    await hostile.scim('PATCH', `/Users/${body.id}`, setActive(false));
  }
  const own = await personOf(hostile, 'own');
  await hostile.scim('PATCH', `/Users/${own.id}`, setActive(false));
  await stack.isRefused(own.key.secret);
  expect(await stack.errorsOf(key.secret)).toEqual([undefined, undefined]);
});

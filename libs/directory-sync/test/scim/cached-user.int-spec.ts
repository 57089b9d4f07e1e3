import { type Answer, patch, type TestDirectory, type TestSync, user } from '../harness.js';
import { useReplicas } from '../fixture.js';
import { scimTarget } from '../../src/scim/requests/scim-target.js';

// One replica has cached a user that it wrote; then another replica changes the user. Cached values
// must neither be stored again nor decide a response.

const replicas = useReplicas();
let directory: TestDirectory;
let id: string;
let statements: number;

beforeAll(() => {
  const pool = poolOf(replicas.answering);
  const query = pool.query.bind(pool);
  pool.query = (...values: unknown[]) => {
    statements += 1;
    return query(...values);
  };
});

beforeEach(async () => {
  directory = await replicas.answering.newDirectory();
  const ann = user('ann', { title: 'first', active: true, emails: [{ value: 'ann@a.example' }] });
  id = (await directory.send('POST', '/Users', ann)).data.id as string;
  statements = 0;
});

function poolOf({ dataSource }: TestSync): { query: (...values: unknown[]) => unknown } {
  return (dataSource.driver as unknown as { master: ReturnType<typeof poolOf> }).master;
}

/** A request to the other replica. */
function elsewhere(method: string, path: string, body?: unknown): Promise<Answer> {
  return replicas.changing.sync.requests.scim.respond({
    directoryId: directory.id,
    apiSecret: directory.scim.secret,
    method,
    target: scimTarget(path),
    query: {},
    body,
  });
}

const replace = (path: string, value: unknown) => patch({ op: 'replace', path, value });
const stored = async () => (await elsewhere('GET', `/Users/${id}`)).data;

it('a change of a cached user is one statement', async () => {
  const { status, data } = await directory.send('PATCH', `/Users/${id}`, replace('active', false));
  expect({ status, active: data.active, title: data.title }).toEqual({
    status: 200,
    active: false,
    title: 'first',
  });
  await directory.send('PUT', `/Users/${id}`, user('ann', { title: 'second' }));
  expect(statements).toBe(2);
  const events = await replicas.answering.eventsOf(directory);
  expect(events.map(({ event, previous }) => [event, previous?.active])).toEqual([
    ['user.created', undefined],
    ['user.updated', true],
    ['user.updated', undefined],
  ]);
});

it('a change is based on what another replica has written', async () => {
  await elsewhere('PATCH', `/Users/${id}`, replace('displayName', 'Ann'));
  const { data } = await directory.send('PATCH', `/Users/${id}`, replace('title', 'second'));
  expect(data).toMatchObject({ displayName: 'Ann', title: 'second' });
  expect(await stored()).toMatchObject({ displayName: 'Ann', title: 'second' });
});

it('a change to cached values applies if another replica has changed the user', async () => {
  await elsewhere('PATCH', `/Users/${id}`, replace('active', false));
  const { data } = await directory.send('PATCH', `/Users/${id}`, replace('active', true));
  expect(data.active).toBe(true);
  expect((await stored()).active).toBe(true);
  const events = await replicas.answering.eventsOf(directory);
  expect(events.map(({ data: { active } }) => active)).toEqual([true, false, true]);
});

it('a change to equal values writes nothing', async () => {
  const { status, headers } = await directory.send(
    'PATCH',
    `/Users/${id}`,
    replace('active', true),
  );
  expect([status, headers.ETag]).toEqual([200, 'W/"1"']);
  expect(await replicas.answering.eventsOf(directory)).toHaveLength(1);
});

it('a change that is invalid for the cached user but valid for the stored one is applied', async () => {
  const emails = [{ value: 'ann@b.example', type: 'work' }];
  const path = 'emails[type eq "work"].value';
  await elsewhere('PATCH', `/Users/${id}`, replace('emails', emails));
  const change = replace(path, 'ann@c.example');
  expect((await directory.send('PATCH', `/Users/${id}`, change)).status).toBe(200);
  expect((await stored()).emails[0].value).toBe('ann@c.example');
});

it('a change that is valid for the cached user but invalid for the stored one is refused', async () => {
  const path = 'emails[value eq "ann@a.example"].type';
  await elsewhere('PATCH', `/Users/${id}`, patch({ op: 'remove', path: 'emails' }));
  const { status, data } = await directory.send('PATCH', `/Users/${id}`, replace(path, 'home'));
  expect([status, data.scimType]).toEqual([400, 'noTarget']);
});

it('If-Match compares with the stored version', async () => {
  await elsewhere('PATCH', `/Users/${id}`, replace('title', 'second'));
  const send = (ifMatch: string) =>
    directory.send('PATCH', `/Users/${id}`, replace('title', 'third'), { ifMatch });
  expect((await send('W/"1"')).status).toBe(412);
  expect((await send('W/"2"')).status).toBe(200);
});

it('groups in the response are current', async () => {
  const devs = { displayName: 'devs', members: [{ value: id }] };
  await elsewhere('POST', '/Groups', devs);
  const { data } = await directory.send('PATCH', `/Users/${id}`, replace('title', 'second'));
  expect(data.groups).toMatchObject([{ display: 'devs' }]);
});

it('a user that was deleted elsewhere is not found', async () => {
  await elsewhere('DELETE', `/Users/${id}`);
  expect((await directory.send('PATCH', `/Users/${id}`, replace('title', 'x'))).status).toBe(404);
  expect((await directory.send('PUT', `/Users/${id}`, user('ann'))).status).toBe(404);
});

it('a version that a restored database assigns again is a different one', async () => {
  await replicas.database.query(
    `UPDATE dsync.users SET raw = raw || '{"displayName": "Restored"}',
      updated_at = updated_at - interval '1 day' WHERE id = $1`,
    [id],
  );
  await directory.send('PATCH', `/Users/${id}`, replace('title', 'second'));
  expect(await stored()).toMatchObject({ displayName: 'Restored', title: 'second' });
});

it('a user cannot be changed through another directory', async () => {
  const sibling = await replicas.answering.newDirectory();
  await sibling.send('GET', '/Users');
  expect((await sibling.send('PATCH', `/Users/${id}`, replace('title', 'x'))).status).toBe(404);
  expect((await stored()).title).toBe('first');
});

it('modifying a response or an event does not change the cache', async () => {
  const change = replace('title', 'second');
  const spoil = (resource: { emails: { value: string }[] }) => {
    for (const email of resource.emails) email.value = 'spoilt';
  };
  const { data } = await directory.send('PATCH', `/Users/${id}`, change, {
    callback: (event) => {
      spoil(event.data.raw as never);
      spoil(event.previous?.raw as never);
    },
  });
  expect(data.emails[0].value).toBe('ann@a.example');
  spoil(data);
  await directory.send('PATCH', `/Users/${id}`, replace('title', 'third'));
  expect((await stored()).emails[0].value).toBe('ann@a.example');
});

it('twenty concurrent changes on two replicas are all kept', async () => {
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  const answers = await Promise.all(
    numbers.map((number) => {
      const change = patch({
        op: 'add',
        path: 'phoneNumbers',
        value: [{ value: `+1${number}`, type: `t${number}` }],
      });
      return number % 2 === 0
        ? directory.send('PATCH', `/Users/${id}`, change)
        : elsewhere('PATCH', `/Users/${id}`, change);
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 200));
  expect((await stored()).phoneNumbers).toHaveLength(20);
  const events = await replicas.answering.eventsOf(directory);
  const counts = events.map(
    ({ data }) => ((data.raw as { phoneNumbers?: unknown[] }).phoneNumbers ?? []).length,
  );
  expect(counts).toEqual([0, ...numbers.map((number) => number + 1)]);
});

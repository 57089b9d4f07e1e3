import { filtered, group, patch, type TestDirectory, user } from '../harness.js';
import { useReplicas } from '../fixture.js';

// One replica has cached a directory that the other changes. The cache must never allow a request
// that the change rules out.

const replicas = useReplicas();
let directory: TestDirectory;
let groupId: string;
let userId: string;

beforeEach(async () => {
  directory = await replicas.answering.newDirectory();
  userId = (await directory.send('POST', '/Users', user('ann'))).data.id as string;
  groupId = (await directory.send('POST', '/Groups', group('devs'))).data.id as string;
});

/** Requests of every kind that may use a cached directory. */
const requests = () =>
  [
    ['POST', '/Users', user('bob')],
    ['POST', '/Groups', group('ops')],
    ['GET', '/Users', undefined],
    ['GET', filtered('Users', 'userName eq "unknown"'), undefined],
    ['GET', '/Users?count=0', undefined],
    ['GET', '/Users?cursor=', undefined],
    ['GET', filtered('Groups', 'displayName eq "devs"'), undefined],
    ['POST', '/Users/.search', { filter: 'userName pr' }],
    [
      'PATCH',
      `/Groups/${groupId}`,
      patch({ op: 'add', path: 'members', value: [{ value: groupId }] }),
    ],
    ['PATCH', `/Groups/${groupId}`, patch({ op: 'replace', path: 'displayName', value: 'devs' })],
    ['PATCH', `/Groups/${groupId}`, patch({ op: 'replace', path: 'displayName', value: 'others' })],
    ['PATCH', `/Groups/${groupId}`, patch({ op: 'remove', path: 'members[type eq "User"]' })],
    ['PATCH', `/Groups/${crypto.randomUUID()}`, patch({ op: 'remove', path: 'members' })],
    ['PATCH', `/Users/${userId}`, patch({ op: 'replace', path: 'userName', value: 'eve' })],
    ['PATCH', `/Users/${userId}`, patch({ op: 'replace', path: 'userName', value: 'ann' })],
    ['PUT', `/Users/${userId}`, user('eve')],
    ['POST', '/Users', { userName: 7 }],
    ['POST', '/Users', user('ann')],
    ['GET', '/Users?count=nonsense', undefined],
    ['PATCH', `/Users/${userId}`, { Operations: 'none' }],
    ['DELETE', '/Users', undefined],
  ] as const;

const changes: [string, number, () => Promise<unknown>][] = [
  [
    'its secret is rotated',
    401,
    () => replicas.changing.sync.directories.rotateSecret(directory.id),
  ],
  [
    'it is deactivated',
    403,
    () => replicas.changing.sync.directories.update(directory.id, { deactivated: true }),
  ],
  ['it is deleted', 401, () => replicas.changing.sync.directories.delete(directory.id)],
];

describe.each(changes)('once %s elsewhere', (_, status, change) => {
  it.each(Array.from({ length: 21 }, (_unused, index) => index))(
    `request %i gets ${status} and changes nothing`,
    async (index) => {
      // Fill the cache before the change.
      expect((await directory.send('GET', '/Users')).status).toBe(200);
      await change();
      const [method, path, body] = requests()[index] as ReturnType<typeof requests>[0];
      expect((await directory.send(method, path, body)).status).toBe(status);
      const rows = await replicas.database.query(
        `SELECT user_name AS name FROM dsync.users WHERE directory_id = $1
          UNION ALL SELECT display_name FROM dsync.groups WHERE directory_id = $1`,
        [directory.id],
      );
      expect(rows.map(({ name }) => name as string)).toEqual(
        rows.length === 0 ? [] : ['ann', 'devs'],
      );
    },
  );
});

it('events go to a webhook that was set elsewhere, from the next change on', async () => {
  await directory.send('GET', '/Users');
  await replicas.changing.sync.directories.update(directory.id, {
    webhook_url: 'http://127.0.0.1:9/hook',
  });
  replicas.answering.woken.length = 0;
  expect((await directory.send('POST', '/Users', user('bob'))).status).toBe(201);
  expect(replicas.answering.woken).toEqual([directory.id]);
  const { data } = await replicas.answering.sync.events.getAll({ directoryId: directory.id });
  expect(data?.map(({ state }) => state)).toEqual(['not_sent', 'not_sent', 'pending']);
});

it('a secret that becomes valid is accepted immediately', async () => {
  await directory.send('GET', '/Users');
  await replicas.changing.sync.directories.update(directory.id, { deactivated: true });
  expect((await directory.send('GET', '/Users')).status).toBe(403);
  await replicas.changing.sync.directories.update(directory.id, { deactivated: false });
  expect((await directory.send('GET', '/Users')).status).toBe(200);
  const { data } = await replicas.changing.sync.directories.rotateSecret(directory.id);
  const apiSecret = data?.scim.secret ?? '';
  expect((await directory.send('GET', '/Users', undefined, { apiSecret })).status).toBe(200);
});

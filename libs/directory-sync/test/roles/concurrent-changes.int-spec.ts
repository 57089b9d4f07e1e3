import { useReplicas } from '../fixture.js';
import { newGroup, newUsers } from '../groups.js';
import { group, patch, type TestDirectory, type TestSync, user } from '../harness.js';
import { modelRoles, storedRoles } from './role-model.js';
import { replayedRoles } from './roles-of.js';

const replicas = useReplicas();

const MAPPING = {
  default_role: 'member',
  mode: 'all' as const,
  rules: [
    { group: { display_name: 'Admins' }, role: 'admin', priority: 0 },
    { group: { display_name: 'Staff' }, role: 'staff', priority: 0 },
  ],
};

const add = (value: string) => patch({ op: 'add', path: 'members', value: [{ value }] });
const remove = (value: string) => patch({ op: 'remove', path: `members[value eq "${value}"]` });

/** The same directory as the other replica answers it. */
function sameOf(test: TestSync, directory: TestDirectory): TestDirectory['send'] {
  return async (method, path, body) => {
    const { directoryId, target } = { directoryId: directory.id, target: path.split('/') };
    const [, resource = '', id] = target;
    const name = resource === 'Users' ? ('User' as const) : ('Group' as const);
    return test.sync.requests.scim.respond({
      directoryId,
      apiSecret: directory.scim.secret,
      method,
      query: {},
      body,
      target: id
        ? { kind: 'resource', resource: name, id }
        : { kind: 'collection', resource: name },
    });
  };
}

it('roles are exact when two replicas change members, groups, users and rules at once', async () => {
  const { answering, changing, database } = replicas;
  const directory = await answering.newDirectory();
  const ids = await newUsers(directory, 'a', 'b', 'c', 'd', 'e', 'f');
  const inner = await newGroup(directory, 'inner', ids.slice(0, 2));
  const admins = await newGroup(directory, 'Admins', ids.slice(2, 4));
  const other = sameOf(changing, directory);
  await changing.sync.roleMappings.put(directory.id, MAPPING);
  const statuses: number[] = [];
  const send = async (...[method, path, body]: Parameters<TestDirectory['send']>) => {
    const sender = statuses.length % 2 === 0 ? directory.send : other;
    statuses.push((await sender(method, path, body)).status);
  };
  for (let round = 0; round < 6; round++) {
    const [first = '', second = ''] = [ids[round], ids[(round + 1) % ids.length]];
    await Promise.all([
      send('PATCH', `/Groups/${inner}`, add(first)),
      send('PATCH', `/Groups/${inner}`, remove(second)),
      send('PATCH', `/Groups/${admins}`, round % 2 === 0 ? add(inner) : remove(inner)),
      send('PATCH', `/Groups/${admins}`, add(second)),
      send(
        'PUT',
        `/Groups/${inner}`,
        group(round % 3 === 0 ? 'Staff' : 'inner', ids.slice(0, round)),
      ),
      send('PATCH', `/Users/${first}`, patch({ op: 'replace', path: 'title', value: `t${round}` })),
      send('POST', '/Users', user(`new-${round}`)),
      send('POST', '/Groups', group('staff', [second])),
      changing.sync.roleMappings.put(directory.id, {
        ...MAPPING,
        default_role: round % 2 === 0 ? 'guest' : 'member',
      }),
      ...(round === 5 ? [send('DELETE', `/Users/${ids[0]}`)] : []),
    ]);
  }
  expect(statuses.filter((status) => status >= 300)).toEqual([]);
  const stored = await storedRoles({ database }, directory);
  expect(stored).toEqual(await modelRoles({ database }, directory, MAPPING));
  const fixture = { database, test: answering, directory };
  expect(await replayedRoles(fixture, directory)).toEqual(stored);
});

it('a replica that has cached the directory without rules gives the roles of the first ones', async () => {
  const { answering, changing, database } = replicas;
  const directory = await answering.newDirectory();
  const [ada = ''] = await newUsers(directory, 'ada');
  const staff = await newGroup(directory, 'Staff');
  await changing.sync.roleMappings.put(directory.id, MAPPING);
  await directory.send('PATCH', `/Groups/${staff}`, add(ada));
  const [bob = ''] = await newUsers(directory, 'bob');
  expect(await storedRoles({ database }, directory)).toEqual({
    [ada]: ['staff'],
    [bob]: ['member'],
  });
});

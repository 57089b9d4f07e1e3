import { eventually } from '@gatehouse/testing';
import { useFixture } from '../fixture.js';
import { newGroup, newUsers } from '../groups.js';
import { patch, user } from '../harness.js';
import { mapRoles, rolesOf } from './roles-of.js';

const fixture = useFixture();

/** More than there are connections. */
const REQUESTS = 40;

async function waitingForLocks(): Promise<number> {
  const [row] = await fixture.database.query<{ count: number }>(
    `SELECT count(*)::integer FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}

it('writes that wait for the roles of one directory leave connections to the others', async () => {
  const { directory, test } = fixture;
  const ids = await newUsers(directory, ...Array.from({ length: REQUESTS }, (_, n) => `u${n}`));
  const staff = await newGroup(directory, 'Staff');
  const rule = { group: { display_name: 'Staff' }, role: 'staff' };
  await mapRoles(fixture, directory, { rules: [rule] });
  const other = await test.newDirectory();
  const holder = test.dataSource.createQueryRunner();
  await holder.startTransaction();
  await holder.query('SELECT FROM dsync.role_mappings WHERE id = $1 FOR UPDATE', [directory.id]);
  const add = (id: string) => patch({ op: 'add', path: 'members', value: [{ value: id }] });
  const waiting = ids.map((id) => directory.send('PATCH', `/Groups/${staff}`, add(id)));
  await eventually(async () => expect(await waitingForLocks()).toBeGreaterThan(1));
  for (let n = 0; n < 10; n++) {
    expect((await other.send('POST', '/Users', user(`free-${n}`))).status).toBe(201);
  }
  expect(await waitingForLocks()).toBe(2);
  expect((await directory.send('GET', '/Users?count=0')).data.totalResults).toBe(REQUESTS);
  await holder.commitTransaction();
  await holder.release();
  expect((await Promise.all(waiting)).every(({ status }) => status === 200)).toBe(true);
  const roles = Object.values(await rolesOf(fixture, directory));
  expect(roles.filter((each) => each?.includes('staff')).length).toBe(REQUESTS);
});

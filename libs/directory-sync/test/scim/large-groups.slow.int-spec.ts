import { fillGroup, groupEvents, membersOf, newGroup, newUsers } from '../groups.js';
import { type Json, patch } from '../harness.js';
import { useFixture } from '../fixture.js';
import { CHANGE_MEMBERS } from '../../src/groups/group.sql.js';

const fixture = useFixture();

/** Groups of three members each, from the existing users. */
async function fillSmallGroups(count: number): Promise<void> {
  await fixture.database.query(
    `WITH made AS (
        INSERT INTO dsync.groups
          (directory_id, id, display_name, display_name_lower, member_count, raw)
        SELECT $1, dsync.uuid_v7(), 'small ' || n, 'small ' || n, 3, '{}'
        FROM generate_series(1, $2::integer) n RETURNING id)
      INSERT INTO dsync.group_members (directory_id, group_id, user_id)
      SELECT $1, made.id, u.id
      FROM made, (SELECT id FROM dsync.users WHERE directory_id = $1 LIMIT 3) u`,
    [fixture.directory.id, count],
  );
}

/** The most rows of group_members that one scan of a member change reads. */
async function membersRead(planMode: string, values: string): Promise<number> {
  await fixture.database.query(`BEGIN; SET LOCAL plan_cache_mode = ${planMode}`);
  await fixture.database.query(`PREPARE change_group AS ${CHANGE_MEMBERS.text}`);
  const [row] = await fixture.database.query<{ 'QUERY PLAN': Json }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE change_group(${values})`,
  );
  await fixture.database.query('DEALLOCATE change_group; ROLLBACK');
  const scans = nodesOf(row?.['QUERY PLAN'][0].Plan).filter(
    (node) => node['Relation Name'] === 'group_members' && /Scan/.test(node['Node Type']),
  );
  expect(scans.length).toBeGreaterThan(0);
  return Math.max(
    ...scans.map(
      (node) =>
        (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    ),
  );
}

/** A plan and every plan below it. */
function nodesOf(plan: Json): Json[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

describe('a group of many members', () => {
  it.each(['force_generic_plan', 'force_custom_plan'])(
    'is changed by key: no plan reads its members (%s)',
    async (planMode) => {
      const [a = '', b = ''] = await newUsers(fixture.directory, 'a', 'b');
      const id = await newGroup(fixture.directory, 'all', [b]);
      await fillGroup(fixture, id, 20_000);
      const values = `'${fixture.directory.id}', NULL, '${id}', false, '{${a}}', NULL, NULL, NULL,
        NULL, NULL, NULL, NULL, '{${b}}'`;
      expect(await membersRead(planMode, values)).toBeLessThanOrEqual(2);
    },
  );

  it('is changed by key beside many small groups, which make the planner expect few members', async () => {
    const [a = '', b = ''] = await newUsers(fixture.directory, 'a', 'b');
    const id = await newGroup(fixture.directory, 'all', [b]);
    await fillGroup(fixture, id, 20_000);
    await fillSmallGroups(3_000);
    await fixture.database.query('ANALYZE dsync.users, dsync.groups, dsync.group_members');
    for (const planMode of ['force_generic_plan', 'force_custom_plan']) {
      for (const removed of ['{}', `{${b}}`]) {
        const values = `'${fixture.directory.id}', NULL, '${id}', false, '{${a}}', NULL, NULL, NULL,
          NULL, NULL, NULL, NULL, '${removed}'`;
        expect(await membersRead(planMode, values)).toBeLessThanOrEqual(2);
      }
    }
  });

  it('gains and loses a member without listing the others in the response', async () => {
    const [a = ''] = await newUsers(fixture.directory, 'a');
    const id = await newGroup(fixture.directory, 'all');
    await fillGroup(fixture, id, 1_500);
    for (const operation of [
      { op: 'add', path: 'members', value: [{ value: a }] },
      { op: 'remove', path: `members[value eq "${a}"]` },
    ]) {
      const answer = await fixture.directory.send('PATCH', `/Groups/${id}`, patch(operation));
      expect(answer).toMatchObject({ status: 204, data: null });
    }
    expect((await groupEvents(fixture.test, fixture.directory)).slice(-2)).toEqual([
      'group.user_added a all',
      'group.user_removed a all',
    ]);
  });

  it('lists its members on request, and does not read them when excluded', async () => {
    const id = await newGroup(fixture.directory, 'all');
    await fillGroup(fixture, id, 1_500);
    expect(await membersOf(fixture.directory, id)).toHaveLength(1_500);
    const { data } = await fixture.directory.send(
      'GET',
      `/Groups/${id}?excludedAttributes=members`,
    );
    expect(data.members).toBeUndefined();
    const shown = await fixture.directory.send(
      'PATCH',
      `/Groups/${id}?attributes=displayName`,
      patch({ op: 'remove', path: 'members[value eq "unknown"]' }),
    );
    expect(shown).toMatchObject({ status: 200, data: { displayName: 'all' } });
  });

  it('is deleted only in the requested version', async () => {
    const [a = ''] = await newUsers(fixture.directory, 'a');
    const id = await newGroup(fixture.directory, 'all');
    await fillGroup(fixture, id, 15_000);
    const ask = (method: string, ifMatch?: string, ...operations: object[]) =>
      fixture.directory.send(method, `/Groups/${id}`, patch(...operations), { ifMatch });
    expect((await ask('DELETE', 'W/"7"')).status).toBe(412);
    expect(await membersOf(fixture.directory, id)).toHaveLength(15_000);

    let isDeleted = false;
    const deleting = ask('DELETE', 'W/"1"').finally(() => {
      isDeleted = true;
    });
    while ((await ask('GET', undefined)).data.meta?.version === 'W/"1"') continue;
    while (!isDeleted) {
      await ask('PATCH', undefined, { op: 'add', path: 'members', value: [{ value: a }] });
      await ask('PATCH', undefined, { op: 'remove', path: `members[value eq "${a}"]` });
    }
    expect((await deleting).status).toBe(204);
  });

  it('is deleted with an event for each member, before that of the group', async () => {
    const id = await newGroup(fixture.directory, 'all');
    await fillGroup(fixture, id, 5_100);
    expect((await fixture.directory.send('DELETE', `/Groups/${id}`)).status).toBe(204);
    const rows = await fixture.database.query<{ type: string; count: string }>(
      `SELECT type, count(*) AS count FROM dsync.events WHERE source_id = $1
        GROUP BY type ORDER BY max(sequence)`,
      [fixture.directory.id],
    );
    expect(rows).toEqual([
      { type: 'group.created', count: '1' },
      { type: 'group.user_removed', count: '5100' },
      { type: 'group.deleted', count: '1' },
    ]);
  });
});

import { poolOf } from '@gatehouse/nest-kit/database';
import { Sql, type SqlExecutor } from '@gatehouse/kit/sql';
import { DEFAULT_BOUNDS } from '../../src/workspace/runs/bounds.js';
import { useWorkspaceFixture } from './fixture.js';

const fixture = useWorkspaceFixture();

/** Ends each statement of a transaction after some time, as the settings of a service do. */
class HurriedSql extends Sql {
  override transaction<T>(work: (sql: SqlExecutor) => Promise<T>): Promise<T> {
    return super.transaction(async (sql) => {
      await sql.rows({ text: `SET LOCAL statement_timeout = '4s'` });
      return work(sql);
    });
  }
}

const hurried = () => fixture.newRunner({ sql: new HurriedSql(poolOf(fixture.test.dataSource)) });

/** Groups that each contain all groups before them; the first one contains a user. */
function dense(groups: number): void {
  const { workspace } = fixture;
  workspace.pageSize = 1_000;
  workspace.addUser('ann');
  const ids: string[] = [];
  for (let n = 0; n < groups; n++) {
    const id = `g${String(n).padStart(4, '0')}`;
    workspace.addGroup(id, n === 0 ? ['ann'] : [...ids]);
    ids.push(id);
  }
}

describe('flattening of nested groups', () => {
  it('takes short statements only, however the groups are nested', async () => {
    dense(200);
    await fixture.set({ flatten_groups: true });
    const { run } = await fixture.sync({ runner: hurried() });
    expect(run).toMatchObject({ state: 'succeeded', error: null, counts: { members_added: 200 } });
    const again = await fixture.sync({ runner: hurried() });
    expect(again.run).toMatchObject({ state: 'succeeded', counts: { members_added: 0 } });
  }, 60_000);

  it('refuses more nested groups than its limit, and keeps what is stored', async () => {
    dense(4);
    await fixture.set({ flatten_groups: true });
    const bounds = { ...DEFAULT_BOUNDS, nestedGroups: 6 };
    expect((await fixture.sync({ runner: fixture.newRunner({ bounds }) })).run.state).toBe(
      'succeeded',
    );
    dense(5);
    expect((await fixture.sync({ runner: fixture.newRunner({ bounds }) })).run).toMatchObject({
      state: 'failed',
      error:
        'More than 6 groups are inside of other groups, too many to flatten them. ' +
        'Leave flatten_groups off.',
    });
    await fixture.set({ flatten_groups: false });
    const { run } = await fixture.sync({ runner: fixture.newRunner({ bounds }) });
    expect(run.state).toBe('succeeded');
  });

  it('refuses more memberships than its limit, counted once for each flattened group', async () => {
    dense(4);
    await fixture.set({ flatten_groups: true });
    const bounds = { ...DEFAULT_BOUNDS, memberships: 7 };
    const runner = fixture.newRunner({ bounds });
    fixture.workspace.addUser('bob');
    fixture.workspace.members.get('g0000')?.push({ id: 'bob', kind: 'user' });
    expect((await fixture.sync({ runner })).run).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('more than 7 memberships'),
    });
    fixture.workspace.members.get('g0000')?.pop();
    expect((await fixture.sync({ runner })).run.state).toBe('succeeded');
  });
});

import { DEFAULT_BOUNDS, type ListingBounds } from '../../src/workspace/runs/bounds.js';
import { useWorkspaceFixture } from './fixture.js';

const fixture = useWorkspaceFixture();

function fill(): void {
  const { workspace } = fixture;
  for (const id of ['ann', 'bob', 'cid', 'dan', 'eve', 'fay']) workspace.addUser(id);
  for (const id of ['g1', 'g2', 'g3', 'g4']) workspace.addGroup(id, ['ann', 'bob', 'cid']);
}

const runnerWithin = (bounds: Partial<ListingBounds>) =>
  fixture.newRunner({ bounds: { ...DEFAULT_BOUNDS, ...bounds } });

async function stagedRows(): Promise<number> {
  const [{ count }] = await fixture.test.dataSource.query(
    `SELECT ((SELECT count(*) FROM dsync.workspace_users WHERE directory_id = $1)
      + (SELECT count(*) FROM dsync.workspace_groups WHERE directory_id = $1)
      + (SELECT count(*) FROM dsync.workspace_members WHERE directory_id = $1))::integer AS count`,
    [fixture.directory.id],
  );
  return count as number;
}

describe('a listing that is larger than a directory may be', () => {
  it.each([
    [{ users: 3 }, 'more than 3 users', 2],
    [{ groups: 3 }, 'more than 3 groups', 6 / 2 + 2],
    [{ bytes: 700 }, 'more than 700 bytes of users and groups', 3],
    [{ memberships: 5 }, 'more than 5 memberships', 6 / 2 + 4 / 2 + 4],
  ])('ends the run at the page that exceeds %j', async (bounds, message, calls) => {
    fill();
    const { run } = await fixture.sync({ runner: runnerWithin(bounds) });
    expect(run).toMatchObject({ state: 'failed', error: expect.stringContaining(message) });
    expect(fixture.workspace.calls).toBe(calls);
    expect(await fixture.storyOf()).toEqual([]);
  });

  it('does not pile up, although each run lists other users', async () => {
    const runner = runnerWithin({ users: 6 });
    const rows: number[] = [];
    for (let n = 0; n < 4; n++) {
      fixture.workspace.users = [];
      for (let user = 0; user < 8; user++) fixture.workspace.addUser(`u${n}-${user}`);
      expect((await fixture.sync({ runner })).run.state).toBe('failed');
      rows.push(await stagedRows());
    }
    expect(Math.max(...rows)).toBeLessThanOrEqual(2 * 6);
  });
});

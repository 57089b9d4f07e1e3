/** Runs of workspace directories reach the key service, but not what is held. */
import { useWorkspaceFixture } from '../workspace/fixture.js';
import { useKeyLinks } from './key-link-fixture.js';

const fixture = useKeyLinks(useWorkspaceFixture());

it('a run that is held sends nothing, and an approved one all of its leavers', async () => {
  const { workspace, directory } = fixture;
  workspace.pageSize = 100;
  for (let n = 0; n < 10; n++) workspace.addUser(`u${n}`);
  await fixture.sync();
  await fixture.link(directory, { attribute: 'userName', actor_prefix: 'acme:' });
  await fixture.runLane(directory);
  fixture.forget();
  for (const id of ['u1', 'u2', 'u3']) workspace.removeUser(id);
  const { run } = await fixture.sync();
  expect(run.state).toBe('held');
  await fixture.runLane(directory);
  expect(fixture.peopleOf(directory)).toEqual([]);
  const approved = await fixture.test.sync.workspaceRuns.approve(directory.id, run.id);
  expect(approved.error).toBeNull();
  await fixture.goOn(run);
  await fixture.runLane(directory);
  expect(fixture.peopleOf(directory).map((each) => each.split(' ')[0])).toEqual(
    Array(3).fill('deleted'),
  );
});

import { useWorkspaceFixture } from '../workspace/fixture.js';
import { ScriptedWorkspace } from '../workspace/scripted-session.js';
import { modelRoles, storedRoles } from './role-model.js';

const fixture = useWorkspaceFixture();

const MAPPING = {
  default_role: 'member',
  mode: 'all' as const,
  rules: [{ group: { external_id: 'g1' }, role: 'staff', priority: 0 }],
};

it('roles follow the runs of a workspace directory', async () => {
  const directory = await fixture.newWorkspaceDirectory();
  const workspace = new ScriptedWorkspace();
  for (const id of ['ann', 'bob', 'cid']) workspace.addUser(id);
  workspace.addGroup('g1', ['ann', 'bob']);
  const { error } = await fixture.test.sync.roleMappings.put(directory.id, MAPPING);
  expect(error).toBeNull();
  await fixture.set({ max_delete_ratio: 1 }, directory);
  const sync = () =>
    fixture.sync({ directory, runner: fixture.newRunner({ batchSize: 2 }, workspace) });
  const expectModel = async () => {
    const stored = await storedRoles(fixture, directory);
    expect(stored).toEqual(await modelRoles(fixture, directory, MAPPING));
    return Object.values(stored).flat().sort();
  };
  await sync();
  expect(await expectModel()).toEqual(['member', 'staff', 'staff']);
  workspace.removeUser('ann');
  workspace.addUser('dan');
  workspace.addGroup('g1', ['cid', 'dan']);
  await sync();
  expect(await expectModel()).toEqual(['member', 'staff', 'staff']);
});

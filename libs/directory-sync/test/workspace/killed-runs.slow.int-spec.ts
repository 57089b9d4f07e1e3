import { poolOf } from '@gatehouse/nest-kit/database';
import { useWorkspaceFixture } from './fixture.js';
import { MortalSql } from './mortal-sql.js';
import { ScriptedWorkspace } from './scripted-session.js';

const fixture = useWorkspaceFixture();
const AT_ONCE = 8;
const NEVER = new AbortController().signal;

function filled(): ScriptedWorkspace {
  const workspace = new ScriptedWorkspace();
  for (const id of ['ann', 'bob', 'cid', 'dan']) workspace.addUser(id);
  workspace.addGroup('g1', ['ann', 'bob']);
  workspace.addGroup('g2', ['bob', 'cid', 'g1']);
  workspace.addGroup('g3', ['ann']);
  return workspace;
}

/** Changes that make a run pass every phase, the second round too. */
function change(workspace: ScriptedWorkspace): void {
  workspace.addUser('ann', { displayName: 'Ann' });
  workspace.removeUser('bob');
  workspace.addUser('new', { userName: 'bob@example.com' });
  workspace.addGroup('g2', ['cid', 'dan', 'new', 'g1'], 'second');
  workspace.removeGroup('g3');
  workspace.addGroup('g4', ['ann', 'dan']);
}

/** A directory whose second run is killed at a step, and then taken over by another process. */
async function storyWithDeathAt(step: number) {
  const directory = await fixture.newWorkspaceDirectory();
  const workspace = filled();
  await fixture.set({ max_delete_ratio: 1 }, directory);
  await fixture.sync({ directory, runner: fixture.newRunner({ batchSize: 2 }, workspace) });
  change(workspace);
  const sql = new MortalSql(poolOf(fixture.test.dataSource));
  sql.diesAt = step;
  const { id } = await fixture.start(directory);
  const killed = fixture.newRunner({ batchSize: 2, sql }, workspace).run(id, { signal: NEVER });
  const isKilled = await killed.then(
    () => false,
    () => true,
  );
  const row = await fixture.runs.find(directory.id, id);
  const isOver = row!.state === 'succeeded';
  const { run } = isOver
    ? { run: row! }
    : await fixture.goOn(row!, fixture.newRunner({ batchSize: 2 }, workspace));
  const story = await fixture.storyOf(directory);
  const state = await fixture.stateOf(directory);
  return { story, state, run, steps: sql.steps, isKilled };
}

describe('a run whose process is killed', () => {
  it('ends with the same events and records, whatever statement was the last', async () => {
    const whole = await storyWithDeathAt(Infinity);
    expect(whole.run).toMatchObject({ state: 'succeeded', error: null });
    expect(new Set(whole.story).size).toBe(whole.story.length);
    const { steps } = whole;
    expect(steps).toBeGreaterThan(100);
    const wrong: unknown[] = [];
    const ofStep = async (step: number) => {
      const { story, state, run, isKilled } = await storyWithDeathAt(step);
      const isSame =
        JSON.stringify([story, state]) === JSON.stringify([whole.story, whole.state]) &&
        run.state === 'succeeded' &&
        JSON.stringify(run.counts) === JSON.stringify(whole.run.counts);
      if (!isKilled || !isSame) wrong.push({ step, isKilled, story, run });
    };
    for (let first = 1; first <= steps; first += AT_ONCE) {
      const batch = Array.from(
        { length: Math.min(AT_ONCE, steps - first + 1) },
        (_, n) => first + n,
      );
      await Promise.all(batch.map(ofStep));
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it('is left alone by a process that lost it', async () => {
    const workspace = filled();
    const runner = fixture.newRunner({}, workspace);
    const { directory } = fixture;
    const { id } = await fixture.start(directory);
    let other: Promise<unknown> | undefined;
    workspace.beforeCall = async (call) => {
      if (call !== 3) return;
      const run = await fixture.runs.find(directory.id, id);
      other = fixture.goOn(run!, fixture.newRunner({}, filled()));
      await other;
    };
    expect(await runner.run(id, { signal: NEVER })).toBe('busy');
    expect(await other).toMatchObject({ end: 'ended', run: { state: 'succeeded' } });
    const story = await fixture.storyOf();
    expect(new Set(story).size).toBe(story.length);
  });

  it('is not run by two processes at once', async () => {
    const workspace = filled();
    const { id } = await fixture.start(fixture.directory);
    const ends = await Promise.all(
      [1, 2, 3].map(() => fixture.newRunner({}, workspace).run(id, { signal: NEVER })),
    );
    expect(ends.sort()).toEqual(['busy', 'busy', 'ended']);
    expect(await fixture.runs.insert(fixture.directory.id, 'demand')).toBeDefined();
    expect(await fixture.runs.insert(fixture.directory.id, 'demand')).toBeUndefined();
  });

  it('goes on at the page after the last one that was stored', async () => {
    const workspace = filled();
    const stopping = new AbortController();
    workspace.beforeCall = (call) => call === 2 && stopping.abort();
    const { end, run } = await fixture.sync({
      runner: fixture.newRunner({}, workspace),
      call: { signal: stopping.signal },
    });
    expect({ end, calls: workspace.calls, pages: run.pages }).toEqual({
      end: 'yielded',
      calls: 2,
      pages: 2,
    });
    workspace.beforeCall = () => undefined;
    const { run: over } = await fixture.goOn(run, fixture.newRunner({}, workspace));
    expect(over).toMatchObject({ state: 'succeeded', pages: workspace.calls });
  });
});

import { sqlOf } from '@gatehouse/nest-kit/database';
import { type Sql } from '@gatehouse/kit/sql';
import { type TestDatabase } from '@gatehouse/testing';
import { DirectoryRepository } from '../../src/directories/directory.repository.js';
import { type DirectoryEvent } from '../../src/events/event.types.js';
import { Quotas } from '../../src/quotas/quotas.js';
import { DEFAULT_LIMITS, DEFAULT_QUOTA } from '../../src/scim/protocol/default-limits.js';
import { Searches } from '../../src/searches/searches.js';
import { silentLogger } from '../../src/sync-logger.js';
import { createRunner, type RunnerParts } from '../../src/workspace/runs/create-runner.js';
import { RunRepository } from '../../src/workspace/runs/run.repository.js';
import { type RunRow, type RunTrigger } from '../../src/workspace/runs/run.types.js';
import { type RunCall, type RunEnd, type Runner } from '../../src/workspace/runs/runner.js';
import { SettingsRepository } from '../../src/workspace/runs/settings.repository.js';
import { type WorkspaceSettings } from '../../src/workspace/runs/settings.types.js';
import { createSyncDatabase, openSync, type TestDirectory, type TestSync } from '../harness.js';
import { ScriptedWorkspace } from './scripted-session.js';

export interface WorkspaceFixture {
  database: TestDatabase;
  test: TestSync;
  sql: Sql;
  runs: RunRepository;
  /** New for each test. */
  directory: TestDirectory;
  workspace: ScriptedWorkspace;
  newWorkspaceDirectory(): Promise<TestDirectory>;
  newRunner(parts?: Partial<RunnerParts>, workspace?: ScriptedWorkspace): Runner;
  /** Starts a run of a directory and carries it out. */
  sync(options?: { directory?: TestDirectory; runner?: Runner; call?: Partial<RunCall> }): Promise<{
    end: RunEnd;
    run: RunRow;
  }>;
  /** Goes on with a run at once. */
  goOn(run: RunRow, runner?: Runner): Promise<{ end: RunEnd; run: RunRow }>;
  start(directory: TestDirectory, trigger?: RunTrigger): Promise<RunRow>;
  set(settings: Partial<WorkspaceSettings>, directory?: TestDirectory): Promise<void>;
  /** Events as short texts: type and names. */
  storyOf(directory?: TestDirectory): Promise<string[]>;
  /** Users and groups with their members, by name. */
  stateOf(directory?: TestDirectory): Promise<unknown>;
}

const NEVER = new AbortController().signal;

export function useWorkspaceFixture(): WorkspaceFixture {
  const fixture = {} as WorkspaceFixture;
  const closing: (() => Promise<void>)[] = [];
  const partsOf = (workspace: ScriptedWorkspace): RunnerParts => {
    const { dataSource } = fixture.test;
    const sql = fixture.sql;
    const searches = new Searches(dataSource, DEFAULT_LIMITS);
    const quotas = new Quotas(sql, DEFAULT_QUOTA, silentLogger);
    closing.push(() => quotas.close());
    return {
      sql,
      searches,
      quotas,
      limits: DEFAULT_LIMITS,
      logger: silentLogger,
      sessions: { open: () => Promise.resolve(workspace.session()) },
      directories: new DirectoryRepository(dataSource, sql),
      cursorKey: Buffer.alloc(32),
      externalUrl: 'https://sync.example.com',
      wakeLane: (id) => fixture.test.woken.push(id),
      maxDeleteRatio: 0.2,
    };
  };
  Object.assign(fixture, {
    newWorkspaceDirectory: () => fixture.test.newDirectory({ type: 'workspace' }),
    newRunner: (parts: Partial<RunnerParts> = {}, workspace = fixture.workspace) =>
      createRunner({ ...partsOf(workspace), ...parts }),
    start: async (directory: TestDirectory, trigger: RunTrigger = 'demand') => {
      const run = await fixture.runs.insert(directory.id, trigger);
      if (!run) throw new Error('the directory has an unfinished run');
      return run;
    },
    sync: async ({
      directory = fixture.directory,
      runner = fixture.newRunner(),
      call = {},
    } = {}) => {
      const { id } = await fixture.start(directory);
      const end = await runner.run(id, { signal: NEVER, ...call });
      return { end, run: (await fixture.runs.find(directory.id, id)) as RunRow };
    },
    goOn: async ({ id, directoryId }: RunRow, runner = fixture.newRunner()) => {
      await fixture.test.dataSource.query(
        `UPDATE dsync.workspace_runs SET leased_until = NULL, not_before = now() WHERE id = $1`,
        [id],
      );
      const end = await runner.run(id, { signal: NEVER });
      return { end, run: (await fixture.runs.find(directoryId, id)) as RunRow };
    },
    set: async (settings: Partial<WorkspaceSettings>, directory = fixture.directory) => {
      const repository = new SettingsRepository(fixture.sql);
      const before = await repository.find(directory.id);
      await repository.store(directory.id, { ...before, ...settings }, fixture.sql);
    },
    storyOf: async (directory = fixture.directory) =>
      (await fixture.test.eventsOf(directory)).map(shortText),
    stateOf: async (directory = fixture.directory) =>
      fixture.test.dataSource.query(STATE, [directory.id]),
  } satisfies Partial<WorkspaceFixture>);
  beforeAll(async () => {
    fixture.database = await createSyncDatabase();
    fixture.test = await openSync(fixture.database.url);
    fixture.sql = sqlOf(fixture.test.dataSource);
    fixture.runs = new RunRepository(fixture.sql);
  });
  beforeEach(async () => {
    fixture.directory = await fixture.newWorkspaceDirectory();
    fixture.workspace = new ScriptedWorkspace();
  });
  afterAll(async () => {
    for (const close of closing) await close();
    await fixture.test.close();
    await fixture.database.drop();
  });
  return fixture;
}

function shortText({ event, data }: DirectoryEvent): string {
  const raw = data.raw as { externalId?: string };
  const group = (data.group as { name?: string } | undefined)?.name;
  return [event, String(raw.externalId), ...(group ? [group] : [])].join(' ');
}

const STATE = `SELECT u.user_name AS name, u.raw, u.active, (
      SELECT array_agg(g.display_name ORDER BY g.display_name) FROM dsync.group_members m
      JOIN dsync.groups g ON g.id = m.group_id WHERE m.user_id = u.id) AS groups
    FROM dsync.users u WHERE u.directory_id = $1
  UNION ALL
  SELECT g.display_name, g.raw, NULL, (
      SELECT array_agg(p.display_name ORDER BY p.display_name) FROM dsync.group_members m
      JOIN dsync.groups p ON p.id = m.group_id WHERE m.subgroup_id = g.id)
    FROM dsync.groups g WHERE g.directory_id = $1
  ORDER BY 1`;

import { type GuardSettings } from '../../src/guard/guard.types.js';
import { silentLogger } from '../../src/sync-logger.js';
import { createWorkspaceRuns } from '../../src/workspace/runs/create-workspace-runs.js';
import { type Fixture } from '../fixture.js';
import { type Answer, type Json, user } from '../harness.js';

const NEVER = new AbortController().signal;
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** Writes of the identity provider to the directory of a fixture, and the decisions on them. */
export class GuardedProvider {
  constructor(private readonly fixture: Fixture) {}

  async guard(settings: Partial<GuardSettings>): Promise<void> {
    const { directory, test } = this.fixture;
    const { error } = await test.sync.guards.change(directory.id, settings);
    expect(error).toBeNull();
  }

  /** Users u0, u1 and so on, with the ids x0, x1 and so on at the provider. */
  async addUsers(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) {
      const resource = user(`u${n}`, { externalId: `x${n}` });
      ids.push((await this.send('POST', '/Users', resource)).data.id as string);
    }
    return ids;
  }

  send(method: string, path: string, body?: object): Promise<Answer> {
    return this.fixture.directory.send(method, path, body);
  }

  remove(id?: string): Promise<Answer> {
    return this.send('DELETE', `/Users/${id}`);
  }

  patch(path: string, ...Operations: object[]): Promise<Answer> {
    return this.send('PATCH', path, { schemas: [PATCH], Operations });
  }

  deactivate(id?: string): Promise<Answer> {
    return this.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
  }

  async userCount(): Promise<number> {
    return (await this.send('GET', '/Users?count=0')).data.totalResults as number;
  }

  async runs(): Promise<Json[]> {
    const { directory, test } = this.fixture;
    return (await test.sync.workspaceRuns.list(directory.id)).data?.items as Json[];
  }

  /** The newest run, with its plan. */
  async heldRun(): Promise<Json> {
    const { directory, test } = this.fixture;
    const [newest] = await this.runs();
    return (await test.sync.workspaceRuns.get(directory.id, newest.id as string)).data;
  }

  /** Approves the held run and carries it out, as a worker does. */
  async approve(): Promise<Json> {
    const { directory, test } = this.fixture;
    const { id } = await this.heldRun();
    const { workspaceRuns } = test.sync;
    expect((await workspaceRuns.approve(directory.id, id as string)).error).toBeNull();
    const worker = createWorkspaceRuns({
      dataSource: test.dataSource,
      sessions: { open: () => Promise.reject(new Error('not asked')) },
      maxDeleteRatio: 0.2,
      wakeLane: () => undefined,
      logger: silentLogger,
    });
    expect(await worker.dueIds()).toEqual([id]);
    expect(await worker.run(id as string, { signal: NEVER })).toBe('ended');
    await worker.close();
    return (await workspaceRuns.get(directory.id, id as string)).data;
  }
}

import fc from 'fast-check';
import { useFixture } from '../fixture.js';
import { group, type Json, patch, type TestDirectory, user } from '../harness.js';
import { type Mapping, modelRoles, storedRoles } from './role-model.js';
import { replayedRoles } from './roles-of.js';

const fixture = useFixture();

const NAMES = ['Admins', 'Editors', 'Staff'];
const EXTERNAL_IDS = ['x-1', 'x-2'];
const ROLES = ['admin', 'editor', 'viewer'];

const index = fc.nat({ max: 99 });
const name = fc.constantFrom(...NAMES);
const externalId = fc.constantFrom(...EXTERNAL_IDS, undefined);
const some = fc.array(index, { maxLength: 3 });

const mapping = fc.record({
  default_role: fc.constantFrom('member', undefined),
  mode: fc.constantFrom('all' as const, 'highest' as const),
  rules: fc.array(
    fc.record({
      group: fc.oneof(
        name.map((display_name) => ({ display_name })),
        fc.constantFrom(...EXTERNAL_IDS).map((external_id) => ({ external_id })),
      ),
      role: fc.constantFrom(...ROLES),
      priority: fc.nat({ max: 2 }),
    }),
    { maxLength: 4 },
  ),
});

/** An operation of an identity provider. Numbers choose among the users and groups that there are. */
const operation = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('createUser' as const) }) },
  fc.record({ kind: fc.constant('deleteUser' as const), target: index }),
  fc.record({ kind: fc.constant('changeUser' as const), target: index, active: fc.boolean() }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('createGroup' as const),
      name,
      externalId,
      users: some,
      groups: some,
    }),
  },
  fc.record({ kind: fc.constant('deleteGroup' as const), target: index }),
  fc.record({
    kind: fc.constant('replaceGroup' as const),
    target: index,
    name,
    externalId,
    users: some,
    groups: some,
  }),
  fc.record({ kind: fc.constant('renameGroup' as const), target: index, name }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('changeMembers' as const),
      target: index,
      users: some,
      groups: some,
      removed: some,
      hasConditions: fc.boolean(),
    }),
  },
  fc.record({ kind: fc.constant('map' as const), mapping }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

class Provider {
  private readonly users: string[] = [];
  private readonly groups: string[] = [];
  private named = 0;

  constructor(
    private readonly directory: TestDirectory,
    public mapping: Mapping,
  ) {}

  async carryOut(each: Operation): Promise<void> {
    switch (each.kind) {
      case 'createUser':
        return this.create(this.users, '/Users', user(`u${this.named++}`));
      case 'createGroup':
        return this.create(this.groups, '/Groups', this.resource(each));
      case 'deleteUser':
        return this.remove(this.users, '/Users', each.target);
      case 'deleteGroup':
        return this.remove(this.groups, '/Groups', each.target);
      case 'changeUser':
        return this.patch('Users', chosen(this.users, each.target), [
          { op: 'replace', path: 'active', value: each.active },
          { op: 'replace', path: 'title', value: `t${this.named++}` },
        ]);
      case 'replaceGroup': {
        const id = chosen(this.groups, each.target);
        if (id) await this.send('PUT', `/Groups/${id}`, this.resource(each));
        return;
      }
      case 'renameGroup':
        return this.patch('Groups', chosen(this.groups, each.target), [
          { op: 'replace', path: 'displayName', value: each.name },
        ]);
      case 'changeMembers':
        return this.patch('Groups', chosen(this.groups, each.target), this.memberChanges(each));
      case 'map': {
        this.mapping = each.mapping;
        const { error } = await fixture.test.sync.roleMappings.put(this.directory.id, each.mapping);
        expect(error).toBeNull();
      }
    }
  }

  private memberChanges({
    users,
    groups,
    removed,
    hasConditions,
  }: Extract<Operation, { kind: 'changeMembers' }>): object[] {
    const gone = this.members(removed, removed);
    return [
      ...gone.map(({ value }) => ({
        op: 'remove',
        path: hasConditions
          ? `members[value eq "${value}" and type eq "User"]`
          : `members[value eq "${value}"]`,
      })),
      { op: 'add', path: 'members', value: this.members(users, groups) },
    ];
  }

  private members(users: number[], groups: number[]): { value: string }[] {
    const ids = [
      ...users.map((n) => chosen(this.users, n)),
      ...groups.map((n) => chosen(this.groups, n)),
    ];
    // One reference to a member that does not exist.
    return [...ids, '018f0000-0000-7000-8000-000000000000'].flatMap((value) =>
      value ? [{ value }] : [],
    );
  }

  private resource(each: { name: string; externalId?: string; users: number[]; groups: number[] }) {
    const { name: displayName, externalId: external } = each;
    const ids = this.members(each.users, each.groups).map(({ value }) => value);
    return { ...group(displayName, ids), ...(external && { externalId: external }) };
  }

  private async create(ids: string[], path: string, resource: object): Promise<void> {
    ids.push((await this.send('POST', path, resource)).id as string);
  }

  private async remove(ids: string[], path: string, target: number): Promise<void> {
    const id = chosen(ids, target);
    if (!id) return;
    await this.send('DELETE', `${path}/${id}`);
    ids.splice(ids.indexOf(id), 1);
  }

  private async patch(resource: string, id: string | undefined, operations: object[]) {
    if (id) await this.send('PATCH', `/${resource}/${id}`, patch(...operations));
  }

  private async send(method: string, path: string, body?: object): Promise<Json> {
    const { status, data } = await this.directory.send(method, path, body);
    expect(status).toBeLessThan(300);
    return data;
  }
}

function chosen(ids: readonly string[], n: number): string | undefined {
  return ids.length === 0 ? undefined : ids[n % ids.length];
}

describe('after any series of changes of users, groups and rules', () => {
  it('the stored roles are those computed from scratch, and those that the events add up to', async () => {
    await fc.assert(
      fc.asyncProperty(
        mapping,
        fc.array(operation, { minLength: 5, maxLength: 25 }),
        async (first, operations) => {
          const directory = await fixture.test.newDirectory();
          const provider = new Provider(directory, first);
          await provider.carryOut({ kind: 'map', mapping: first });
          for (const each of operations) {
            await provider.carryOut(each);
            const stored = await storedRoles(fixture, directory);
            expect(stored).toEqual(await modelRoles(fixture, directory, provider.mapping));
          }
          expect(await replayedRoles(fixture, directory)).toEqual(
            await storedRoles(fixture, directory),
          );
        },
      ),
      { numRuns: 25 },
    );
  });
});

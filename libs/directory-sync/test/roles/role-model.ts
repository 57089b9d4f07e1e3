import { type Fixture } from '../fixture.js';
import { type TestDirectory } from '../harness.js';
import { type Rule } from './roles-of.js';

interface Group {
  id: string;
  name: string;
  externalId: string | null;
}

export interface Mapping {
  default_role?: string;
  mode: 'all' | 'highest';
  rules: Rule[];
}

/** The roles that a mapping gives to the users of a directory, computed from all its rows in memory. */
export async function modelRoles(
  { database }: Pick<Fixture, 'database'>,
  { id }: Pick<TestDirectory, 'id'>,
  { default_role, mode, rules }: Mapping,
): Promise<Record<string, string[]>> {
  const read = <Row extends object>(columns: string, table: string) =>
    database.query<Row>(`SELECT ${columns} FROM dsync.${table} WHERE directory_id = $1`, [id]);
  const users = await read<{ id: string }>('id', 'users');
  const groups = await read<Group>(
    'id, display_name AS name, external_id AS "externalId"',
    'groups',
  );
  const members = await read<{ groupId: string; memberId: string }>(
    'group_id AS "groupId", member_id AS "memberId"',
    'group_members',
  );
  const within = (start: string[]): Set<string> => {
    const found = new Set(start);
    for (const each of found) {
      for (const { groupId, memberId } of members) if (groupId === each) found.add(memberId);
    }
    return found;
  };
  const reached = rules.map(({ group }) => {
    const wanted = group as { id?: string; external_id?: string; display_name?: string };
    const named = groups.filter(
      (each) =>
        each.id === wanted.id ||
        (wanted.external_id !== undefined && each.externalId === wanted.external_id) ||
        each.name.toLowerCase() === wanted.display_name?.toLowerCase(),
    );
    return within(named.map((each) => each.id));
  });
  const rolesOf = (userId: string): string[] => {
    const applied = rules.filter((_, index) => reached[index]?.has(userId));
    if (applied.length === 0) return default_role === undefined ? [] : [default_role];
    const highest = Math.max(...applied.map(({ priority = 0 }) => priority));
    const [best] = applied.filter(({ priority = 0 }) => priority === highest);
    const chosen = mode === 'all' ? applied : [best];
    return [...new Set(chosen.map((rule) => rule?.role ?? ''))].sort();
  };
  return Object.fromEntries(users.map((user) => [user.id, rolesOf(user.id)]));
}

/** The roles that are stored, by user id. */
export async function storedRoles(
  { database }: Pick<Fixture, 'database'>,
  { id }: Pick<TestDirectory, 'id'>,
): Promise<Record<string, string[]>> {
  const rows = await database.query<{ id: string; roles: string[] }>(
    `SELECT u.id, ARRAY(SELECT role FROM dsync.user_roles r WHERE r.user_id = u.id ORDER BY role)
      AS roles FROM dsync.users u WHERE u.directory_id = $1`,
    [id],
  );
  return Object.fromEntries(rows.map((row) => [row.id, row.roles]));
}

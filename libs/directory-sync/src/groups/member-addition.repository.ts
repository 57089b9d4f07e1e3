/**
 * The most frequent change of a group, one user more, in its shortest statement. It decides the
 * plain case only; everything else is left to `changeGroup`, which finds out what it is.
 */
import { uuidv7 } from '@gatehouse/service-kit';
import { type Executor, postgresFault, type Statement } from '../database/database.js';
import { inDirectory } from '../directories/scope.js';
import { announcement, EVENT_STATE, LIVE_DIRECTORY, membershipData } from '../events/event.sql.js';
import type { EventRow } from '../events/event.types.js';
import type { GroupScope, GroupWrite } from './group.repository.js';
import type { GroupRow } from './group.types.js';

type GroupJson = Omit<GroupRow, 'createdAt' | 'updatedAt'> & { createdAt: string };
type AdditionRow = Pick<EventRow, 'sequence' | 'createdAt'> & {
  data: EventRow['data'] | null;
  group: GroupJson;
};

/**
 * Makes a user a member of a group that it is not a member of yet, with the event.
 * @returns undefined, with nothing written, when it is something else: a member already, a group,
 *   nobody; no such group, another revision of the directory; or a race that another one has won
 */
export async function addUser(
  executor: Executor,
  scope: GroupScope,
  groupId: string,
  userId: string,
): Promise<GroupWrite | undefined> {
  const eventId = uuidv7();
  const { directoryId, revision, wantsEvents } = scope;
  const values = [directoryId, revision, groupId, userId, eventId, wantsEvents];
  const [row] = await executor.run<AdditionRow>(ADD_USER, values).catch((error: unknown) => {
    if (LOST_RACES.has(postgresFault(error).code ?? '')) return [];
    throw error;
  });
  if (!row) return undefined;
  const { sequence, createdAt: updatedAt, data, group } = row;
  const event = { id: eventId, sequence, type: 'group.user_added', previous: null } as const;
  return {
    group: { ...group, createdAt: new Date(group.createdAt), updatedAt },
    events: data === null ? [] : [{ ...event, data, createdAt: updatedAt }],
    ignored: 0,
  };
}

/** The user was added or deleted, or the group deleted, by somebody who was faster. */
const LOST_RACES = new Set(['23505', '23503', '40001', '40P01']);

// The user is locked before it is read, so that the event shows it as the event before, about the
// same user, has left it. Whoever deletes a user locks the groups first: should both wait for each
// other, one of them has lost the race. The key of the membership stops whoever added the same user
// while this one waited for the group.
const ADD_USER: Statement = {
  name: 'dsync_add_user_to_group',
  text: `WITH written AS (
      UPDATE dsync.groups g SET version = g.version + 1, updated_at = now(),
        member_count = g.member_count + 1
      FROM dsync.directories d, (SELECT * FROM dsync.users u
        WHERE u.id = $4 AND ${inDirectory('u')} FOR SHARE) u
      WHERE ${LIVE_DIRECTORY} AND g.id = $3 AND ${inDirectory('g')}
        AND NOT EXISTS (SELECT FROM dsync.group_members m
          WHERE m.group_id = $3 AND m.member_id = $4)
      RETURNING g.id, g.version, g.display_name, g.raw, g.member_count, g.created_at,
        ${membershipData('u', 'g')} AS data, ${announcement('d.id')} AS announced,
        ${EVENT_STATE}),
    added AS (
      INSERT INTO dsync.group_members (directory_id, group_id, user_id)
      SELECT $1, $3, $4 FROM written)
    INSERT INTO dsync.events (directory_id, id, type, data, state)
    SELECT $1, $5, 'group.user_added', w.data, w.state FROM written w
    RETURNING sequence, created_at AS "createdAt", CASE WHEN $6 THEN data END AS data,
      (SELECT json_build_object('id', w.id, 'version', w.version, 'displayName', w.display_name,
        'raw', w.raw, 'memberCount', w.member_count, 'createdAt', w.created_at)
      FROM written w) AS "group"`,
};

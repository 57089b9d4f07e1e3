/** Statements that link listed rows to what was stored; `$1` is the directory. */
import { type Statement } from '@gatehouse/kit/sql';

/** Ids at the provider, ids of what was stored, hashes. */
const link = (table: string, column: string): Statement => ({
  name: `dsync_link_${table}`,
  text: `UPDATE dsync.${table} w SET ${column} = p.stored_id, applied_hash = p.hash, resource = NULL,
      failure = NULL
    FROM unnest($2::text[], $3::uuid[], $4::text[]) AS p (id, stored_id, hash)
    WHERE w.directory_id = $1 AND w.external_id = p.id`,
});

/** Ids at the provider, and why each was not stored. */
const fail = (table: string): Statement => ({
  text: `UPDATE dsync.${table} w SET failure = p.reason
    FROM unnest($2::text[], $3::text[]) AS p (id, reason)
    WHERE w.directory_id = $1 AND w.external_id = p.id`,
});

const LINKED_USERS = link('workspace_users', 'user_id');
const LINKED_GROUPS = link('workspace_groups', 'group_id');

export const USER_LINKS = {
  link: LINKED_USERS,
  fail: fail('workspace_users'),
  unlink: {
    text: `DELETE FROM dsync.workspace_users WHERE directory_id = $1 AND external_id = ANY ($2::text[])`,
  },
};

/** A group that was listed but not chosen keeps its row: the next listing has it again. */
export const GROUP_LINKS = {
  link: LINKED_GROUPS,
  fail: fail('workspace_groups'),
  unlink: {
    text: `DELETE FROM dsync.workspace_groups WHERE directory_id = $1 AND external_id = ANY ($2::text[])`,
  },
};

/** Statements on what processes have reserved of the quota of a directory, `$1`. */
import { type Statement } from '@gatehouse/kit/sql';
import { type Usage, USAGE_NAMES } from './usage.js';

const RESERVED = USAGE_NAMES.map((name) => `d.reserved_${name} AS "${name}Reserved"`).join(', ');

/** The part of what is left that one block may take. */
const BLOCKS_LEFT = 16;

/** The amount to reserve: what is needed, or a block. */
const amount = (name: keyof Usage, need: string, limit: string, block: string) =>
  `greatest(${need}::bigint, least(${block}::bigint,
    (${limit}::bigint - reserved_${name}) / ${BLOCKS_LEFT})) AS ${name}`;

const fits = (name: keyof Usage, need: string, limit: string) =>
  `(${need}::bigint = 0 OR d.reserved_${name} + g.${name} <= ${limit}::bigint)`;

/**
 * Reserves at least `$2` users, `$3` groups and `$4` bytes, and a block of each if there is room:
 * `$5` to `$7` are the limits, `$8` to `$10` the largest blocks. Reserves nothing beyond a limit,
 * unless `$11`.
 */
export const RESERVE: Statement = {
  name: 'dsync_reserve',
  text: `UPDATE dsync.directories d SET reserved_users = d.reserved_users + g.users,
      reserved_groups = d.reserved_groups + g.groups,
      reserved_bytes = d.reserved_bytes + g.bytes
    FROM (SELECT ${amount('users', '$2', '$5', '$8')}, ${amount('groups', '$3', '$6', '$9')},
        ${amount('bytes', '$4', '$7', '$10')}
      FROM dsync.directories WHERE id = $1) g
    WHERE d.id = $1 AND ($11::boolean OR ${fits('users', '$2', '$5')}
      AND ${fits('groups', '$3', '$6')} AND ${fits('bytes', '$4', '$7')})
    RETURNING g.users, g.groups, g.bytes, ${RESERVED}`,
};

export const GIVE_BACK: Statement = {
  name: 'dsync_give_back',
  text: `UPDATE dsync.directories d SET reserved_users = d.reserved_users - $2::bigint,
      reserved_groups = d.reserved_groups - $3::bigint,
      reserved_bytes = d.reserved_bytes - $4::bigint
    WHERE d.id = $1
    RETURNING ${RESERVED}`,
};

export const FIND_RESERVED: Statement = {
  name: 'dsync_find_reserved',
  text: `SELECT ${RESERVED} FROM dsync.directories d WHERE d.id = $1 AND d.deleted_at IS NULL`,
};

/** Claims the count of a directory that was not counted for an hour. */
export const CLAIM_COUNT: Statement = {
  text: `UPDATE dsync.directories d SET usage_counted_at = now()
    WHERE d.id = $1 AND d.usage_counted_at < now() - interval '1 hour'
    RETURNING d.id`,
};

export const LOCK_RESERVED: Statement = {
  text: 'SELECT FROM dsync.directories d WHERE d.id = $1 FOR NO KEY UPDATE',
};

/** Replaces the reservations by what is stored. */
export const COUNT_USAGE: Statement = {
  text: `UPDATE dsync.directories d SET reserved_users = u.count,
      reserved_groups = g.count, reserved_bytes = u.bytes + g.bytes
    FROM (SELECT count(*), coalesce(sum(raw_bytes), 0) AS bytes FROM dsync.users
        WHERE directory_id = $1) u,
      (SELECT count(*), coalesce(sum(raw_bytes), 0) AS bytes FROM dsync.groups
        WHERE directory_id = $1) g
    WHERE d.id = $1`,
};

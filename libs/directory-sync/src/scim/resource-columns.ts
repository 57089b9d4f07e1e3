/**
 * What filters and sorting look at: which attribute stands in which column. Columns have indexes
 * that begin with the directory; anything else is looked up in `raw`. Every query has the
 * directory as `$1`.
 */
import {
  type AttributeColumn,
  type FilterColumns,
  foldUserName,
  type SqlParameters,
} from '@gatehouse/scim';
import { MEMBER_TYPE } from '../groups/member.repository.js';

/** Stands for the SCIM address of the directory, which the database does not know. */
const ADDRESS = ':address';

/** SQL with the address of the directory in it, where it asks for one. */
export function withAddress(sql: string, address: string, parameters: SqlParameters): string {
  return sql.includes(ADDRESS) ? sql.replaceAll(ADDRESS, `${parameters.add(address)}::text`) : sql;
}

const META = (alias: 'u' | 'g', resource: 'User' | 'Group') =>
  ({
    // Every resource has it, so that its presence is that of any of its parts.
    meta: { kind: 'column', sql: `${alias}.created_at`, type: 'timestamp', nullable: false },
    'meta.created': {
      kind: 'column',
      sql: `${alias}.created_at`,
      type: 'timestamp',
      nullable: false,
    },
    'meta.lastModified': {
      kind: 'column',
      sql: `${alias}.updated_at`,
      type: 'timestamp',
      nullable: false,
    },
    'meta.location': {
      kind: 'column',
      sql: `(${ADDRESS} || '/${resource}s/' || ${alias}.id)`,
      type: 'text',
      nullable: false,
    },
    'meta.version': { kind: 'column', sql: `('W/"' || ${alias}.version || '"')`, type: 'text' },
    'meta.resourceType': { kind: 'column', sql: `'${resource}'::text`, type: 'text' },
  }) as const;

export const USER_FILTER_COLUMNS: FilterColumns = {
  raw: 'u.raw',
  attributes: {
    id: { kind: 'column', sql: 'u.id', type: 'uuid', nullable: false },
    userName: {
      kind: 'column',
      sql: 'u.user_name',
      type: 'text',
      lowered: 'u.user_name_lower',
      fold: foldUserName,
      nullable: false,
    },
    externalId: { kind: 'column', sql: 'u.external_id', type: 'text' },
    displayName: {
      kind: 'column',
      sql: 'u.display_name',
      type: 'text',
      lowered: 'u.display_name_lower',
    },
    active: { kind: 'column', sql: 'u.active', type: 'boolean', nullable: false },
    emails: { kind: 'array', values: 'u.emails_lower' },
    groups: {
      kind: 'table',
      from: `dsync.group_members m
        JOIN dsync.groups mg ON mg.directory_id = $1 AND mg.id = m.group_id`,
      on: 'm.user_id = u.id',
      attributes: {
        value: { kind: 'column', sql: 'm.group_id', type: 'uuid' },
        $ref: { kind: 'column', sql: `(${ADDRESS} || '/Groups/' || m.group_id)`, type: 'text' },
        display: {
          kind: 'column',
          sql: 'mg.display_name',
          type: 'text',
          lowered: 'mg.display_name_lower',
        },
        type: { kind: 'column', sql: `'direct'::text`, type: 'text' },
      },
    },
    ...META('u', 'User'),
  },
};

/** As answers show it, and read only where a filter asks for it. */
const MEMBER_DISPLAY = `coalesce(
  (SELECT coalesce(mu.display_name, mu.user_name) FROM dsync.users mu WHERE mu.id = m.user_id),
  (SELECT mg.display_name FROM dsync.groups mg WHERE mg.id = m.subgroup_id))`;

/** The sub-attributes of a member, `m`. */
export const MEMBER_FILTER_COLUMNS: Readonly<Record<string, AttributeColumn>> = {
  value: {
    kind: 'column',
    sql: 'm.member_id',
    type: 'uuid',
    indexed: ['m.user_id', 'm.subgroup_id'],
    nullable: false,
  },
  $ref: {
    kind: 'column',
    sql: `(${ADDRESS} || '/' || ${MEMBER_TYPE} || 's/' || m.member_id)`,
    type: 'text',
  },
  type: { kind: 'column', sql: MEMBER_TYPE, type: 'text', nullable: false },
  display: { kind: 'column', sql: MEMBER_DISPLAY, type: 'text' },
};

export const GROUP_FILTER_COLUMNS: FilterColumns = {
  raw: 'g.raw',
  attributes: {
    id: { kind: 'column', sql: 'g.id', type: 'uuid', nullable: false },
    displayName: {
      kind: 'column',
      sql: 'g.display_name',
      type: 'text',
      lowered: 'g.display_name_lower',
      nullable: false,
    },
    externalId: { kind: 'column', sql: 'g.external_id', type: 'text' },
    members: {
      kind: 'table',
      from: 'dsync.group_members m',
      on: 'm.group_id = g.id',
      attributes: MEMBER_FILTER_COLUMNS,
    },
    ...META('g', 'Group'),
  },
};

import { type AttributeColumn, type FilterColumns } from '@gatehouse/scim';
import { ADDRESS, metaColumns } from '../database/filter-columns.js';
import { MEMBER_TYPE } from './member.sql.js';

/** The display name of a member, `m`, as in responses. */
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
    isIndexed: true,
  },
  $ref: {
    kind: 'column',
    sql: `(${ADDRESS} || '/' || ${MEMBER_TYPE} || 's/' || m.member_id)`,
    type: 'text',
  },
  type: { kind: 'column', sql: MEMBER_TYPE, type: 'text', nullable: false },
  display: { kind: 'column', sql: MEMBER_DISPLAY, type: 'text' },
};

/** Where filters and sorting find the attributes of a group, `g`; see USER_FILTER_COLUMNS. */
export const GROUP_FILTER_COLUMNS: FilterColumns = {
  raw: 'g.raw',
  attributes: {
    id: { kind: 'column', sql: 'g.id', type: 'uuid', nullable: false, isIndexed: true },
    displayName: {
      kind: 'column',
      sql: 'g.display_name',
      type: 'text',
      lowered: 'g.display_name_lower',
      nullable: false,
      isIndexed: true,
    },
    externalId: { kind: 'column', sql: 'g.external_id', type: 'text', isIndexed: true },
    members: {
      kind: 'table',
      from: 'dsync.group_members m',
      on: 'm.group_id = g.id',
      attributes: MEMBER_FILTER_COLUMNS,
    },
    ...metaColumns('g', 'Group'),
  },
};

/**
 * What filters and sorting look at: which attribute stands in which column. Columns have indexes
 * that begin with the directory; anything else is looked up in `raw`. Every query has the
 * directory as `$1`.
 */
import type { FilterColumns } from '@gatehouse/scim';

const META = (alias: 'u' | 'g', resource: 'User' | 'Group') =>
  ({
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
      from: 'dsync.group_members m JOIN dsync.groups mg ON mg.id = m.group_id',
      on: 'm.user_id = u.id',
      attributes: {
        value: { kind: 'column', sql: 'm.group_id', type: 'uuid' },
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
      attributes: {
        value: { kind: 'column', sql: 'm.member_id', type: 'uuid' },
        type: {
          kind: 'column',
          sql: `CASE WHEN m.user_id IS NULL THEN 'Group' ELSE 'User' END`,
          type: 'text',
        },
      },
    },
    ...META('g', 'Group'),
  },
};

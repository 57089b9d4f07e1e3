import { type FilterColumns, foldUserName } from '@gatehouse/scim';
import { ADDRESS, metaColumns } from '../database/filter-columns.js';

/**
 * Where filters and sorting find the attributes of a user, `u`. Each column has an index that
 * starts with the directory, `$1`; other attributes are read from `raw`.
 */
export const USER_FILTER_COLUMNS: FilterColumns = {
  raw: 'u.raw',
  attributes: {
    id: { kind: 'column', sql: 'u.id', type: 'uuid', nullable: false, isIndexed: true },
    userName: {
      kind: 'column',
      sql: 'u.user_name',
      type: 'text',
      lowered: 'u.user_name_lower',
      fold: foldUserName,
      nullable: false,
      isIndexed: true,
    },
    externalId: { kind: 'column', sql: 'u.external_id', type: 'text', isIndexed: true },
    displayName: {
      kind: 'column',
      sql: 'u.display_name',
      type: 'text',
      lowered: 'u.display_name_lower',
      isIndexed: true,
    },
    active: {
      kind: 'column',
      sql: 'u.active',
      type: 'boolean',
      nullable: false,
      isIndexed: true,
    },
    emails: { kind: 'array', values: 'u.emails_lower' },
    groups: {
      kind: 'table',
      from: `dsync.group_members m
        JOIN dsync.groups mg ON mg.directory_id = $1 AND mg.id = m.group_id`,
      on: 'm.user_id = u.id',
      attributes: {
        value: { kind: 'column', sql: 'm.group_id', type: 'uuid', isIndexed: true },
        $ref: { kind: 'column', sql: `(${ADDRESS} || '/Groups/' || m.group_id)`, type: 'text' },
        display: {
          kind: 'column',
          sql: 'mg.display_name',
          type: 'text',
          lowered: 'mg.display_name_lower',
          isIndexed: true,
        },
        type: { kind: 'column', sql: `'direct'::text`, type: 'text' },
      },
    },
    ...metaColumns('u', 'User'),
  },
};

/** Columns behind the attributes that users and groups share, for filters and sorting. */
import { type SqlParameters } from '@gatehouse/scim';

/** Placeholder for the SCIM address of the directory, which the database does not store. */
export const ADDRESS = ':address';

/** Replaces the placeholder, if there is one, by a parameter with the address. */
export function withAddress(sql: string, address: string, parameters: SqlParameters): string {
  return sql.includes(ADDRESS) ? sql.replaceAll(ADDRESS, `${parameters.add(address)}::text`) : sql;
}

export const metaColumns = (alias: 'u' | 'g', resource: 'User' | 'Group') =>
  ({
    // Every resource has `meta`; any non-null column serves to test its presence.
    meta: { kind: 'column', sql: `${alias}.created_at`, type: 'timestamp', nullable: false },
    'meta.created': {
      kind: 'column',
      sql: `${alias}.created_at`,
      type: 'timestamp',
      nullable: false,
      isIndexed: true,
    },
    'meta.lastModified': {
      kind: 'column',
      sql: `${alias}.updated_at`,
      type: 'timestamp',
      nullable: false,
      isIndexed: true,
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

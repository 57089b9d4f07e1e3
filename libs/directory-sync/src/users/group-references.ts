import { type JsonObject } from '@gatehouse/scim';
import { type UserRow } from './user.types.js';

/** The groups of a user as SCIM shows them. `baseUrl` is the SCIM address of the directory. */
export function groupReferences(baseUrl: string, groups: UserRow['groups']): JsonObject[] {
  return (groups ?? []).map(({ value, display }) => ({
    value,
    $ref: `${baseUrl}/Groups/${value}`,
    display,
    type: 'direct',
  }));
}

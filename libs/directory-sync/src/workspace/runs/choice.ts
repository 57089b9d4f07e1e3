/** Which users and groups of a workspace a directory takes over. */
import { type WorkspaceGroup, type WorkspaceUser } from '@gatehouse/workspace';
import { type WorkspaceSettings } from './settings.types.js';

export type Choice = Pick<
  WorkspaceSettings,
  'include_groups' | 'exclude_groups' | 'organizational_units'
>;

/** Whether a user belongs to one of the chosen organisational units, or to a unit below. */
export function isChosenUser(
  { organizational_units: units }: Choice,
  { orgUnit }: WorkspaceUser,
): boolean {
  if (units.length === 0) return true;
  const path = pathOf(orgUnit ?? '');
  return units
    .map(pathOf)
    .some((unit) => path === unit || path.startsWith(unit === '/' ? unit : `${unit}/`));
}

export function isChosenGroup(
  { include_groups: included, exclude_groups: excluded }: Choice,
  names: readonly string[],
): boolean {
  const isNamed = (list: readonly string[]) =>
    list.some((name) => names.includes(name.toLowerCase()));
  return (included.length === 0 || isNamed(included)) && !isNamed(excluded);
}

/** The texts that settings may name a group by, in lower case: its name, its email and its id. */
export function namesOf({ id, email, resource }: WorkspaceGroup): string[] {
  const { displayName } = resource;
  const names = [typeof displayName === 'string' ? displayName : '', email ?? '', id];
  return names.filter((name) => name !== '').map((name) => name.toLowerCase());
}

/** Units are compared without case, as providers do. */
function pathOf(unit: string): string {
  const path = `/${unit.toLowerCase()}`.replace(/\/+/g, '/');
  return path.length > 1 ? path.replace(/\/$/, '') : path;
}

/** The users and groups of a workspace that a directory reads. */
import { type WorkspaceGroup, type WorkspaceUser } from '@gatehouse/workspace-providers';
import { type WorkspaceSettings } from './settings.types.js';

export type Choice = Pick<
  WorkspaceSettings,
  'include_groups' | 'exclude_groups' | 'organizational_units'
>;

/** Prepared once for a page: settings may have thousands of names. */
export function choiceOf({
  include_groups: included,
  exclude_groups: excluded,
  organizational_units: units,
}: Choice) {
  const paths = new Set(units.map(pathOf));
  const [includes, excludes] = [included, excluded].map(lowered);
  const isIn = (set: ReadonlySet<string> | undefined, names: readonly string[]) =>
    names.some((name) => set?.has(name));
  return {
    /** Whether a user belongs to one of the chosen organizational units, or to a unit below. */
    hasUser: ({ orgUnit }: Pick<WorkspaceUser, 'orgUnit'>): boolean =>
      paths.size === 0 || pathsAbove(pathOf(orgUnit ?? '')).some((path) => paths.has(path)),
    /** Whether a group of these names, in lower case, is chosen. */
    hasGroup: (names: readonly string[]): boolean =>
      (included.length === 0 || isIn(includes, names)) && !isIn(excludes, names),
  };
}

function lowered(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()));
}

/** A path and all paths above it. */
function pathsAbove(path: string): string[] {
  const parts = path.split('/').slice(1);
  return ['/', ...parts.map((_, n) => `/${parts.slice(0, n + 1).join('/')}`)];
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

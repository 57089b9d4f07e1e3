import { isObject } from '../model/bare-object.js';
import { joinName, joinPointer } from '../model/field-names.js';
import type {
  IdentifierProperty,
  IdentifierValue,
  JsonValue,
} from '../model/form-decoder.types.js';
import type { Location } from '../schema/location.js';

/** How two identifiers are compared: without blanks around, in lower case, in composed form. */
export function normalizeIdentifier(text: string): string {
  return text.trim().toLowerCase().normalize('NFC');
}

/** A pattern of a pointer: null stands for the index of any entry. */
type Path = readonly (string | null)[];

/** Where a schema has identifiers: `"x-identifier": true`, or Kratos's credentials extension. */
export class Identifiers {
  readonly properties: readonly IdentifierProperty[];
  private readonly paths: readonly Path[];

  constructor(root: Location, depthMax: number) {
    this.paths = findIdentifiers(root, depthMax);
    this.properties = this.paths.map((path) => {
      const named = path.filter((segment) => segment !== null);
      return { pointer: joinPointer(named), name: joinName(named) };
    });
  }

  /** The identifiers in a value, in the order of the schema, without blank ones. */
  of(value: JsonValue): IdentifierValue[] {
    return this.paths.flatMap((path) => valuesAt(value, path, []));
  }
}

function findIdentifiers(root: Location, depthMax: number): Path[] {
  const found: Path[] = [];
  const visit = (location: Location, path: Path, above: readonly Location[]): void => {
    const { wide } = location;
    if (above.includes(wide) || above.length > depthMax) return;
    if (path.length > 0 && isIdentifier(wide)) found.push(path);
    for (const name of wide.propertyNames) {
      const child = wide.property(name);
      if (child !== null) visit(child, [...path, name], [...above, wide]);
    }
    if (wide.isArray) visit(wide.item(0), [...path, null], [...above, wide]);
  };
  visit(root, [], []);
  return found;
}

function isIdentifier(location: Location): boolean {
  if (location.keyword('x-identifier') === true) return true;
  const extension = location.keyword('ory.sh/kratos');
  const credentials = isObject(extension) ? extension['credentials'] : undefined;
  if (!isObject(credentials)) return false;
  return Object.values(credentials).some(
    (credential) => isObject(credential) && credential['identifier'] === true,
  );
}

function valuesAt(
  value: JsonValue | undefined,
  path: Path,
  passed: readonly (string | number)[],
): IdentifierValue[] {
  const [segment, ...rest] = path;
  if (segment === undefined) {
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    const normal = normalizeIdentifier(String(value));
    if (normal === '') return [];
    return [{ pointer: joinPointer(passed), name: joinName(passed), value: normal }];
  }
  if (segment === null) {
    if (!Array.isArray(value)) return [];
    return value.flatMap((entry, index) => valuesAt(entry, rest, [...passed, index]));
  }
  return isObject(value) ? valuesAt(value[segment], rest, [...passed, segment]) : [];
}

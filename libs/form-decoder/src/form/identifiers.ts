import { isObject } from '../model/bare-object.js';
import { joinName, joinPointer } from '../model/field-names.js';
import {
  type IdentifierProperty,
  type IdentifierValue,
  type JsonValue,
} from '../model/form-decoder.types.js';
import { type Location } from '../schema/location.js';
import { emailKey, identifierKey } from './identifier-key.js';

/** The entries of a list from `first` to `last`. */
interface Entries {
  readonly first: number;
  readonly last: number;
}

type Path = readonly (string | Entries)[];

interface Identifier {
  readonly path: Path;
  readonly property: IdentifierProperty;
  readonly keyOf: (text: string) => string;
}

/** Where a schema has identifiers: `"x-identifier": true`, or Kratos's credentials extension. */
export class Identifiers {
  readonly properties: readonly IdentifierProperty[];
  private readonly known: readonly Identifier[];

  constructor(root: Location, depthMax: number) {
    this.known = findIdentifiers(root, depthMax);
    this.properties = this.known.map(({ property }) => property);
  }

  /** The identifiers in a value, in the order of the schema, without blank ones. */
  of(value: JsonValue): IdentifierValue[] {
    return this.known.flatMap((identifier) => valuesAt(value, identifier, identifier.path, []));
  }
}

function findIdentifiers(root: Location, depthMax: number): Identifier[] {
  const found: Identifier[] = [];
  const visit = (location: Location, path: Path, above: readonly Location[]): void => {
    const { wide } = location;
    if (above.includes(wide) || above.length > depthMax) return;
    if (path.length > 0 && isIdentifier(wide)) found.push(identifierAt(path, wide));
    for (const name of wide.propertyNames) {
      const child = wide.property(name);
      if (child !== null) visit(child, [...path, name], [...above, wide]);
    }
    if (!wide.isArray) return;
    const { tupleLength } = wide;
    for (let index = 0; index <= tupleLength; index += 1) {
      const last = index < tupleLength ? index : Infinity;
      visit(wide.item(index), [...path, { first: index, last }], [...above, wide]);
    }
  };
  visit(root, [], []);
  return found;
}

function identifierAt(path: Path, { format }: Location): Identifier {
  const named = path.filter((segment) => typeof segment === 'string');
  const isEmail = format === 'email' || format === 'idn-email';
  return {
    path,
    property: { pointer: joinPointer(named), name: joinName(named) },
    keyOf: isEmail ? emailKey : identifierKey,
  };
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
  identifier: Identifier,
  path: Path,
  passed: readonly (string | number)[],
): IdentifierValue[] {
  const [segment, ...rest] = path;
  if (segment === undefined) {
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    const text = String(value);
    const key = identifier.keyOf(text);
    if (key === '') return [];
    const property = identifier.property.name;
    return [{ pointer: joinPointer(passed), name: joinName(passed), property, text, value: key }];
  }
  if (typeof segment === 'string') {
    if (!isObject(value)) return [];
    return valuesAt(value[segment], identifier, rest, [...passed, segment]);
  }
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry, index) =>
    index < segment.first || index > segment.last
      ? []
      : valuesAt(entry, identifier, rest, [...passed, index]),
  );
}

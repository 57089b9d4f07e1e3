import { pointerSegment } from '../model/field-names.js';
import { type FieldError } from '../model/form-decoder.types.js';
import { type Location } from '../schema/location.js';

/** The order in which a page shows the properties of a place: by `x-order`, else as declared. */
export function propertiesInOrder(location: Location): string[] {
  const names = [...location.propertyNames];
  const rank = (name: string): number => {
    const order = location.property(name)?.keyword('x-order');
    return typeof order === 'number' ? order : Infinity;
  };
  if (!names.some((name) => rank(name) !== Infinity)) return names;
  return names
    .map((name, index) => ({ name, index, rank: rank(name) }))
    .sort((a, b) => (a.rank === b.rank ? a.index - b.index : a.rank - b.rank))
    .map(({ name }) => name);
}

/** Places beyond this many keep the order in which they are met. */
const PLACES_MAX = 4000;

/** The order of all places of a schema, entries of lists taken together. */
export class FieldOrder {
  readonly readOnly: string[] = [];
  private readonly positions = new Map<string, number>();

  constructor(root: Location, depthMax: number) {
    this.visit(root, '', [], depthMax);
  }

  /** Errors from the top of the form to its end; those of one place stay in their order. */
  sorted(errors: readonly FieldError[]): FieldError[] {
    if (errors.length < 2) return [...errors];
    return errors
      .map((error, index) => ({ error, index, key: this.keyOf(error.pointer) }))
      .sort((a, b) => compare(a.key, b.key) || a.index - b.index)
      .map(({ error }) => error);
  }

  private visit(location: Location, pointer: string, above: Location[], depthMax: number): void {
    const { wide } = location;
    if (this.positions.size >= PLACES_MAX || above.length > depthMax || above.includes(wide)) {
      return;
    }
    this.positions.set(pointer, this.positions.size);
    if (location.readOnly) this.readOnly.push(pointer);
    for (const name of propertiesInOrder(wide)) {
      const child = wide.property(name);
      if (child === null) continue;
      this.visit(child, `${pointer}/${pointerSegment(name)}`, [...above, wide], depthMax);
    }
    if (wide.isArray) this.visit(wide.item(0), `${pointer}/*`, [...above, wide], depthMax);
  }

  /** Position of the list, number of the entry, position within the entry, and so on. */
  private keyOf(pointer: string): number[] {
    const key: number[] = [];
    let known = '';
    for (const segment of pointer.split('/').slice(1)) {
      const named = `${known}/${segment}`;
      if (this.positions.has(named)) {
        known = named;
      } else if (/^\d+$/.test(segment) && this.positions.has(`${known}/*`)) {
        key.push(this.positions.get(known) as number, Number(segment));
        known = `${known}/*`;
      } else {
        break;
      }
    }
    key.push(this.positions.get(known) ?? 0);
    return key;
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const difference = (a[index] as number) - (b[index] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

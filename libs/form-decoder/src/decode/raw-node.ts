import { pointerSegment } from '../model/field-names.js';
import { type JsonObject, type JsonValue } from '../model/form-decoder.types.js';
import { writtenNumber } from '../read/json.reader.js';
import { INDEX, type Location } from '../schema/location.js';

/** A value that arrived as JSON, not as text to convert. */
export class JsonBox {
  constructor(
    readonly value: JsonValue,
    /** Whether the node was sent under a dotted name: list scalars then convert like form texts. */
    readonly converts = false,
    /** A number as it was sent, if JavaScript writes it otherwise. */
    readonly written?: string,
  ) {}
}

/** Scalars of JSON in form convention convert like form texts; everything else stays JSON. */
export function boxed(container: JsonObject | JsonValue[], key: string | number): string | JsonBox {
  const value = (container as JsonObject)[key] as JsonValue;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return writtenNumber(container, key) ?? String(value);
  return typeof value === 'boolean' ? String(value) : new JsonBox(value, true);
}

/** One name and its value as sent. */
export type RawEntry = readonly [name: string, value: string | JsonBox];

/** The input for one place of the value: its own entries, members, or list items. */
export class RawNode {
  members: Map<string, RawNode> | null = null;
  items: Map<number, RawNode> | null = null;
  first: RawEntry | null = null;
  private more: RawEntry[] | null = null;

  constructor(
    private readonly above: RawNode | null = null,
    /** The property name, or the position in the list once the list is made. */
    public step: string | number = '',
  ) {}

  /** The node below this one; a string steps into an object, a number into a list. */
  child(step: string | number): RawNode {
    return typeof step === 'string' ? this.member(step) : this.item(step);
  }

  member(name: string): RawNode {
    this.members ??= new Map();
    let node = this.members.get(name);
    if (node === undefined) {
      node = new RawNode(this, name);
      this.members.set(name, node);
    }
    return node;
  }

  item(index: number): RawNode {
    this.items ??= new Map();
    let node = this.items.get(index);
    if (node === undefined) {
      node = new RawNode(this, index);
      this.items.set(index, node);
    }
    return node;
  }

  /**
   * The items, if the place is a list. Indexes are names of members where the place might have been
   * an object as well; blank ones count only if nothing else was sent.
   */
  itemsAt(location: Location): ReadonlyMap<number, RawNode> | null {
    if (this.items !== null || this.members === null || !location.isArray) return this.items;
    const items = new Map<number, RawNode>();
    let isFilled = false;
    for (const [name, node] of this.members) {
      const isMember = location.isObject && location.property(name) !== null;
      if (!INDEX.test(name) || isMember) continue;
      items.set(Number(name), node);
      isFilled ||= node.isFilled;
    }
    return items.size > 0 && (isFilled || !this.isFilled) ? items : null;
  }

  put(entry: RawEntry): void {
    // Most places get one entry, which needs no array.
    if (this.first === null) this.first = entry;
    else if (this.more === null) this.more = [this.first, entry];
    else this.more.push(entry);
  }

  /** Whether more than one entry was sent for this very place. */
  get isRepeated(): boolean {
    return this.more !== null;
  }

  get entries(): readonly RawEntry[] {
    return this.more ?? (this.first === null ? [] : [this.first]);
  }

  /** The entries whose value is not the empty string. */
  get filled(): RawEntry[] {
    return this.entries.filter(([, value]) => value !== '');
  }

  /** Whether anything but empty strings was sent here or below. */
  get isFilled(): boolean {
    return this.filled.length > 0 || this.hasFilledChildren;
  }

  get hasFilledChildren(): boolean {
    for (const child of this.children()) if (child.isFilled) return true;
    return false;
  }

  /** Every entry that was sent here or below. */
  allEntries(): RawEntry[] {
    return [...this.entries, ...[...this.children()].flatMap((child) => child.allEntries())];
  }

  get pointer(): string {
    if (this.above === null) return '';
    return `${this.above.pointer}/${pointerSegment(String(this.step))}`;
  }

  /** How many steps lead here. */
  get depth(): number {
    return this.above === null ? 0 : this.above.depth + 1;
  }

  private *children(): Generator<RawNode> {
    if (this.members !== null) yield* this.members.values();
    if (this.items !== null) yield* this.items.values();
  }
}

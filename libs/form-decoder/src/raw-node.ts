import type { JsonValue } from './form-decoder.types.js';
import type { Location } from './location.js';

/** A value that came as JSON and is not a text to convert. */
export class JsonBox {
  constructor(
    readonly value: JsonValue,
    /** Its own name was a dotted one: the scalars of a list convert like texts. */
    readonly converts = false,
  ) {}
}

/** Texts of a list of scalars of which some came with an index. */
export class IndexedTexts {
  readonly entries = new Map<number, (string | JsonBox)[]>();

  constructor(
    /** Those that came without. */
    readonly texts: (string | JsonBox)[],
  ) {}

  put(index: number | null, text: string | JsonBox): void {
    const entry = index === null ? this.texts : this.entries.get(index);
    if (entry !== undefined) entry.push(text);
    else if (index !== null) this.entries.set(index, [text]);
  }
}

export interface SentName {
  name: string;
  /** Its number among the entries of the submission. */
  at: number;
}

/** What was sent below one place whose meaning depends on values: texts, members, entries. */
export class RawNode {
  texts: (string | JsonBox)[] | null = null;
  members: Map<string, RawNode> | null = null;
  entries: Map<number, RawNode> | null = null;
  /** The names that ended here. */
  readonly sent: SentName[] = [];
  /** The last conversion, if it went without a remark: it can be used again. */
  memoLocation: Location | null = null;
  memoValue: JsonValue | undefined = undefined;

  member(name: string): RawNode {
    this.members ??= new Map();
    let node = this.members.get(name);
    if (node === undefined) {
      node = new RawNode();
      this.members.set(name, node);
    }
    return node;
  }

  entry(index: number): RawNode {
    this.entries ??= new Map();
    let node = this.entries.get(index);
    if (node === undefined) {
      node = new RawNode();
      this.entries.set(index, node);
    }
    return node;
  }

  put(value: string | JsonBox, sent: SentName): void {
    this.texts ??= [];
    this.texts.push(value);
    this.sent.push(sent);
  }

  /** Whether anything but blanks was sent here or below. */
  get isFilled(): boolean {
    if (this.texts?.some((text) => text !== '') === true) return true;
    for (const child of this.children()) if (child.isFilled) return true;
    return false;
  }

  *children(): Generator<RawNode> {
    if (this.members !== null) yield* this.members.values();
    if (this.entries !== null) yield* this.entries.values();
  }

  /** Every name that was sent here or below. */
  allSent(): SentName[] {
    return [...this.sent, ...[...this.children()].flatMap((child) => child.allSent())];
  }
}

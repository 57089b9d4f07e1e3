import { type JsonValue } from '../model/form-decoder.types.js';
import {
  allowedMembers,
  branchesOf,
  firstText,
  flatten,
  isReadOnly,
  matching,
  TRIMMED_FORMATS,
  typesOf,
} from './location-facts.js';
import {
  ANY_TYPE,
  membersOf,
  TYPE,
  type SchemaChoice,
  type SchemaCondition,
  type SchemaDependency,
  type SchemaNode,
  type SchemaUnion,
  type TypeName,
} from './schema-node.js';

export const INDEX = /^(?:0|[1-9]\d{0,8})$/;

/**
 * One place of a value with all schemas that apply there. The schemas in `main` always apply (allOf
 * is expanded); those in `alt` belong to branches that may apply. `main` takes precedence. There is
 * one location for each set of schemas, so locations can be compared by identity. Children are
 * created on first use, so cycles in the schema are harmless.
 */
export class Location {
  readonly types: number;
  readonly typeOrder: readonly TypeName[] | null;
  readonly members: readonly JsonValue[] | null;
  readonly format: string | undefined;
  /** White space around a text does not count, as in the controls of HTML for this format. */
  readonly isTrimmed: boolean;
  /** Numbers count with all their digits. */
  readonly isExact: boolean;
  /** Not written by forms. A list with a read-only entry is read-only as a whole. */
  readonly readOnly: boolean;
  readonly required: ReadonlySet<string>;
  /** The choices of all schemas, those of `main` first. */
  readonly unions: readonly SchemaUnion[];
  readonly conditions: readonly SchemaCondition[];
  readonly dependencies: readonly SchemaDependency[];
  /** Whether the schemas that apply depend on the value. */
  readonly branching: boolean;
  readonly isObject: boolean;
  readonly isArray: boolean;
  /** An object, or any value, without rules for members: every name has a place. */
  readonly isFreeForm: boolean;
  /** Whether undeclared members may have a place. */
  readonly isOpen: boolean;
  /** Entries from this index on are alike. */
  readonly tupleLength: number;
  /** Schemas of `if`: they declare a property only if nothing else does. */
  private readonly weak: readonly SchemaNode[];
  private readonly children = new Map<string, Location | null>();
  private readonly extended = new Map<SchemaChoice, Map<SchemaNode, Location>>();
  private readonly entries = new Map<number, Location | null>();
  private names: readonly string[] | undefined;
  private filled: readonly string[] | undefined;
  private widened: Location | undefined;

  constructor(
    private readonly table: LocationTable,
    readonly main: readonly SchemaNode[],
    readonly alt: readonly SchemaNode[],
  ) {
    const said = main.some((node) => node.types !== null) ? main : alt;
    this.types = typesOf(said, said === main);
    this.typeOrder = said.find((node) => node.types !== null)?.types ?? null;
    this.members = allowedMembers(main, alt);
    const all = [...main, ...alt];
    this.format = firstText(all, 'format');
    this.isTrimmed = TRIMMED_FORMATS.has(this.format ?? '');
    this.isExact = all.some(({ source }) => source['multipleOf'] !== undefined);
    this.readOnly = all.some(isReadOnly);
    this.required = new Set(main.flatMap((node) => node.required));
    this.unions = all.flatMap((node) => node.unions);
    this.conditions = all.flatMap((node) => (node.condition === null ? [] : [node.condition]));
    this.dependencies = all.flatMap((node) => node.dependencies);
    this.weak = flatten(all.flatMap((node) => node.condition?.if ?? []));
    const open = all.some(
      (node) => node.patternProperties.length > 0 || node.additionalProperties !== null,
    );
    const hasMembers = open || all.some((node) => node.properties !== null);
    const hasEntries = all.some((node) => node.items !== null || node.tuple !== null);
    const closed = all.some(({ source }) => source['additionalProperties'] === false);
    const untyped = this.types === ANY_TYPE;
    this.tupleLength = Math.max(0, ...all.map((node) => node.tuple?.length ?? 0));
    this.isFreeForm = !hasMembers && !closed;
    this.isOpen = open || (this.isFreeForm && this.types === TYPE.object);
    this.isObject = (this.types & TYPE.object) !== 0 && (!untyped || hasMembers);
    this.isArray = (this.types & TYPE.array) !== 0 && (!untyped || hasEntries);
    this.branching = this.unions.length + this.conditions.length + this.dependencies.length > 0;
  }

  /** The declared property names, in the order of the schemas. */
  get propertyNames(): readonly string[] {
    this.names ??= [
      ...new Set(
        [...this.main, ...this.alt, ...this.weak].flatMap((node) => [
          ...(node.properties?.keys() ?? []),
        ]),
      ),
    ];
    return this.names;
  }

  /** Whether the members of an object depend neither on its values nor on names the sender chooses. */
  get hasFixedMembers(): boolean {
    const isPlainObject = this.isObject && !this.isArray && !this.isOpen && !this.branching;
    return isPlainObject && (this.types === TYPE.object || this.types === ANY_TYPE);
  }

  /** Whether a text is JSON: an object is expected, or one of several values, not all scalars. */
  get takesJsonText(): boolean {
    const { types } = this;
    if (this.isObject && ((types & TYPE.string) === 0 || types === ANY_TYPE)) return true;
    return this.members?.some((each) => typeof each === 'object' && each !== null) === true;
  }

  /** Whether null is among the allowed values, if those are limited, or an alternative of them. */
  get membersTakeNull(): boolean {
    const { members } = this;
    if (members === null || members.includes(null)) return true;
    return this.alt.some((node) => node.types?.includes('null') && membersOf(node) === null);
  }

  /** The first value of a keyword among the schemas, `main` before `alt`. */
  keyword(name: string): JsonValue | undefined {
    for (const node of this.main) if (node.source[name] !== undefined) return node.source[name];
    for (const node of this.alt) if (node.source[name] !== undefined) return node.source[name];
    return undefined;
  }

  /** A declared property, or null. */
  property(name: string): Location | null {
    const known = this.children.get(name);
    if (known !== undefined) return known;
    const of = (nodes: readonly SchemaNode[]): SchemaNode[] =>
      nodes.flatMap((node) => node.properties?.get(name) ?? []);
    const main = of(this.main);
    let alt = of(this.alt);
    if (main.length + alt.length === 0) alt = of(this.weak);
    if (main.length + alt.length === 0) return null;
    const child = this.table.of([...main, ...matching(this.main, name)], alt);
    this.children.set(name, child);
    return child;
  }

  /**
   * A property that no `properties` declares: by patternProperties or additionalProperties. A text
   * under a free-form object has a place as well. Not cached, because senders choose these names.
   */
  open(name: string): Location | null {
    const of = (nodes: readonly SchemaNode[]): SchemaNode[] =>
      nodes.flatMap((node) => {
        const matched = matching([node], name);
        if (matched.length > 0 || node.properties?.has(name) === true) return matched;
        return node.additionalProperties ?? [];
      });
    const main = of(this.main);
    const alt = of(this.alt);
    if (main.length + alt.length > 0) return this.table.of(main, alt);
    return this.isFreeForm && this.types === TYPE.object ? this.table.any : null;
  }

  /** The location of a member, declared or not; null if the name has no place. */
  member(name: string): Location | null {
    return this.property(name) ?? this.open(name);
  }

  /** Where a name leads, which is an index as well in places that may be a list. */
  memberOrItem(name: string): Location | null {
    const member = this.member(name);
    if (!this.isArray || !INDEX.test(name)) return member;
    const item = this.item(Number(name));
    return member === null
      ? item
      : this.table.of([], [...member.main, ...member.alt, ...item.main, ...item.alt]);
  }

  /** Properties that get a value even if nothing is sent: defaults and required objects. */
  get filledNames(): readonly string[] {
    this.filled ??= this.propertyNames.filter((name) => {
      const child = this.property(name);
      if (child === null) return false;
      const required = this.required.has(name) && child.types === TYPE.object;
      return required || child.keyword('default') !== undefined;
    });
    return this.filled;
  }

  /** The entry of a list at an index; without a schema for it, any value. */
  item(index: number): Location {
    const key = Math.min(index, this.tupleLength);
    const known = this.entries.get(key);
    if (known != null) return known;
    const of = (nodes: readonly SchemaNode[]): SchemaNode[] =>
      nodes.flatMap((node) => {
        if (node.tuple !== null) return node.tuple[key] ?? node.additionalItems ?? [];
        return node.items ?? [];
      });
    const entry = this.table.of(of(this.main), of(this.alt));
    this.entries.set(key, entry);
    return entry;
  }

  /** The same place with every branch that could apply: decides whether a name has a place. */
  get wide(): Location {
    this.widened ??= this.table.of(this.main, branchesOf(this.main, this.alt));
    return this.widened;
  }

  /** A place with one schema only. */
  alone(node: SchemaNode): Location {
    return this.table.of([node], []);
  }

  /** A place without any schema. */
  get anything(): Location {
    return this.table.any;
  }

  /** The same place with the schema that a choice led to, which is as certain as the choice. */
  with(node: SchemaNode, choice: SchemaChoice): Location {
    let known = this.extended.get(choice);
    if (known === undefined) {
      known = new Map();
      this.extended.set(choice, known);
    }
    let location = known.get(node);
    if (location === undefined) {
      location = isChoiceOf(this.main, choice)
        ? this.table.of([...this.main, node], this.alt)
        : this.withAlternatives([node]);
      known.set(node, location);
    }
    return location;
  }

  /** The same place with more schemas in `alt`. */
  withAlternatives(nodes: readonly SchemaNode[]): Location {
    return this.table.of(this.main, [...this.alt, ...nodes]);
  }
}

/** Creates each location once. */
export class LocationTable {
  private readonly known = new Map<string, Location>();
  readonly any: Location;

  constructor() {
    this.any = this.of([], []);
  }

  get size(): number {
    return this.known.size;
  }

  of(main: readonly SchemaNode[], alt: readonly SchemaNode[]): Location {
    const sure = flatten(main);
    const maybe = flatten(alt).filter((node) => !sure.includes(node));
    const key = `${ids(sure)}|${ids(maybe)}`;
    let location = this.known.get(key);
    if (location === undefined) {
      location = new Location(this, sure, maybe);
      this.known.set(key, location);
    }
    return location;
  }
}

function isChoiceOf(nodes: readonly SchemaNode[], choice: SchemaChoice): boolean {
  return nodes.some(({ unions, condition, dependencies }) =>
    [...unions, condition, ...dependencies].includes(choice),
  );
}

function ids(nodes: readonly SchemaNode[]): string {
  return nodes.map((node) => node.id).join();
}

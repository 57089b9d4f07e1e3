import { hasMember, isObject } from '../model/bare-object.js';
import { joinPointer, pointerSegment, splitPointer } from '../model/field-names.js';
import {
  type JsonObject,
  type JsonValue,
  type SchemaFault,
  type SchemaLimits,
} from '../model/form-decoder.types.js';
import { compilePattern, PATTERNS_SIZE_MAX, type Pattern } from './pattern.js';
import { type KeywordRemarks } from './keyword-remarks.js';
import { keywordFault } from './schema-keywords.js';
import {
  type SchemaNode,
  type SchemaUnion,
  type TypeName,
  usesInheritedName,
} from './schema-node.js';

/** Schemas of one document, references counted once. */
const NODES_MAX = 10_000;
const FAULTS_MAX = 20;

export interface SchemaGraph {
  root: SchemaNode;
  nodes: SchemaNode[];
  unions: SchemaUnion[];
  /** Whether a property has the name of an inherited member, such as `toString`. */
  hasInheritedNames: boolean;
}

/** Builds the graph of a document that passed `documentFaults`. */
export function buildGraph(
  document: JsonObject,
  limits: SchemaLimits,
  remarks: KeywordRemarks,
): { graph: SchemaGraph; faults: SchemaFault[] } {
  const builder = new GraphBuilder(document, limits, remarks);
  const graph = builder.build();
  return { graph, faults: builder.faults };
}

class GraphBuilder {
  readonly faults: SchemaFault[] = [];
  private readonly nodes: SchemaNode[] = [];
  private readonly unions: SchemaUnion[] = [];
  private readonly known = new Map<object, SchemaNode>();
  private readonly patterns = new Map<string, Pattern | null>();
  private readonly unfilled: SchemaNode[] = [];
  private patternsSize = 0;
  private properties = 0;
  private anchors: Map<string, string> | null = null;

  constructor(
    private readonly document: JsonObject,
    private readonly limits: SchemaLimits,
    private readonly remarks: KeywordRemarks,
  ) {}

  build(): SchemaGraph {
    const root = this.node(this.document, '');
    for (let node = this.unfilled.pop(); node !== undefined; node = this.unfilled.pop()) {
      if (this.nodes.length > NODES_MAX) {
        this.fault('', 'schema.size', `the document has more than ${NODES_MAX} schemas`);
        break;
      }
      this.fill(node);
    }
    if (this.properties > this.limits.propertiesMax) {
      const message = `the schema has more than ${this.limits.propertiesMax} properties`;
      this.fault('', 'schema.properties', message);
    }
    if (this.patternsSize > PATTERNS_SIZE_MAX) {
      this.fault('', 'schema.pattern', 'the patterns of the schema are too large together');
    }
    const { nodes, unions } = this;
    return { root, nodes, unions, hasInheritedNames: nodes.some(usesInheritedName) };
  }

  private fault(pointer: string, code: string, message: string): void {
    if (this.faults.length < FAULTS_MAX) this.faults.push({ pointer, code, message });
  }

  /** The node of the schema at a place, with references followed. */
  private node(schema: JsonValue, pointer: string): SchemaNode {
    let source = schema;
    let place = pointer;
    const passed = new Set<JsonValue>();
    while (isObject(source) && typeof source['$ref'] === 'string') {
      if (passed.has(source)) {
        this.fault(pointer, 'schema.cycle', '"$ref" leads back to itself');
        return this.create({}, pointer);
      }
      passed.add(source);
      this.remarks.onReference(source, place);
      const target = this.target(source['$ref'], place);
      if (target === null) return this.create({}, pointer);
      [source, place] = target;
    }
    if (!isObject(source)) {
      const node = this.create(source === false ? { not: {} } : {}, place);
      this.unfilled.push(node);
      return node;
    }
    const known = this.known.get(source);
    if (known !== undefined) return known;
    const node = this.create(source, place);
    this.known.set(source, node);
    this.unfilled.push(node);
    return node;
  }

  private create(source: JsonObject, pointer: string): SchemaNode {
    const node: SchemaNode = {
      id: this.nodes.length,
      pointer,
      source,
      types: null,
      properties: null,
      patternProperties: [],
      additionalProperties: null,
      items: null,
      tuple: null,
      additionalItems: null,
      required: [],
      allOf: [],
      unions: [],
      condition: null,
      dependencies: [],
      checks: [],
    };
    this.nodes.push(node);
    return node;
  }

  private fill(node: SchemaNode): void {
    const { source, pointer } = node;
    for (const keyword of Object.keys(source)) {
      const fault = keywordFault(keyword, source[keyword] as JsonValue);
      if (fault !== null) {
        this.fault(`${pointer}/${pointerSegment(keyword)}`, 'schema.keyword', fault);
      }
      this.remarks.onKeyword(keyword, pointer);
    }
    if (pointer !== '' && typeof source['$id'] === 'string' && !source['$id'].startsWith('#')) {
      this.fault(`${pointer}/$id`, 'schema.id', 'only the top of the schema may have an "$id"');
    }
    const type = source['type'];
    if (type !== undefined) node.types = (Array.isArray(type) ? type : [type]) as TypeName[];
    if (Array.isArray(source['required'])) node.required = source['required'] as string[];
    if (typeof source['pattern'] === 'string') {
      this.pattern(source['pattern'], `${pointer}/pattern`);
    }
    this.fillObject(node);
    this.fillList(node);
    this.fillBranches(node);
  }

  private fillObject(node: SchemaNode): void {
    const { properties, patternProperties, additionalProperties } = node.source;
    if (isObject(properties)) {
      this.remarks.onProperties(properties, `${node.pointer}/properties`);
      node.properties = this.map(properties, `${node.pointer}/properties`);
      this.properties += node.properties.size;
    }
    if (isObject(patternProperties)) {
      for (const [source, child] of this.map(
        patternProperties,
        `${node.pointer}/patternProperties`,
      )) {
        this.properties += 1;
        const place = `${node.pointer}/patternProperties/${pointerSegment(source)}`;
        const pattern = this.pattern(source, place);
        if (pattern !== null) node.patternProperties.push({ pattern, source, node: child });
      }
    }
    if (additionalProperties !== undefined && additionalProperties !== false) {
      const place = `${node.pointer}/additionalProperties`;
      node.additionalProperties = this.node(additionalProperties, place);
    }
  }

  private fillList(node: SchemaNode): void {
    const { items, additionalItems } = node.source;
    if (Array.isArray(items)) node.tuple = this.list(items, `${node.pointer}/items`);
    else if (items !== undefined) node.items = this.node(items, `${node.pointer}/items`);
    if (node.tuple !== null && additionalItems !== undefined && additionalItems !== false) {
      node.additionalItems = this.node(additionalItems, `${node.pointer}/additionalItems`);
    }
  }

  private fillBranches(node: SchemaNode): void {
    const { source, pointer } = node;
    if (Array.isArray(source['allOf'])) node.allOf = this.list(source['allOf'], `${pointer}/allOf`);
    for (const kind of ['oneOf', 'anyOf'] as const) {
      if (!Array.isArray(source[kind])) continue;
      const branches = this.list(source[kind], `${pointer}/${kind}`);
      const union: SchemaUnion = { id: this.unions.length, kind, branches };
      this.unions.push(union);
      node.unions.push(union);
    }
    if (source['if'] !== undefined) {
      const branch = (keyword: 'then' | 'else'): SchemaNode | null =>
        source[keyword] === undefined ? null : this.node(source[keyword], `${pointer}/${keyword}`);
      node.condition = {
        if: this.node(source['if'], `${pointer}/if`),
        then: branch('then'),
        else: branch('else'),
      };
    }
    if (isObject(source['dependencies'])) {
      for (const [property, child] of Object.entries(source['dependencies'])) {
        if (Array.isArray(child)) continue;
        const place = `${pointer}/dependencies/${pointerSegment(property)}`;
        node.dependencies.push({ property, node: this.node(child, place) });
      }
    }
    for (const keyword of ['not', 'contains', 'propertyNames'] as const) {
      if (source[keyword] === undefined) continue;
      node.checks.push({ keyword, node: this.node(source[keyword], `${pointer}/${keyword}`) });
    }
  }

  private map(schemas: JsonObject, pointer: string): Map<string, SchemaNode> {
    return new Map(
      Object.entries(schemas).map(([name, schema]) => [
        name,
        this.node(schema, `${pointer}/${pointerSegment(name)}`),
      ]),
    );
  }

  private list(schemas: JsonValue[], pointer: string): SchemaNode[] {
    return schemas.map((schema, index) => this.node(schema, `${pointer}/${index}`));
  }

  private pattern(source: string, pointer: string): Pattern | null {
    const known = this.patterns.get(source);
    if (known !== undefined) return known;
    let pattern: Pattern | null = null;
    try {
      if (this.patternsSize <= PATTERNS_SIZE_MAX) pattern = compilePattern(source);
      this.patternsSize += pattern?.size ?? 0;
    } catch (error) {
      this.fault(pointer, 'schema.pattern', error instanceof Error ? error.message : String(error));
    }
    this.patterns.set(source, pattern);
    return pattern;
  }

  /** The target of a reference and its pointer. Never fetches anything. */
  private target(reference: string, pointer: string): [JsonValue, string] | null {
    const place = `${pointer}/$ref`;
    const hash = reference.indexOf('#');
    const base = hash === -1 ? reference : reference.slice(0, hash);
    const id = this.document['$id'];
    const own = typeof id === 'string' ? id.replace(/#.*$/, '') : '';
    if (base !== '' && base !== own) {
      const message = `"${reference}" points outside the document, which is not supported`;
      this.fault(place, 'schema.ref', message);
      return null;
    }
    const fragment = hash === -1 ? '' : reference.slice(hash);
    const anchor = this.anchorOf(fragment);
    let value: JsonValue | undefined = this.document;
    let segments: string[] = [];
    try {
      segments = splitPointer(anchor ?? (fragment === '#' ? '' : fragment));
    } catch {
      value = undefined;
    }
    for (const segment of segments) {
      value =
        typeof value === 'object' && value !== null && hasMember(value, segment)
          ? (value as JsonObject)[segment]
          : undefined;
    }
    if (isObject(value) || typeof value === 'boolean') return [value, joinPointer(segments)];
    this.fault(place, 'schema.ref', `"${reference}" does not resolve`);
    return null;
  }

  /** Draft-07 section 8.2.3: `"$id": "#address"` names a schema for `"$ref": "#address"`. */
  private anchorOf(fragment: string): string | undefined {
    if (fragment.length < 2 || fragment.startsWith('#/')) return undefined;
    if (this.anchors === null) {
      this.anchors = new Map();
      const open: [JsonValue, string][] = [[this.document, '']];
      for (let place = open.pop(); place !== undefined; place = open.pop()) {
        const [value, pointer] = place;
        if (value === null || typeof value !== 'object') continue;
        if (isObject(value) && typeof value['$id'] === 'string') {
          this.anchors.set(value['$id'], pointer);
        }
        for (const [name, child] of Object.entries(value)) {
          open.push([child, `${pointer}/${pointerSegment(name)}`]);
        }
      }
    }
    return this.anchors.get(fragment);
  }
}

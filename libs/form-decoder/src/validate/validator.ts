import { Ajv, type ErrorObject, type FuncKeywordDefinition } from 'ajv';
import { canonicalJson, isObject, sameJson } from '../model/bare-object.js';
import { discriminatorsOf, type Discriminator } from './discriminator.js';
import { FORMATS } from './formats.js';
import { type JsonValue } from '../model/form-decoder.types.js';
import { isMultipleOf } from '../read/scalar-text.js';
import { LocationTable } from '../schema/location.js';
import { compilePattern } from '../schema/pattern.js';
import { type SchemaGraph } from '../schema/schema-graph.js';
import { membersOf, type TYPE, type SchemaNode, type SchemaUnion } from '../schema/schema-node.js';
import { definitionName, isSimple, validationSchema } from './validation-schema.js';

/** The members of ajv's errors that are used here. */
export type RawError = Pick<ErrorObject, 'keyword' | 'instancePath' | 'params'>;

interface Check {
  (value: unknown, context?: { instancePath: string }): unknown;
  errors?: Partial<ErrorObject>[] | null;
}

const SCHEMA_ID = 'form';

/**
 * The compiled rules of one schema. Patterns run through RE2. Only the selected branch of a union
 * reports errors, so `required` counts only in the branch that applies.
 */
export class Validator {
  private readonly ajv: Ajv;
  private readonly check: Check;
  private readonly branches = new Map<SchemaNode, (value: unknown, path: string) => RawError[]>();
  private readonly discriminators = new Map<SchemaUnion, readonly Discriminator[]>();

  /** Throws what ajv throws when it cannot compile the schema. */
  constructor(
    private readonly graph: SchemaGraph,
    private readonly table: LocationTable = new LocationTable(),
  ) {
    this.ajv = new Ajv({
      allErrors: true,
      strict: true,
      strictTypes: false,
      strictTuples: false,
      strictRequired: false,
      allowUnionTypes: true,
      allowMatchingProperties: true,
      inlineRefs: false,
      meta: false,
      validateSchema: false,
      logger: false,
      // Optimizing takes four times as long as compiling, and the checks run no faster for it.
      code: { optimize: false, regExp: Object.assign(compilePattern, { code: 'compilePattern' }) },
      formats: { ...FORMATS },
    });
    this.addKeywords();
    this.ajv.addSchema(validationSchema(graph), SCHEMA_ID);
    this.check = this.ajv.getSchema(SCHEMA_ID) as Check;
    for (const union of graph.unions) union.branches.forEach((branch) => this.branch(branch));
    for (const node of graph.nodes) {
      if (node.condition !== null) this.branch(node.condition.if);
      for (const check of node.checks) if (check.keyword !== 'not') this.branch(check.node);
    }
  }

  /** All errors; empty if the value is valid. */
  errors(value: unknown): RawError[] {
    return this.check(value) === true ? [] : ((this.check.errors ?? []) as RawError[]);
  }

  /** Whether a value fits one schema of the document: a branch of a union, or an `if`. */
  fits(node: SchemaNode, value: JsonValue): boolean {
    return this.branch(node)(value, '').length === 0;
  }

  discriminatorsOf(union: SchemaUnion): readonly Discriminator[] {
    let known = this.discriminators.get(union);
    if (known === undefined) {
      known = discriminatorsOf(union, this.table);
      this.discriminators.set(union, known);
    }
    return known;
  }

  private branch(node: SchemaNode): (value: unknown, path: string) => RawError[] {
    let run = this.branches.get(node);
    if (run === undefined) {
      run = isSimple(node) ? (value, path) => simpleErrors(node, value, path) : this.compiled(node);
      this.branches.set(node, run);
    }
    return run;
  }

  private compiled(node: SchemaNode): (value: unknown, path: string) => RawError[] {
    const root = node === this.graph.root;
    const key = root ? SCHEMA_ID : `${SCHEMA_ID}#/definitions/${definitionName(node)}`;
    const check = this.ajv.getSchema(key) as Check;
    return (value, instancePath) =>
      check(value, { instancePath }) === true ? [] : ((check.errors ?? []) as RawError[]);
  }

  private nodeOf(id: number): SchemaNode {
    return this.graph.nodes[id] as SchemaNode;
  }

  private addKeywords(): void {
    this.ajv.addKeyword({
      keyword: 'alternatives',
      schemaType: 'array',
      errors: 'full',
      compile: (ids: number[]) =>
        keywordCheck((value, path) =>
          ids.flatMap((id) => this.unionErrors(this.graph.unions[id] as SchemaUnion, value, path)),
        ),
    });
    this.ajv.addKeyword({
      keyword: 'holds',
      type: 'array',
      schemaType: 'number',
      errors: 'full',
      compile: (id: number) =>
        keywordCheck((list, instancePath) =>
          (list as JsonValue[]).some((entry) => this.fits(this.nodeOf(id), entry))
            ? []
            : [{ keyword: 'contains', instancePath, params: {} }],
        ),
    });
    this.ajv.addKeyword({
      keyword: 'named',
      type: 'object',
      schemaType: 'number',
      errors: 'full',
      compile: (id: number) =>
        keywordCheck((object, instancePath) =>
          Object.keys(object as object)
            .filter((name) => !this.fits(this.nodeOf(id), name))
            .map((propertyName) => ({
              keyword: 'propertyNames',
              instancePath,
              params: { propertyName },
            })),
        ),
    });
    this.ajv.addKeyword({
      keyword: 'sameAs',
      schemaType: 'object',
      errors: 'full',
      compile: ({ keyword, members }: { keyword: string; members: JsonValue[] }) =>
        keywordCheck((value, instancePath) =>
          members.some((member) => sameJson(member, value as JsonValue))
            ? []
            : [{ keyword, instancePath, params: memberParams(keyword, members) }],
        ),
    });
    this.ajv.addKeyword({
      keyword: 'stepped',
      type: 'number',
      schemaType: 'number',
      errors: 'full',
      compile: (multipleOf: number) =>
        keywordCheck((value, instancePath) =>
          isMultipleOf(value as number, multipleOf)
            ? []
            : [{ keyword: 'multipleOf', instancePath, params: { multipleOf } }],
        ),
    });
    this.ajv.addKeyword({
      keyword: 'distinct',
      type: 'array',
      schemaType: 'boolean',
      errors: 'full',
      compile: () =>
        keywordCheck((value, instancePath) => {
          const pair = firstPair(value as JsonValue[]);
          return pair === null ? [] : [{ keyword: 'uniqueItems', instancePath, params: pair }];
        }),
    });
  }

  private unionErrors(union: SchemaUnion, value: unknown, path: string): RawError[] {
    const results: RawError[][] = [];
    for (const branch of union.branches) {
      const errors = this.branch(branch)(value, path);
      if (errors.length === 0 && union.kind === 'anyOf') return [];
      results.push(errors);
    }
    const fitting = results.filter((errors) => errors.length === 0).length;
    if (fitting === 1) return [];
    if (fitting > 1) return [{ keyword: 'oneOf', instancePath: path, params: {} }];
    return this.discriminated(union, value, path, results) ?? closest(results, path);
  }

  /** The errors of the branch that a discriminator names, or of the discriminator itself. */
  private discriminated(
    union: SchemaUnion,
    value: unknown,
    path: string,
    results: readonly RawError[][],
  ): RawError[] | null {
    if (!isObject(value)) return null;
    const known = this.discriminatorsOf(union);
    for (const { property, members } of known) {
      const given = value[property];
      if (given === undefined) continue;
      const index = members.findIndex((each) => each?.includes(given) === true);
      if (index !== -1) return results[index] as RawError[];
    }
    const only = known.length === 1 ? known[0] : undefined;
    if (only === undefined || only.members.includes(null)) return null;
    const given = value[only.property];
    if (given === undefined) {
      const params = { missingProperty: only.property };
      return [{ keyword: 'required', instancePath: path, params }];
    }
    const allowedValues = only.members.flatMap((each) => each ?? []);
    const instancePath = `${path}/${only.property.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return [{ keyword: 'enum', instancePath, params: { allowedValues } }];
  }
}

type KeywordCheck = ReturnType<NonNullable<FuncKeywordDefinition['compile']>>;

function keywordCheck(run: (value: unknown, path: string) => RawError[]): KeywordCheck {
  const check: KeywordCheck = (value, context) => {
    const errors = run(value, context?.instancePath ?? '');
    check.errors = errors;
    return errors.length === 0;
  };
  return check;
}

/** The errors of the closest branch: of the right type first, then with the fewest errors. */
function closest(results: readonly RawError[][], path: string): RawError[] {
  let best: RawError[] | undefined;
  let bestScore = Infinity;
  for (const errors of results) {
    const wrongType = errors.some(
      ({ keyword, instancePath }) => keyword === 'type' && instancePath === path,
    );
    // A missing property counts twice: it suggests that another branch was meant.
    const missing = errors.filter(
      ({ keyword, instancePath }) => keyword === 'required' && instancePath === path,
    );
    const score = errors.length + missing.length + (wrongType ? 10_000 : 0);
    if (score < bestScore) {
      best = errors;
      bestScore = score;
    }
  }
  if (best !== undefined && (bestScore < 10_000 || results.length === 1)) return best;
  const types = results.flatMap((errors) =>
    errors.filter((e) => e.keyword === 'type' && e.instancePath === path).map((e) => typeOf(e)),
  );
  return types.length === results.length
    ? [{ keyword: 'type', instancePath: path, params: { type: [...new Set(types.flat())] } }]
    : [{ keyword: 'anyOf', instancePath: path, params: {} }];
}

function typeOf(error: RawError): string[] {
  return [(error.params as { type: string | string[] }).type].flat();
}

function simpleErrors(node: SchemaNode, value: unknown, instancePath: string): RawError[] {
  if (node.types !== null && !node.types.some((type) => hasType(value, type))) {
    return [{ keyword: 'type', instancePath, params: { type: node.types } }];
  }
  const members = membersOf(node);
  if (members === null || members.some((member) => sameJson(member, value as JsonValue))) return [];
  const keyword = 'const' in node.source ? 'const' : 'enum';
  return [{ keyword, instancePath, params: memberParams(keyword, members) }];
}

function memberParams(keyword: string, members: JsonValue[]): Record<string, unknown> {
  return keyword === 'const' ? { allowedValue: members[0] } : { allowedValues: members };
}

function hasType(value: unknown, type: keyof typeof TYPE): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      return typeof value === type;
  }
}

/** The first two equal entries of a list, in one pass. */
function firstPair(list: readonly JsonValue[]): { i: number; j: number } | null {
  const scalars = new Map<JsonValue, number>();
  const others = new Map<JsonValue, number>();
  for (let index = 0; index < list.length; index += 1) {
    const entry = list[index] as JsonValue;
    const composite = typeof entry === 'object' && entry !== null;
    const seen = composite ? others : scalars;
    const key = composite ? canonicalJson(entry) : entry;
    const first = seen.get(key);
    if (first !== undefined) return { i: first, j: index };
    seen.set(key, index);
  }
  return null;
}

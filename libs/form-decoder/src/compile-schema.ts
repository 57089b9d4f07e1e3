import { SchemaError } from './model/form-decoder.errors.js';
import {
  type CompileOptions,
  type FormPlan,
  type JsonObject,
  type SchemaFault,
  type SchemaLimits,
} from './model/form-decoder.types.js';
import { DEFAULT_FORM_LIMITS, DEFAULT_SCHEMA_LIMITS } from './model/form-limits.js';
import { flatten } from './schema/location-facts.js';
import { INDEX, LocationTable } from './schema/location.js';
import { Plan } from './plan.js';
import { costFaults } from './schema/schema-cost.js';
import { documentFaults } from './schema/schema-document.js';
import { KeywordRemarks } from './schema/keyword-remarks.js';
import { buildGraph, type SchemaGraph } from './schema/schema-graph.js';
import { isSimple } from './validate/validation-schema.js';

/** Branches of unions that need compiled code of their own. */
const BRANCHES_MAX = 500;

/**
 * Compiles a JSON Schema (draft-07) to a plan. Size, depth, properties, patterns and the cost of
 * checking one value are bounded before anything of the schema runs.
 *
 * Throws SchemaError with every fault found and where it stands: codes `schema.type`, `schema.size`,
 * `schema.depth`, `schema.dialect`, `schema.invalid`, `schema.reserved_name`, `schema.keyword`,
 * `schema.name`, `schema.id`, `schema.ref`, `schema.cycle`, `schema.pattern`, `schema.properties`, `schema.cost`,
 * `schema.traits`. A `$ref` is followed within the document only.
 *
 * @example
 * const plan = compileSchema(
 *   { type: 'object', properties: { age: { type: 'integer' } } },
 *   { root: 'document' },
 * );
 * plan.decode([['age', '36']]).value; // { age: 36 }
 */
export function compileSchema(schema: unknown, options: CompileOptions = {}): FormPlan {
  const schemaLimits: SchemaLimits = { ...DEFAULT_SCHEMA_LIMITS, ...options.limits };
  const limits = Object.freeze({ ...DEFAULT_FORM_LIMITS, ...pickFormLimits(options) });
  refuse(documentFaults(schema, schemaLimits));
  const document = schema as JsonObject;
  const remarks = new KeywordRemarks(options.nearest);
  const { graph, faults } = buildGraph(document, schemaLimits, remarks);
  const refused = options.isRegistered === true ? faults : [...faults, ...remarks.mistakes];
  const traits = options.root !== 'document';
  refuse([...refused, ...(traits ? traitsFaults(graph) : [])]);
  refuse(costFaults(graph));
  refuse(branchFaults(graph));
  try {
    const warnings = [...remarks.warnings, ...ambiguities(graph)];
    return new Plan(document, graph, limits, traits ? 'traits' : undefined, warnings);
  } catch (error) {
    // Only ajv's compiler can still fail, or the stack on a long chain of references.
    const message = error instanceof Error ? error.message : String(error);
    throw new SchemaError([{ pointer: '', code: 'schema.invalid', message }]);
  }
}

function refuse(faults: readonly SchemaFault[]): void {
  if (faults.length > 0) throw new SchemaError(faults);
}

function pickFormLimits(options: CompileOptions): CompileOptions['limits'] {
  const given = options.limits ?? {};
  const { fieldsMax, nameBytesMax, valueBytesMax, depthMax, rowsMax } = given;
  const picked = { fieldsMax, nameBytesMax, valueBytesMax, depthMax, rowsMax };
  return Object.fromEntries(Object.entries(picked).filter(([, value]) => value !== undefined));
}

function traitsFaults(graph: SchemaGraph): SchemaFault[] {
  const traits = graph.root.properties?.get('traits');
  if (traits === undefined) {
    const message = 'the schema must have an object "traits" among its properties';
    return [{ pointer: '/properties/traits', code: 'schema.traits', message }];
  }
  const isObject = flatten([traits]).some((node) => node.types?.join() === 'object');
  if (isObject) return [];
  const message = '"traits" must be of type "object"';
  return [{ pointer: '/properties/traits', code: 'schema.traits', message }];
}

/** Places that may be a list or an object with a property of digits, whatever else was sent. */
function ambiguities({ nodes }: SchemaGraph): SchemaFault[] {
  const table = new LocationTable();
  return nodes.flatMap((node) => {
    if (node.unions.length === 0 && node.types?.includes('array') !== true) return [];
    const { wide } = table.of([node], []);
    const name = wide.propertyNames.find((each) => INDEX.test(each));
    if (name === undefined || !wide.isArray || !wide.isObject) return [];
    const message = `"${name}" may be an index or a property: the first alternative that fits counts`;
    return [{ pointer: node.pointer, code: 'schema.ambiguous', message }];
  });
}

function branchFaults(graph: SchemaGraph): SchemaFault[] {
  const branches = graph.unions
    .flatMap((union) => union.branches)
    .filter((each) => !isSimple(each));
  if (branches.length <= BRANCHES_MAX) return [];
  const message = `the schema has more than ${BRANCHES_MAX} alternatives`;
  return [{ pointer: '', code: 'schema.cost', message }];
}

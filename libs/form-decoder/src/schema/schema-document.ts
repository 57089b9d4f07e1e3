import { Buffer } from 'node:buffer';
import { Ajv, type ValidateFunction } from 'ajv';
import { isObject } from '../model/bare-object.js';
import { pointerSegment, RESERVED_NAMES } from '../model/field-names.js';
import {
  type JsonObject,
  type SchemaFault,
  type SchemaLimits,
} from '../model/form-decoder.types.js';

/** Checks that need no graph: a schema is JSON, small and draft-07. */

const DIALECT = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
const FAULTS_MAX = 20;

const isDraft07 = metaSchema();

/**
 * Ajv's copy requires what draft-07 only recommends of `enum`: at least one value, no duplicates
 * (6.1.2). It also ignores `$defs`, which this library treats as `definitions`.
 */
function metaSchema(): ValidateFunction {
  const options = { strict: false, validateFormats: false, allErrors: true };
  const published = new Ajv().getSchema('http://json-schema.org/draft-07/schema')
    ?.schema as JsonObject;
  const known = published['properties'] as JsonObject;
  const properties = { ...known, enum: { type: 'array' }, $defs: known['definitions'] };
  return new Ajv({ ...options, meta: false, validateSchema: false }).compile({
    ...published,
    $schema: undefined,
    properties,
  });
}

/** Faults of the document; empty if the graph may be built. Never throws, for any input. */
export function documentFaults(schema: unknown, limits: SchemaLimits): SchemaFault[] {
  if (!isObject(schema)) {
    return [{ pointer: '', code: 'schema.type', message: 'the schema must be a JSON object' }];
  }
  const faults = valueFaults(schema, limits);
  if (faults.length > 0) return faults;
  const bytes = Buffer.byteLength(JSON.stringify(schema), 'utf8');
  if (bytes > limits.schemaBytesMax) {
    const message = `the schema is larger than ${limits.schemaBytesMax} bytes`;
    return [{ pointer: '', code: 'schema.size', message }];
  }
  const dialect = schema['$schema'];
  if (dialect !== undefined && !(typeof dialect === 'string' && DIALECT.test(dialect))) {
    const message = '"$schema" must be http://json-schema.org/draft-07/schema# or absent';
    return [{ pointer: '/$schema', code: 'schema.dialect', message }];
  }
  return metaSchemaFaults(schema);
}

/** Walks without recursion, so that no depth of nesting can exhaust the stack. */
function valueFaults(schema: JsonObject, limits: SchemaLimits): SchemaFault[] {
  const faults: SchemaFault[] = [];
  const open: { value: unknown; name: string; pointer: string; depth: number }[] = [
    { value: schema, name: '', pointer: '', depth: 1 },
  ];
  let visited = 0;
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, name, pointer, depth } = place;
    visited += 1;
    if (RESERVED_NAMES.has(name) && faults.length < FAULTS_MAX) {
      const message = `"${name}" is a reserved name`;
      faults.push({ pointer, code: 'schema.reserved_name', message });
    }
    if (depth > limits.schemaDepthMax) {
      const message = `the schema is nested deeper than ${limits.schemaDepthMax} levels`;
      return [{ pointer, code: 'schema.depth', message }];
    }
    // A value takes at least two bytes with its separator: more of them cannot fit the size limit.
    if (visited > limits.schemaBytesMax / 2) {
      const message = `the schema is larger than ${limits.schemaBytesMax} bytes`;
      return [{ pointer: '', code: 'schema.size', message }];
    }
    if (value === null || typeof value === 'string' || typeof value === 'boolean') continue;
    if (typeof value === 'number' && Number.isFinite(value)) continue;
    if (typeof value !== 'object') {
      return [{ pointer, code: 'schema.type', message: 'the schema must be JSON' }];
    }
    for (const member of Object.keys(value).reverse()) {
      open.push({
        value: (value as Record<string, unknown>)[member],
        name: member,
        pointer: `${pointer}/${pointerSegment(member)}`,
        depth: depth + 1,
      });
    }
  }
  return faults;
}

function metaSchemaFaults(schema: JsonObject): SchemaFault[] {
  if (isDraft07(schema)) return [];
  const errors = isDraft07.errors ?? [];
  const faults = new Map<string, SchemaFault>();
  for (const error of errors) {
    // The first error of an `anyOf` at one place is the most specific.
    if (faults.has(error.instancePath)) continue;
    if (faults.size === FAULTS_MAX) break;
    faults.set(error.instancePath, {
      pointer: error.instancePath,
      code: 'schema.invalid',
      message: `${error.message ?? 'is not draft-07'}${allowed(error.params)}`,
    });
  }
  return [...faults.values()];
}

function allowed(params: Record<string, unknown>): string {
  const values = params['allowedValues'];
  return Array.isArray(values) ? `: ${values.join(', ')}` : '';
}

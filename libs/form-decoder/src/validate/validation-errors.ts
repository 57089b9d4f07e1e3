import { pointerSegment, splitPointer } from '../model/field-names.js';
import { type FieldError, type JsonObject, type JsonValue } from '../model/form-decoder.types.js';
import { fieldError } from '../messages/localize.js';
import { losesDigits } from '../read/scalar-text.js';
import { type RawError } from './validator.js';

export interface ErrorContext {
  /** The label of the field at a pointer. */
  label(pointer: string): string;
  /** Whether the entered value must not be returned: `writeOnly`, or a password. */
  secret(pointer: string): boolean;
}

/** Errors that add nothing to a type error at the same place. */
const FOLLOWS_TYPE = new Set(['enum', 'const', 'not', 'oneOf', 'anyOf']);

const LIMITS_OF_NUMBERS = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']);
const LIMITS_OF_SIZES = new Set([
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
]);

const PARAM_LENGTH_MAX = 500;
const PARAM_MEMBERS_MAX = 250;

/** More would not be read, and a small form could cause a large response. */
const ERRORS_MAX = 100;

/** Converts ajv's errors: one pointer and one code each, in ajv's order, at most 100. */
export function fieldErrors(
  errors: readonly RawError[],
  value: JsonValue,
  context: ErrorContext,
): FieldError[] {
  const result = new Map<string, FieldError>();
  const wrongType = new Set<string>();
  for (const error of errors) {
    if (result.size === ERRORS_MAX) break;
    const found = translate(error, value, context);
    if (found === null) continue;
    const [pointer, code, params] = found;
    if (code === 'type' || code === 'number.precision') wrongType.add(pointer);
    const key = `${code} ${pointer}`;
    if (!result.has(key)) {
      result.set(key, fieldError(pointer, code, params, context.label(pointer)));
    }
  }
  return [...result.values()].filter(
    ({ code, pointer }) => !(FOLLOWS_TYPE.has(code) && wrongType.has(pointer)),
  );
}

/** A part of a schema for an error, shortened because a thousand errors may repeat it. */
function shortened(value: JsonValue): JsonValue {
  if (typeof value !== 'string' && !(typeof value === 'object' && value !== null)) return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= PARAM_LENGTH_MAX ? value : `${text.slice(0, PARAM_LENGTH_MAX)}…`;
}

function shortenedList(members: readonly JsonValue[]): JsonValue[] {
  return members.slice(0, PARAM_MEMBERS_MAX).map(shortened);
}

type Translated = [pointer: string, code: string, params: Record<string, JsonValue>];

function translate(error: RawError, value: JsonValue, context: ErrorContext): Translated | null {
  const { keyword, instancePath: pointer } = error;
  const params = error.params as Record<string, JsonValue>;
  if (LIMITS_OF_NUMBERS.has(keyword)) {
    const limit = params['limit'] as number;
    if (context.secret(pointer)) return [pointer, keyword, { limit }];
    return [pointer, keyword, { limit, actual: valueAt(value, pointer) as number }];
  }
  if (LIMITS_OF_SIZES.has(keyword)) {
    const limit = params['limit'] as number;
    return [pointer, keyword, { limit, actual: sizeOf(valueAt(value, pointer)) }];
  }
  switch (keyword) {
    case 'if':
      return null;
    case 'required':
    case 'dependencies':
      return missing(pointer, params['missingProperty'] as string);
    case 'additionalProperties':
      return [member(pointer, params['additionalProperty']), keyword, {}];
    case 'propertyNames':
      return [member(pointer, params['propertyName']), keyword, {}];
    case 'type':
      return typeError(pointer, params['type'] as JsonValue, value, context);
    case 'const':
      return [pointer, keyword, { expected: shortened(params['allowedValue'] as JsonValue) }];
    case 'enum':
      return [pointer, keyword, { allowed: shortenedList(params['allowedValues'] as JsonValue[]) }];
    case 'pattern':
      return [pointer, keyword, { pattern: shortened(params['pattern'] as string) }];
    case 'format':
      return [pointer, keyword, { format: params['format'] as string }];
    case 'multipleOf':
      return [pointer, keyword, { base: params['multipleOf'] as number }];
    case 'uniqueItems':
      return [pointer, keyword, { first: params['i'] as number, second: params['j'] as number }];
    case 'additionalItems':
      return [pointer, 'maxItems', { limit: params['limit'] as number }];
    case 'false schema':
      return [pointer, 'not', {}];
    default:
      return [pointer, keyword, {}];
  }
}

function missing(pointer: string, property: string): Translated {
  return [member(pointer, property), 'required', { property }];
}

function member(pointer: string, name: JsonValue | undefined): string {
  return `${pointer}/${pointerSegment(typeof name === 'string' ? name : '')}`;
}

function typeError(
  pointer: string,
  type: JsonValue,
  value: JsonValue,
  context: ErrorContext,
): Translated {
  const types = (Array.isArray(type) ? type : [type]) as string[];
  const given = valueAt(value, pointer) ?? null;
  const params: Record<string, JsonValue> = { types, actual: typeName(given) };
  if (typeof given !== 'object' && !context.secret(pointer)) params['value'] = given;
  const numeric = types.includes('integer') || types.includes('number');
  const precise =
    typeof given === 'string' && numeric && losesDigits(given, !types.includes('number'), true);
  return [pointer, precise ? 'number.precision' : 'type', params];
}

function typeName(value: JsonValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Code points of a text, items of a list, properties of an object. */
function sizeOf(value: JsonValue | undefined): number {
  if (typeof value === 'string') return [...value].length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

function valueAt(value: JsonValue, pointer: string): JsonValue | undefined {
  let place: JsonValue | undefined = value;
  for (const segment of splitPointer(pointer)) {
    if (typeof place !== 'object' || place === null) return undefined;
    place = (place as JsonObject)[segment];
  }
  return place;
}

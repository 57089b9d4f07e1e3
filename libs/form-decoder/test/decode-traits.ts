import { compileSchema } from '../src/compile-schema.js';
import {
  type CompileOptions,
  type DecodeOptions,
  type FormFields,
  type JsonValue,
} from '../src/model/form-decoder.types.js';
import { parseUrlencoded } from '../src/read/urlencoded.reader.js';

/** Decodes fields of an identity whose traits have the given properties. */
export function decodeTraits(
  properties: JsonValue,
  fields: string | FormFields,
  options?: DecodeOptions & CompileOptions,
  required: string[] = [],
): { traits: unknown; ignored: string[]; conflicts: string[]; errors: string[] } {
  const traits = { type: 'object', properties, required };
  const plan = compileSchema({ type: 'object', properties: { traits } }, options);
  const entries = typeof fields === 'string' ? parseUrlencoded(fields) : fields;
  const decoded = plan.decode(entries, options);
  const { traits: value, ...others } = JSON.parse(JSON.stringify(decoded.value)) as {
    traits: unknown;
  };
  expect(others).toEqual({});
  const brief = (list: { pointer: string; code: string }[]): string[] =>
    list.map(({ pointer, code }) => `${pointer} ${code}`);
  return {
    traits: value,
    ignored: decoded.ignored,
    conflicts: brief(decoded.conflicts),
    errors: brief(plan.errors(decoded)),
  };
}

export const text = { type: 'string' };
export const integer = { type: 'integer' };
export const list = { type: 'array', items: integer };
export const object = (properties: JsonValue, required: string[] = []): JsonValue => ({
  type: 'object',
  properties,
  required,
});
export const rows = {
  type: 'array',
  items: object({ k: text, n: integer, on: { type: 'boolean' } }),
};

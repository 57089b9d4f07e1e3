import { compileSchema } from '../src/compile-schema.js';
import {
  type FormModel,
  type FormNode,
  type FormOptions,
  type JsonObject,
  type JsonValue,
} from '../src/model/form-decoder.types.js';

/** The plan of a schema whose traits have these properties. */
export const planOf = (properties: JsonValue, more: object = {}) =>
  compileSchema({
    title: 'Sign up',
    properties: { traits: { type: 'object', properties, ...more } },
  });

/** Its form, with these traits in it. */
export const formOf = (
  properties: JsonValue,
  value?: JsonObject,
  options?: FormOptions,
): FormModel =>
  planOf(properties).form(value === undefined ? undefined : { traits: value }, [], options);

/** The node of one property of this schema. */
export const nodeOf = (schema: JsonValue, value?: JsonValue, options?: FormOptions): FormNode =>
  formOf({ x: schema }, value === undefined ? undefined : { x: value }, options)
    .nodes[0] as FormNode;

import { compileSchema } from '../src/compile-schema.js';
import {
  type FormEntry,
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

/** The entries that a browser submits from a page of these nodes. */
export function sentBy(nodes: readonly FormNode[]): FormEntry[] {
  return nodes.flatMap((node): FormEntry[] => {
    switch (node.kind) {
      case 'group':
        return sentBy(node.children);
      case 'list':
      case 'rows':
        return [[node.name, ''], ...sentBy(node.rows)];
      case 'checkbox':
        return node.checked
          ? [
              [node.name, 'false'],
              [node.name, 'true'],
            ]
          : [[node.name, 'false']];
      case 'select':
      case 'radios':
        return node.options.filter((each) => each.selected).map((each) => [node.name, each.value]);
      case 'checkboxes':
        return [
          [node.name, ''],
          ...node.options
            .filter((each) => each.selected)
            .map((each): FormEntry => [node.name, each.value]),
        ];
      default:
        return [[node.name, node.value.replaceAll('\n', '\r\n')]];
    }
  });
}

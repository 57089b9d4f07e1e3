import {
  type FormModel,
  type FormNode,
  type JsonValue,
  type UiNode,
} from '../model/form-decoder.types.js';

/** Kratos's id of the label of an input that is named by its schema. */
const LABEL_ID = 1070002;

/**
 * The form as Kratos's `ui.nodes`: one input per field, groups and rows told apart by their names.
 * Values are of the type of the field, as they are there.
 */
export function uiNodes(model: FormModel): UiNode[] {
  return model.nodes.flatMap(nodesOf);
}

function nodesOf(node: FormNode): UiNode[] {
  switch (node.kind) {
    case 'group':
      return node.children.flatMap(nodesOf);
    case 'list':
    case 'rows':
      return node.rows.flatMap(nodesOf);
    case 'checkbox':
      return [uiNode(node, { type: 'checkbox', value: node.checked })];
    case 'select':
    case 'radios':
    case 'checkboxes': {
      const chosen = node.options.filter((option) => option.selected);
      const values = chosen.map(({ value }) => valueOf(node.type, value));
      return [
        uiNode(node, {
          type: node.type,
          value: node.kind === 'checkboxes' ? values : (values[0] ?? ''),
          ...(node.kind === 'checkboxes' ? { multiple: true } : {}),
          options: node.options.map(({ value, label }) => ({
            value: valueOf(node.type, value),
            label,
          })),
        }),
      ];
    }
    default:
      return [
        uiNode(node, {
          type: node.type,
          value: valueOf(node.type, node.value),
          ...node.attributes,
        }),
      ];
  }
}

function uiNode(node: FormNode, attributes: Record<string, JsonValue>): UiNode {
  return {
    type: 'input',
    group: 'default',
    attributes: {
      name: node.name,
      node_type: 'input',
      ...attributes,
      // Of several boxes, HTML would require each.
      ...(node.required && node.kind !== 'checkboxes' ? { required: true } : {}),
      disabled: node.readOnly,
    },
    messages: node.errors.map(({ id, message, params }) => ({
      id,
      text: message,
      type: 'error',
      context: params,
    })),
    meta: {
      label: { id: LABEL_ID, text: node.label, type: 'info', context: { title: node.label } },
    },
  };
}

function valueOf(type: string, text: string): JsonValue {
  return type === 'number' && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** The model of a form, for a page or as JSON. */
import {
  type FieldError,
  type FormEntry,
  type FormModel,
  type FormNode,
  type FormPlan,
  type JsonObject,
  type Language,
  uiNodes,
} from '@gatehouse/form-decoder';

export interface ViewOptions {
  language: Language;
  timeZone: string;
  /** What was sent, if the form is shown again. */
  sent?: readonly FormEntry[];
  /** The number of rows of the untouched form, by list. */
  rows?: Readonly<Record<string, number>>;
  rowsShownMax?: number;
}

export function formModel(
  plan: FormPlan,
  value: JsonObject | undefined,
  errors: readonly FieldError[],
  options: ViewOptions,
): FormModel {
  const model = plan.form(value, plan.localize(errors, options.language), options);
  // Without a title the model would be named after the property `traits`.
  return isTitled(plan.schema) ? model : { ...model, title: '' };
}

/**
 * A form without read-only fields that have no value, which a new person need not see. Their errors
 * become those of the form.
 */
export function withoutBlankReadOnly(model: FormModel): FormModel {
  const errors = [...model.errors];
  return { ...model, nodes: shownNodes(model.nodes, errors), errors };
}

function shownNodes(nodes: readonly FormNode[], errors: FieldError[]): FormNode[] {
  return nodes.flatMap((node) => {
    const shown = shownNode(node, errors);
    if (shown === null) errors.push(...node.errors);
    return shown ?? [];
  });
}

function shownNode(node: FormNode, errors: FieldError[]): FormNode | null {
  if ('children' in node) {
    const children = shownNodes(node.children, errors);
    return children.length === 0 && node.children.length > 0 ? null : { ...node, children };
  }
  if ('rows' in node) {
    if (node.readOnly && node.rows.length === 0) return null;
    return { ...node, rows: shownNodes(node.rows, errors) };
  }
  return node.readOnly && isBlank(node) ? null : node;
}

function isBlank(node: Exclude<FormNode, { children: unknown } | { rows: unknown }>): boolean {
  if (node.kind === 'checkbox') return !node.checked;
  if ('options' in node) return !node.options.some(({ selected }) => selected);
  return node.value === '';
}

/** The model as JSON: flat nodes in the format of Kratos's `ui.nodes`, and the whole tree. */
export function modelJson(model: FormModel): Record<string, unknown> {
  const { title, description, language } = model;
  return { title, description, language, nodes: uiNodes(model), form: model };
}

function isTitled(schema: JsonObject): boolean {
  const { properties } = schema as { properties?: { traits?: JsonObject } };
  return [schema, properties?.traits].some((node) => typeof node?.title === 'string');
}

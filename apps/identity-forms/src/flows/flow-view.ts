/** A flow as it is shown: its form model with enough rows, as a page or as JSON. */
import {
  type FieldError,
  type FormModel,
  type FormNode,
  type FormOptions,
  type FormPlan,
  type JsonObject,
  type Language,
  uiNodes,
} from '@gatehouse/form-decoder';

const listNames = new WeakMap<FormPlan, string[]>();

export interface ViewOptions {
  language: Language;
  timeZone: string;
  /** Rows that were on the page before, by list. */
  rows?: Readonly<Record<string, number>>;
}

/** The form model. A list of single answers has at least one box to type into. */
export function formModel(
  plan: FormPlan,
  value: JsonObject | undefined,
  errors: readonly FieldError[],
  { language, timeZone, rows }: ViewOptions,
): FormModel {
  const options: FormOptions = { language, timeZone, rows: rows ?? oneRowEach(plan) };
  return plan.form(value, plan.localize(errors, language), options);
}

/** The model as JSON: the nodes as Kratos's `ui.nodes` has them, and the whole tree. */
export function modelJson(model: FormModel): Record<string, unknown> {
  const { title, description, language } = model;
  return { title, description, language, nodes: uiNodes(model), form: model };
}

function oneRowEach(plan: FormPlan): Record<string, number> {
  let names = listNames.get(plan);
  if (!names) {
    names = namesOfLists(plan.form().nodes);
    listNames.set(plan, names);
  }
  return Object.fromEntries(names.map((name) => [name, 1]));
}

function namesOfLists(nodes: readonly FormNode[]): string[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'list') return [node.name];
    return node.kind === 'group' ? namesOfLists(node.children) : [];
  });
}

/** A form as it is shown: its model, as a page takes it or as JSON. */
import {
  type FieldError,
  type FormModel,
  type FormPlan,
  type JsonObject,
  type Language,
  uiNodes,
} from '@gatehouse/form-decoder';

export interface ViewOptions {
  language: Language;
  timeZone: string;
  /** Rows that were on the page before, by list. */
  rows?: Readonly<Record<string, number>>;
}

export function formModel(
  plan: FormPlan,
  value: JsonObject | undefined,
  errors: readonly FieldError[],
  options: ViewOptions,
): FormModel {
  const model = plan.form(value, plan.localize(errors, options.language), options);
  // Without a title the model is called after the property `traits`, which means nothing to people.
  return isTitled(plan.schema) ? model : { ...model, title: '' };
}

/** The model as JSON: the nodes as Kratos's `ui.nodes` has them, and the whole tree. */
export function modelJson(model: FormModel): Record<string, unknown> {
  const { title, description, language } = model;
  return { title, description, language, nodes: uiNodes(model), form: model };
}

function isTitled(schema: JsonObject): boolean {
  const { properties } = schema as { properties?: { traits?: JsonObject } };
  return [schema, properties?.traits].some((node) => typeof node?.title === 'string');
}

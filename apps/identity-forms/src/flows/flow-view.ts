/** The model of a form, for a page or as JSON. */
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
  /** The number of rows that the page showed, by list. */
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

/** The model as JSON: flat nodes in the format of Kratos's `ui.nodes`, and the whole tree. */
export function modelJson(model: FormModel): Record<string, unknown> {
  const { title, description, language } = model;
  return { title, description, language, nodes: uiNodes(model), form: model };
}

function isTitled(schema: JsonObject): boolean {
  const { properties } = schema as { properties?: { traits?: JsonObject } };
  return [schema, properties?.traits].some((node) => typeof node?.title === 'string');
}

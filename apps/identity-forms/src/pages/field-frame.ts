/** What stands around a control: label, hint, faults, and how the control refers to them. */
import { type FormNode } from '@gatehouse/form-decoder';
import { idOf } from './field-names.js';
import { type AttributeValue, attributes, markup, type Html } from './html.js';
import { type PageTexts } from './page-texts.js';

export interface FieldContext {
  texts: PageTexts;
  /** The name of the row or control that gets the focus when the page opens. */
  focus?: string;
  /** Labels by name, and of options by `name=value`, for hints that refer to another field. */
  labels: ReadonlyMap<string, string>;
}

/** Ids of a node's hint and faults. */
function hintId(node: FormNode): string {
  return `${idOf(node.name)}-hint`;
}

function faultId(node: FormNode): string {
  return `${idOf(node.name)}-fault`;
}

/** The attributes that tie a control or fieldset to its hint and its faults. */
export function description(
  node: FormNode,
  context: FieldContext,
): Readonly<Record<string, AttributeValue>> {
  const ids: string[] = [];
  if (hintOf(node, context) !== '') ids.push(hintId(node));
  if (node.errors.length > 0) ids.push(faultId(node));
  return { 'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined };
}

/** As `description`, for a control that can itself be invalid. */
export function controlState(
  node: FormNode,
  context: FieldContext,
): Readonly<Record<string, AttributeValue>> {
  return {
    ...description(node, context),
    'aria-invalid': node.errors.length > 0 ? 'true' : undefined,
    autofocus: context.focus === node.name,
  };
}

export function hintAndFaults(node: FormNode, context: FieldContext): Html {
  const hint = hintOf(node, context);
  return markup`${
    hint !== '' && markup`<p class="hint"${attributes({ id: hintId(node) })}>${hint}</p>`
  }${node.errors.length > 0 && faultsOf(node, context)}`;
}

function faultsOf(node: FormNode, { texts }: FieldContext): Html {
  const messages = node.errors.map(
    ({ message }) =>
      markup`<p class="fault"><span class="hidden">${texts.faultPrefix} </span>${message}</p>`,
  );
  return markup`<div${attributes({ id: faultId(node) })}>${messages}</div>`;
}

/** The label's text, marked when an answer may be left out. */
export function labelText(node: FormNode, { texts }: FieldContext): Html {
  const isMarked = !node.required && !node.readOnly && node.kind !== 'checkbox';
  return markup`${node.label}${isMarked && markup` <span class="optional">${texts.optional}</span>`}`;
}

export function frameClass(base: string, node: FormNode): string {
  return node.errors.length > 0 ? `${base} has-fault` : base;
}

function hintOf(node: FormNode, { texts, labels }: FieldContext): string {
  if (!node.when) return node.hint ?? '';
  const { name, values } = node.when;
  const shown = values.map((value) => labels.get(`${name}=${value}`) ?? value);
  const condition = texts.onlyIf(labels.get(name) ?? name, shown.join(', '));
  return node.hint ? `${node.hint} ${condition}` : condition;
}

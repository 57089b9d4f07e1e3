/** The label, hint and errors of a control, and how the control refers to them. */
import { type FormNode } from '@gatehouse/form-decoder';
import { attributes, type Html, markup, nothing } from '@gatehouse/pages';
import { idOf } from './field-names.js';
import { type PageTexts } from './page-texts.js';

export interface FieldContext {
  texts: PageTexts;
  /** The name of the row or control that gets the focus when the page opens. */
  focus?: string;
  /** Labels of fields by name and of options by `name=value`, for hints that refer to them. */
  labels: () => ReadonlyMap<string, string>;
}

/** The ids of a node's hint and errors. */
function hintId(node: FormNode): string {
  return idOf(node.name, 'hint');
}

function faultId(node: FormNode): string {
  return idOf(node.name, 'fault');
}

/** The attribute that links a control or fieldset to its hint and errors. */
export function description(node: FormNode, context: FieldContext): Html {
  const hasHint = hintOf(node, context) !== '';
  const hasFaults = node.errors.length > 0;
  if (!hasHint && !hasFaults) return nothing;
  const ids = [hasHint ? hintId(node) : '', hasFaults ? faultId(node) : ''];
  return attributes({ 'aria-describedby': ids.join(' ').trim() });
}

/** As `description`, for a control that can be invalid and focused itself. */
export function controlState(node: FormNode, context: FieldContext): Html {
  const isInvalid = node.errors.length > 0;
  const hasFocus = context.focus === node.name;
  if (!isInvalid && !hasFocus) return description(node, context);
  return markup`${description(node, context)}${attributes({
    'aria-invalid': isInvalid ? 'true' : undefined,
    autofocus: hasFocus,
  })}`;
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
      markup`<p class="fault"><span class="hidden">${texts.faultPrefix} </span>${withoutLabel(message, node.label)}</p>`,
  );
  return markup`<div${attributes({ id: faultId(node) })}>${messages}</div>`;
}

/**
 * A message at its field, which need not repeat the label beside it: `“Age” must be 16 or more.`
 * reads `Must be 16 or more.`
 */
function withoutLabel(message: string, label: string): string {
  const start = message.indexOf(label);
  const quotes = /^[“„«]\s?$/.test(message.slice(0, start)) && start > 0;
  if (!quotes) return message;
  const rest = message.slice(start + label.length).replace(/^\s?[”“»]\s+/, '');
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** The label's text, marked when the field is optional. */
export function labelText(node: FormNode, { texts }: FieldContext): Html {
  const isMarked = node.optional && !node.readOnly && node.kind !== 'checkbox';
  return markup`${node.label}${isMarked && markup` <span class="optional">${texts.optional}</span>`}`;
}

export function frameClass(base: string, node: FormNode): string {
  return node.errors.length > 0 ? `${base} has-fault` : base;
}

function hintOf(node: FormNode, { texts, labels }: FieldContext): string {
  if (!node.when) return node.hint ?? '';
  const { name, values } = node.when;
  const known = labels();
  const shown = values.map((value) => known.get(`${name}=${value}`) ?? value);
  const condition = texts.onlyIf(known.get(name) ?? name, shown.join(', '));
  return node.hint ? `${node.hint} ${condition}` : condition;
}

/** Controls for one answer: text, choice, check box. */
import {
  type FormCheckboxNode,
  type FormChoiceNode,
  type FormNode,
  type FormTextNode,
} from '@gatehouse/form-decoder';
import { attributes, type Html, markup } from '@gatehouse/pages';
import {
  controlState,
  description,
  type FieldContext,
  frameClass,
  hintAndFaults,
  labelText,
} from './field-frame.js';
import { idOf } from './field-names.js';

const SHORT_CHARACTERS = 12;
const MEDIUM_CHARACTERS = 40;

export interface ControlOptions {
  /** Shows the label to screen readers only, as in a list of similar answers. */
  hideLabel?: boolean;
  /** Makes the id unique among fields of the same name. */
  idPart?: string;
}

export function textField(
  node: FormTextNode,
  context: FieldContext,
  options: ControlOptions = {},
): Html {
  if (node.type === 'hidden') {
    return markup`<input type="hidden"${attributes({ name: node.name, value: node.value })}>`;
  }
  const id = idOf(node.name, options.idPart);
  const common = markup`${identity(node, id)}${attributes(node.attributes)}${attributes({
    required: node.required && !node.readOnly,
    readonly: node.readOnly,
    dir: 'auto',
  })}${controlState(node, context)}`;
  return markup`<div class="${frameClass('field', node)}">
${label(node, id, context, options)}
${hintAndFaults(node, context)}${
    node.kind === 'textarea' ? textArea(node, common) : textInput(node, common)
  }</div>`;
}

function textInput(node: FormTextNode, common: Html): Html {
  const value = node.type === 'password' ? undefined : node.value;
  return markup`<input${attributes({ type: node.type, class: widthOf(node) })}${common}${attributes({ value })}>`;
}

/** HTML parsers drop the first line feed of a textarea, so one is added. */
function textArea(node: FormTextNode, common: Html): Html {
  return markup`<textarea rows="5"${common}>
${node.value}</textarea>`;
}

export function checkboxField(node: FormCheckboxNode, context: FieldContext): Html {
  const id = idOf(node.name);
  const control = attributes({ value: 'true', checked: node.checked, disabled: node.readOnly });
  return markup`<div class="${frameClass('field', node)}">
${!node.readOnly && markup`<input type="hidden"${attributes({ name: node.name, value: 'false' })}>`}
<div class="choice"><input type="checkbox"${identity(node, id)}${control}${controlState(node, context)}><label${attributes({ for: id })}>${labelText(node, context)}</label></div>
${hintAndFaults(node, context)}</div>`;
}

export function selectField(
  node: FormChoiceNode,
  context: FieldContext,
  options: ControlOptions = {},
): Html {
  const id = idOf(node.name);
  const control = attributes({
    required: node.required && !node.readOnly,
    disabled: node.readOnly,
  });
  const isBlankOffered = !node.options.some(({ value }) => value === '');
  return markup`<div class="${frameClass('field', node)}">
${label(node, id, context, options)}
${hintAndFaults(node, context)}<select${identity(node, id)}${attributes(node.attributes)}${control}${controlState(node, context)}>${
    isBlankOffered && markup`<option value="">${context.texts.choose}</option>`
  }${node.options.map(
    ({ value, label: text, selected }) =>
      markup`<option${attributes({ value, selected })}>${text}</option>`,
  )}</select></div>`;
}

/** Radio buttons or check boxes under one question. */
export function choicesField(node: FormChoiceNode, context: FieldContext): Html {
  const isMany = node.kind === 'checkboxes';
  const frame = attributes({
    class: frameClass('field choices', node),
    // Otherwise the first choice has the id, which the error summary links to.
    id: node.options.length === 0 ? idOf(node.name) : undefined,
    role: isMany ? undefined : 'radiogroup',
    'aria-required': !isMany && node.required ? 'true' : undefined,
  });
  return markup`<fieldset${frame}${description(node, context)}>
<legend>${labelText(node, context)}</legend>
${hintAndFaults(node, context)}${
    // Unticked boxes send nothing, so this blank means an empty list; optional lists omit it.
    isMany &&
    node.required &&
    !node.readOnly &&
    markup`<input type="hidden"${attributes({ name: node.name, value: '' })}>`
  }${node.options.map(({ value, label, selected }, index) => {
    const id = idOf(node.name, index === 0 ? undefined : index);
    const control = attributes({
      type: isMany ? 'checkbox' : 'radio',
      id,
      name: node.readOnly ? undefined : node.name,
      value,
      checked: selected,
      disabled: node.readOnly,
      autofocus: index === 0 && context.focus === node.name,
    });
    return markup`<div class="choice"><input${control}><label${attributes({ for: id })}>${label}</label></div>`;
  })}</fieldset>`;
}

function widthOf({ type, attributes: { maxlength } }: FormTextNode): string | undefined {
  // maxlength allows two UTF-16 code units for each character.
  const characters = Number(maxlength ?? Infinity) / 2;
  if (type === 'number' || characters <= SHORT_CHARACTERS) return 'short';
  if (type === 'tel' || characters <= MEDIUM_CHARACTERS) return 'medium';
  return undefined;
}

/** Read-only values have no name, so they are shown but never sent. */
function identity(node: FormNode, id: string): Html {
  return attributes({ id, name: node.readOnly ? undefined : node.name });
}

function label(node: FormNode, id: string, context: FieldContext, options: ControlOptions): Html {
  const hidden = options.hideLabel === true && 'hidden';
  return markup`<label${attributes({ for: id, class: hidden })}>${labelText(node, context)}</label>`;
}

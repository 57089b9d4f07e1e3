/** Renders the nodes of a form model, including groups and rows. */
import { type FormGroupNode, type FormListNode, type FormNode } from '@gatehouse/form-decoder';
import { attributes, markup, type Html } from '@gatehouse/pages';
import {
  checkboxField,
  choicesField,
  type ControlOptions,
  selectField,
  textField,
} from './controls.js';
import {
  description,
  type FieldContext,
  frameClass,
  hintAndFaults,
  labelText,
} from './field-frame.js';
import { ACTION_FIELD, addRowValue, idOf, removeRowValue } from './field-names.js';

export function field(node: FormNode, context: FieldContext, options: ControlOptions = {}): Html {
  switch (node.kind) {
    case 'input':
    case 'textarea':
      return textField(node, context, options);
    case 'checkbox':
      return checkboxField(node, context);
    case 'select':
      return selectField(node, context, options);
    case 'radios':
    case 'checkboxes':
      return choicesField(node, context);
    case 'group':
      return group(node, context);
    case 'list':
    case 'rows':
      return list(node, context, options);
  }
}

function group(node: FormGroupNode, context: FieldContext): Html {
  return markup`<fieldset${fieldsetAttributes('group', node, context)}>
<legend>${labelText(node, context)}</legend>
${hintAndFaults(node, context)}${fieldsIn(node, context)}</fieldset>`;
}

/** A place for several kinds of values has fields with its own name, and one id for each. */
function fieldsIn(node: FormGroupNode, context: FieldContext): Html[] {
  return node.children.map((child) => {
    if (child.name !== node.name) return field(child, context);
    return field(child, context, { hideLabel: true, idPart: 'rows' in child ? 'list' : 'text' });
  });
}

function list(node: FormListNode, context: FieldContext, options: ControlOptions): Html {
  const focusRow = node.rows.find(({ name }) => name === context.focus);
  const rowContext = focusRow
    ? { ...context, focus: firstControl(focusRow)?.name ?? focusRow.name }
    : context;
  const canRemove = !node.readOnly && node.rows.length > node.rowsMin && !isOneBlank(node.rows);
  const rows = node.rows.map((row) => {
    const remove = canRemove && removeButton(row.name, row.label, context);
    return row.kind === 'group'
      ? card(row, rowContext, remove)
      : markup`<div class="row">${field(row, rowContext, { hideLabel: true })}${remove}</div>`;
  });
  return markup`<fieldset${fieldsetAttributes('list', node, context, options.idPart)}>
<legend>${labelText(node, context)}</legend>
${hintAndFaults(node, context)}${
    // The blank entry means an empty list; optional lists omit it.
    node.required &&
    !node.readOnly &&
    markup`<input type="hidden"${attributes({ name: node.name, value: '' })}>`
  }${rows}${!node.readOnly && node.rows.length < node.rowsMax && addButton(node, context)}</fieldset>`;
}

function card(node: FormGroupNode, context: FieldContext, remove: Html | false): Html {
  return markup`<fieldset${fieldsetAttributes('row card', node, context)}>
<legend>${node.label}</legend>
${hintAndFaults(node, context)}${fieldsIn(node, context)}${remove}</fieldset>`;
}

function addButton(node: FormListNode, context: FieldContext): Html {
  const { addFirst, addMore, addFirstNamed, addMoreNamed } = context.texts;
  const isFirst = node.rows.length === 0;
  const { entryTitle } = node;
  const unnamed = isFirst ? addFirst : addMore;
  const text =
    entryTitle === undefined ? unnamed : (isFirst ? addFirstNamed : addMoreNamed)(entryTitle);
  const button = attributes({
    name: ACTION_FIELD,
    value: addRowValue(node.name),
    'aria-label': entryTitle === undefined ? `${text}: ${node.label}` : undefined,
    autofocus: context.focus === addRowValue(node.name),
  });
  return markup`<button class="secondary add" type="submit" formnovalidate${button}>${text}</button>`;
}

function removeButton(row: string, label: string, { texts }: FieldContext): Html {
  const button = attributes({
    name: ACTION_FIELD,
    value: removeRowValue(row),
    'aria-label': texts.removeRow(label),
  });
  return markup`<button class="quiet" type="submit" formnovalidate${button}>${texts.remove}</button>`;
}

function fieldsetAttributes(
  base: string,
  node: FormNode,
  context: FieldContext,
  idPart?: string,
): Html {
  return markup`${attributes({
    class: frameClass(base, node),
    id: idOf(node.name, idPart),
    // Lets a link of the error summary move the focus here.
    tabindex: node.errors.length > 0 ? -1 : undefined,
  })}${description(node, context)}`;
}

/** An empty list shows one box anyway, so that box has no "remove" button. */
function isOneBlank(rows: readonly FormNode[]): boolean {
  const [row, ...others] = rows;
  return others.length === 0 && row?.kind === 'input' && isBlank(row);
}

function isBlank(node: FormNode): boolean {
  switch (node.kind) {
    case 'input':
    case 'textarea':
      return node.value === '';
    case 'checkbox':
      return !node.checked;
    case 'group':
      return node.children.every(isBlank);
    case 'list':
    case 'rows':
      return node.rows.every(isBlank);
    default:
      return !node.options.some(({ selected }) => selected);
  }
}

/** The first editable control inside a node. */
function firstControl(node: FormNode): FormNode | undefined {
  if (node.kind === 'group') return firstOf(node.children);
  if (node.kind === 'list' || node.kind === 'rows') return firstOf(node.rows);
  return node.readOnly ? undefined : node;
}

function firstOf(nodes: readonly FormNode[]): FormNode | undefined {
  for (const node of nodes) {
    const control = firstControl(node);
    if (control) return control;
  }
  return undefined;
}

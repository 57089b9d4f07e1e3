import { type FormEntry, type FormNode } from '../model/form-decoder.types.js';

/**
 * The fields that an untouched page of these nodes sends. `boxes`: also the `false` of
 * unticked boxes, which programs that send JSON only send if they mean it.
 */
export function untouchedFields(nodes: readonly FormNode[], boxes: boolean): FormEntry[] {
  return nodes.flatMap((node) => (node.readOnly ? [] : fieldsOf(node, boxes)));
}

function fieldsOf(node: FormNode, boxes: boolean): FormEntry[] {
  const { name } = node;
  const blank: FormEntry[] = node.required ? [[name, '']] : [];
  switch (node.kind) {
    case 'group':
      return untouchedFields(node.children, boxes);
    case 'list':
    case 'rows':
      return [...blank, ...untouchedFields(node.rows, boxes)];
    case 'checkbox':
      return [
        ...(boxes ? [[name, 'false'] as const] : []),
        ...(node.checked ? [[name, 'true'] as const] : []),
      ];
    case 'checkboxes':
      return [...blank, ...selectedOf(node).map((value): FormEntry => [name, value])];
    case 'radios':
      return selectedOf(node).map((value): FormEntry => [name, value]);
    case 'select':
      return [[name, selectedOf(node)[0] ?? '']];
    default:
      return [[name, asSent(node.kind, node.value)]];
  }
}

function selectedOf({ options }: Extract<FormNode, { options: unknown }>): string[] {
  return options.filter(({ selected }) => selected).map(({ value }) => value);
}

/** HTML standard: an input drops line breaks, a textarea has one kind of them. */
function asSent(kind: 'input' | 'textarea', value: string): string {
  return kind === 'input' ? value.replace(/[\r\n]/g, '') : value.replace(/\r\n?/g, '\n');
}

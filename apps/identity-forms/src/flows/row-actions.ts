/** Implements the buttons that add and remove rows of a list. */
import {
  asBrowsersSend,
  type FormEntry,
  type FormModel,
  type FormNode,
  rowsOf,
} from '@gatehouse/form-decoder';
import { ACTION_FIELD, addRowValue, parseRowAction, type RowAction } from '../pages/field-names.js';

/** The row button that was pressed, if any. */
export function rowActionOf(entries: readonly FormEntry[]): RowAction | undefined {
  const pressed = entries.find(([name]) => name === ACTION_FIELD);
  return pressed && parseRowAction(pressed[1]);
}

/**
 * Adds a blank row, or removes the fields of one. The other rows keep their numbers, which say what
 * stored rows they are.
 *
 * @param rows the number of rows of the untouched form, by list: the numbers that are taken
 */
export function applyRowAction(
  entries: readonly FormEntry[],
  action: RowAction,
  rows: Readonly<Record<string, number>> = {},
): FormEntry[] {
  if (action.kind === 'remove') {
    return entries.filter(([name]) => name !== action.row && !name.startsWith(`${action.row}.`));
  }
  const numbers = entries
    .flatMap(([name]) => rowsOf(name))
    .filter(({ list }) => list === action.list)
    .map(({ number }) => number);
  const next = Math.max(rows[asBrowsersSend(action.list)] ?? 0, ...numbers.map((each) => each + 1));
  return [...entries, [`${action.list}.${next}`, '']];
}

/** The number of rows of each list of a form, by the name that browsers send. */
export function countRows(nodes: readonly FormNode[]): Record<string, number> {
  const rows = Object.create(null) as Record<string, number>;
  const visit = (node: FormNode): void => {
    if ('rows' in node) {
      rows[asBrowsersSend(node.name)] = node.rows.length;
      node.rows.forEach(visit);
    }
    if ('children' in node) node.children.forEach(visit);
  };
  nodes.forEach(visit);
  return rows;
}

/** The rows that one form sends and the other one does not. */
export function removedRows(
  before: readonly FormEntry[],
  after: readonly FormEntry[],
): ReadonlySet<string> {
  const removed = new Set(rowNames(before));
  for (const row of rowNames(after)) removed.delete(row);
  return removed;
}

function rowNames(entries: readonly FormEntry[]): string[] {
  return entries.flatMap(([name]) => rowsOf(asBrowsersSend(name)).map(({ row }) => row));
}

/** The element that gets the focus afterwards: the new row, or the button that adds one. */
export function focusAfter(model: FormModel, action: RowAction): string | undefined {
  const list = findList(model.nodes, action.list);
  if (!list) return undefined;
  return action.kind === 'add' ? list.rows.at(-1)?.name : addRowValue(list.name);
}

/**
 * Removes blank rows of simple lists. A page shows an empty box for an optional list; decoded
 * unchanged, it would mean an empty list instead of no list.
 */
export function withoutBlankRows(entries: readonly FormEntry[]): FormEntry[] {
  return entries.filter(([name, value]) => value !== '' || !/\.\d{1,9}$/.test(name));
}

function findList(
  nodes: readonly FormNode[],
  name: string,
): Extract<FormNode, { rows: FormNode[] }> | undefined {
  for (const node of nodes) {
    if ('rows' in node && asBrowsersSend(node.name) === asBrowsersSend(name)) return node;
    const inner = 'children' in node ? node.children : 'rows' in node ? node.rows : [];
    const found = findList(inner, name);
    if (found) return found;
  }
  return undefined;
}

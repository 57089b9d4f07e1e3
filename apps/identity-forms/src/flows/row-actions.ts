/** Implements the buttons that add and remove rows of a list. */
import {
  asBrowsersSend,
  type FormEntry,
  type FormModel,
  type FormNode,
} from '@gatehouse/form-decoder';
import { ACTION_FIELD, addRowValue, parseRowAction, type RowAction } from '../pages/field-names.js';

const ROWS_MAX = 1000;

export interface EditedRows {
  entries: FormEntry[];
  /** The number of rows to show, by list, including blank ones. */
  rows: Record<string, number>;
}

/** The row button that was pressed, if any. */
export function rowActionOf(entries: readonly FormEntry[]): RowAction | undefined {
  const pressed = entries.find(([name]) => name === ACTION_FIELD);
  return pressed && parseRowAction(pressed[1]);
}

export function applyRowAction(entries: readonly FormEntry[], action: RowAction): EditedRows {
  if (action.kind === 'add') {
    const rows = countRows(entries);
    rows[action.list] = Math.min((rows[action.list] ?? 0) + 1, ROWS_MAX);
    return { entries: [...entries], rows };
  }
  const kept = withoutRow(entries, action.list, action.row);
  return { entries: kept, rows: { [action.list]: 0, ...countRows(kept) } };
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
  return entries.filter(([name, value]) => value !== '' || !/\.\d{1,4}$/.test(name));
}

/** Removes the fields of a row and renumbers the rows after it. */
function withoutRow(entries: readonly FormEntry[], list: string, row: string): FormEntry[] {
  const removed = Number(row.slice(list.length + 1));
  const kept: FormEntry[] = [];
  for (const [name, value] of entries) {
    const place = rowOf(name, list);
    if (!place || place.index < removed) kept.push([name, value]);
    else if (place.index > removed) {
      kept.push([`${list}.${place.index - 1}${place.rest}`, value]);
    }
  }
  return kept;
}

function rowOf(name: string, list: string): { index: number; rest: string } | undefined {
  if (!name.startsWith(`${list}.`)) return undefined;
  const match = /^(\d{1,4})(\..*)?$/s.exec(name.slice(list.length + 1));
  return match ? { index: Number(match[1]), rest: match[2] ?? '' } : undefined;
}

/** The number of rows that the page showed, by list, including blank ones. */
function countRows(entries: readonly FormEntry[]): Record<string, number> {
  const indexes = new Map<string, Set<string>>();
  for (const [name] of entries) {
    const parts = name.split('.');
    for (let position = 1; position < parts.length; position += 1) {
      const part = parts[position] as string;
      if (!/^\d{1,4}$/.test(part)) continue;
      const list = parts.slice(0, position).join('.');
      const known = indexes.get(list);
      if (known) known.add(part);
      else indexes.set(list, new Set([part]));
    }
  }
  const rows = Object.create(null) as Record<string, number>;
  for (const [list, known] of indexes) rows[list] = known.size;
  return rows;
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

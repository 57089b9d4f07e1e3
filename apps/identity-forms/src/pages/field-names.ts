/**
 * Names that the pages add to those of the schema, as `csrf_token` is. They are outside `traits`, so
 * they cannot collide with a property.
 */
export const ACTION_FIELD = '_action';

export type RowAction =
  { kind: 'add'; list: string } | { kind: 'remove'; list: string; row: string };

/** The value of the button that adds a row to a list, or removes a row by its name. */
export function addRowValue(list: string): string {
  return `add:${list}`;
}

export function removeRowValue(row: string): string {
  return `remove:${row}`;
}

/** Reads the value of a row button; undefined for anything else. */
export function parseRowAction(value: string): RowAction | undefined {
  const add = /^add:(.+)$/s.exec(value);
  if (add) return { kind: 'add', list: add[1] as string };
  const remove = /^remove:((.+)\.\d{1,9})$/s.exec(value);
  if (remove) return { kind: 'remove', row: remove[1] as string, list: remove[2] as string };
  return undefined;
}

const PLAIN_ID = /^[A-Za-z0-9_.-]*$/;

/**
 * The id of a field's element, or with `part` of something beside it, such as its hint. Names may
 * contain characters that ids may not, so these are encoded. Ids are unique, because a colon appears
 * in an id only as a separator.
 */
export function idOf(name: string, part?: string | number): string {
  const id = PLAIN_ID.test(name)
    ? name
    : name.replace(/[^A-Za-z0-9_.-]/g, (each) => `:${each.charCodeAt(0).toString(16)}:`);
  return part === undefined ? id : `${id}:${part}`;
}

/** Converts listed resources so that PostgreSQL can store them. */
import { WorkspaceError } from '@gatehouse/workspace-providers';

/** Ids are keys of an index, whose rows PostgreSQL bounds. */
const ID_CHARACTERS_MAX = 512;
/** Escapes of what a jsonb value cannot hold: NUL, and halves of surrogate pairs. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/** JSON without the characters that cannot be stored. */
export function storableText(value: unknown): string {
  const text = JSON.stringify(value);
  return UNSTORABLE.test(text) ? JSON.stringify(value, (_, part: unknown) => storable(part)) : text;
}

/**
 * One item of each id: a resource that is renamed meanwhile may be on a page twice.
 *
 * @throws WorkspaceError for an id that cannot be stored: without it, the listing is incomplete
 */
export function uniqueOf<Item extends { id: string }>(items: readonly Item[]): Item[] {
  const odd = items.some(({ id }) => id.length > ID_CHARACTERS_MAX || storable(id) !== id);
  if (odd) {
    const message = `The provider sent an id that is not a text of at most ${ID_CHARACTERS_MAX} characters.`;
    throw new WorkspaceError('invalid_response', message);
  }
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

function storable(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/[\0\p{Cs}]/gu, '') : value;
}

/**
 * List filters (a small part of AIP-160): `field=value` joined by AND. A value may be quoted, also
 * with escaped quotes (`\"`), or bare.
 */
import { hasControlCharacter } from '@gatehouse/service-kit';
import { invalidField } from './input.js';

const FILTER_CHARACTERS_MAX = 2048;
const TERM = /\s*([A-Za-z_]+)\s*=\s*(?:\\"([^"\\]*)\\"|"([^"\\]*)"|([A-Za-z0-9_.-]+))(?=\s|$)\s*/y;
const AND = /and(?=\s)\s*/iy;

/** The values by field name; only the fields that were given. */
export type ListFilter<Field extends string> = Partial<Record<Field, string>>;

/**
 * Reads a filter over `fields`, each at most once; an empty text is no filter.
 *
 * @throws DomainError that names `filter`
 */
export function parseListFilter<Field extends string>(
  text: unknown,
  fields: readonly Field[],
): ListFilter<Field> {
  const filter: ListFilter<Field> = {};
  if (text === undefined || text === '') return filter;
  if (typeof text !== 'string' || text.length > FILTER_CHARACTERS_MAX) {
    throw fault(`must be one text of at most ${FILTER_CHARACTERS_MAX} characters`);
  }
  if (text.trim() === '') return filter;
  let position = 0;
  for (;;) {
    TERM.lastIndex = position;
    const match = TERM.exec(text);
    if (!match) throw fault('must be field=value, joined by AND');
    const value = match[2] ?? match[3] ?? match[4] ?? '';
    const field = fields.find((candidate) => candidate === match[1]);
    if (field === undefined) throw fault(`may use the fields ${fields.join(', ')}`);
    if (filter[field] !== undefined) throw fault(`must use ${field} at most once`);
    if (value === '') throw fault(`must give ${field} a value`);
    if (hasControlCharacter(value)) throw fault('must not hold control characters');
    filter[field] = value;
    position = TERM.lastIndex;
    if (position === text.length) return filter;
    AND.lastIndex = position;
    if (!AND.test(text)) throw fault('must be field=value, joined by AND');
    position = AND.lastIndex;
  }
}

function fault(description: string): Error {
  return invalidField('filter', description);
}

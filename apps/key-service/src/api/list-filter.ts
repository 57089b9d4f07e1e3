/**
 * List filters (a small part of AIP-160): comparisons joined by AND, such as `actor_id="alice" AND
 * create_time>2027-01-01T00:00:00Z`; `tags:checkout` means that a list has the value. A value may be bare
 * or in quotes, between which `\"` and `\\` stand for `"` and `\`. The quotes themselves may be escaped too.
 */
import { hasControlCharacter, invalidField } from '@gatehouse/kit/input';

const FILTER_CHARACTERS_MAX = 2048;
const TERM =
  /\s*([A-Za-z_]+)\s*([=<>:])\s*(?:\\"([^"\\]*)\\"|"((?:[^"\\]|\\["\\])*)"|([A-Za-z0-9_.:-]+))(?=\s|$)\s*/y;
const ESCAPE = /\\(.)/g;
const AND = /and(?=\s)\s*/iy;
const FORM = 'must be comparisons such as field=value, joined by AND';

/** The values by field and relation, such as `create_time>`; only the terms that were given. */
export type ListFilter<Term extends string> = Partial<Record<Term, string>>;

/**
 * Reads a filter over `terms`, such as `actor_id=` or `create_time<`, each at most once; an empty
 * text is no filter.
 *
 * @throws DomainError that names `filter`
 */
export function parseListFilter<Term extends string>(
  text: unknown,
  terms: readonly Term[],
): ListFilter<Term> {
  const filter: ListFilter<Term> = {};
  if (text === undefined || text === '') return filter;
  if (typeof text !== 'string' || text.length > FILTER_CHARACTERS_MAX) {
    throw fault(`must be one text of at most ${FILTER_CHARACTERS_MAX} characters`);
  }
  if (text.trim() === '') return filter;
  let position = 0;
  for (;;) {
    TERM.lastIndex = position;
    const match = TERM.exec(text);
    if (!match) throw fault(FORM);
    const value = match[3] ?? match[4]?.replace(ESCAPE, '$1') ?? match[5] ?? '';
    const term = terms.find((candidate) => candidate === `${match[1]}${match[2]}`);
    if (term === undefined) throw fault(`may use ${terms.join(', ')}`);
    if (filter[term] !== undefined) throw fault(`must use ${term} at most once`);
    if (value === '') throw fault(`must set ${match[1]} to a value`);
    if (hasControlCharacter(value)) throw fault('must not contain control characters');
    filter[term] = value;
    position = TERM.lastIndex;
    if (position === text.length) return filter;
    AND.lastIndex = position;
    if (!AND.test(text)) throw fault(FORM);
    position = AND.lastIndex;
  }
}

function fault(description: string): Error {
  return invalidField('filter', description);
}

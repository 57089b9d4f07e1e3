/** Lists in parts, filtered by the address. */
import { pathWith } from '../parts/table.js';
import { type ConsoleVisit } from '../site/pages.js';

export const ROWS = 50;
const OFFSET = /^\d{1,8}$/;
/** No value that a list is filtered by is longer. */
const FILTER_CHARACTERS_MAX = 512;

type Filters<Name extends string> = Readonly<Record<Name, string | undefined>>;

/** The filters that are set in the address. */
export function filtersOf<Name extends string>(
  { query }: ConsoleVisit,
  names: readonly Name[],
): Filters<Name> {
  const entries = names.map((name) => [
    name,
    query.get(name)?.trim().slice(0, FILTER_CHARACTERS_MAX) || undefined,
  ]);
  return Object.fromEntries(entries) as Filters<Name>;
}

export interface Part<Row> {
  readonly rows: readonly Row[];
  /** The path of the next part. */
  readonly next: string | undefined;
}

interface Rows {
  readonly pageOffset: number;
  readonly pageLimit: number;
}

export interface PartOptions {
  readonly path: string;
  readonly filters?: Filters<string>;
}

/** The part of a list that the address asks for. @param read lists from an offset on */
export async function partOf<Row>(
  { query }: ConsoleVisit,
  { path, filters = {} }: PartOptions,
  read: (page: Rows) => AsyncIterable<Row> | Iterable<Row>,
): Promise<Part<Row>> {
  const text = query.get('offset') ?? '';
  const pageOffset = OFFSET.test(text) ? Number(text) : 0;
  const rows = await firstOf(read({ pageOffset, pageLimit: ROWS + 1 }), ROWS + 1);
  const next = pathWith(path, { ...filters, offset: String(pageOffset + ROWS) });
  return { rows: rows.slice(0, ROWS), next: rows.length > ROWS ? next : undefined };
}

/** At most so many items: a service may cut its pages shorter than they were asked for. */
async function firstOf<Row>(
  list: AsyncIterable<Row> | Iterable<Row>,
  most: number,
): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of list) {
    if (rows.push(row) >= most) break;
  }
  return rows;
}

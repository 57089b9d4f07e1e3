/** A page of records, newest first. */
export interface PageRequest {
  offset: number;
  limit: number;
  /** All records after the first stay within this size in total. */
  bytesMax: number;
}

export interface RecordPage<Row> {
  rows: Row[];
  hasMore: boolean;
}

/** The page of rows that were read with a limit of one more; `found` is their number uncut. */
export function pageOfRows<Row extends object>(
  rows: readonly (Row & { found: number })[],
  limit: number,
): RecordPage<Row> {
  const shown = rows.slice(0, limit);
  return { rows: shown, hasMore: (rows[0]?.found ?? 0) > shown.length };
}

/**
 * The rows of `source` in the order of its column `position`, up to a size in bytes, but at least
 * one. `columns` and `bytes` refer to the rows of `source` by `alias`.
 */
export function cutAtSize({
  alias,
  source,
  columns,
  bytes,
  bytesMax,
}: {
  alias: string;
  source: string;
  columns: string;
  bytes: string;
  bytesMax: string;
}): string {
  // OFFSET 0 keeps the planner from computing columns of `source` again for the sum.
  return `SELECT ${columns}
    FROM (SELECT ${alias}.*,
        sum(${bytes}) OVER (ORDER BY ${alias}.position ROWS UNBOUNDED PRECEDING) AS bytes_so_far
      FROM (${source} OFFSET 0) ${alias}) ${alias}
    WHERE ${alias}.position = 1 OR ${alias}.bytes_so_far <= ${bytesMax}
    ORDER BY ${alias}.position`;
}

import pg from 'pg';

type Value = string | number | boolean | Date | readonly string[] | null;

/**
 * Runs a statement and counts the rows that it, and the functions that it calls, read from a table or
 * its partitions, directly or by an index.
 *
 * @param plan `generic`: the one for any values, as a named statement may get
 */
export async function rowsRead(
  { url, table, plan }: { url: string; table: string; plan: 'custom' | 'generic' },
  { text }: { text: string },
  values: readonly Value[],
): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const literals = values.map((value) => literalOf(client, value));
    const list = literals.length > 0 ? `(${literals.join(', ')})` : '';
    await client.query(`SET plan_cache_mode = force_${plan}_plan; PREPARE measured AS ${text}`);
    await client.query('BEGIN');
    await client.query(`EXECUTE measured ${list}`);
    // PostgreSQL names indexes after their table.
    const { rows } = await client.query<{ count: number }>(
      `SELECT sum(pg_stat_get_xact_tuples_returned(oid))::integer AS count
        FROM pg_class WHERE relname LIKE $1 || '%' AND relkind IN ('r', 'i')`,
      [table],
    );
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}

function literalOf(client: pg.Client, value: Value): string {
  if (value === null) return 'NULL';
  if (value instanceof Date) return client.escapeLiteral(value.toISOString());
  const text = typeof value === 'object' ? `{${value.join(',')}}` : String(value);
  return client.escapeLiteral(text);
}

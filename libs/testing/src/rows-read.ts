import pg from 'pg';

type Value = string | number | boolean | Date | readonly string[] | null;

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

/**
 * Runs a statement and counts the rows that it reads from a table or its partitions.
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
    const literals = values.map((value) => literalOf(client, value)).join(', ');
    await client.query(`SET plan_cache_mode = force_${plan}_plan; PREPARE measured AS ${text}`);
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE measured (${literals})`,
    );
    return rows.reduce((sum, row) => sum + readBy(row['QUERY PLAN'][0].Plan, table), 0);
  } finally {
    await client.end();
  }
}

function readBy(node: PlanNode, table: string): number {
  const removed =
    (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const isOfTable = node['Relation Name']?.startsWith(table) ?? false;
  const own = isOfTable ? (node['Actual Rows'] + removed) * node['Actual Loops'] : 0;
  return (node.Plans ?? []).reduce((sum, each) => sum + readBy(each, table), own);
}

function literalOf(client: pg.Client, value: Value): string {
  if (value === null) return 'NULL';
  if (value instanceof Date) return client.escapeLiteral(value.toISOString());
  const text = typeof value === 'object' ? `{${value.join(',')}}` : String(value);
  return client.escapeLiteral(text);
}

/**
 * Queries of usage, for administrators and other callers that may see the counts of a key. Each reads the
 * series that has its sums already; rows are in the order of an index, so that a page reads no more than
 * it shows.
 */
import { type KeyRing } from '@gatehouse/crypto';
import { DomainError } from '@gatehouse/kit/errors';
import { type Page, type PageRequest, PageTokens } from '@gatehouse/kit/paging';
import { Sql, sqlFault } from '@gatehouse/kit/sql';
import { Inject, Injectable } from '@nestjs/common';
import { KeyErrors } from '../../errors.js';
import { HMAC_RING } from '../../key-rings.js';
import { invalidField } from '@gatehouse/kit/input';
import { type Dimension, type UsageQuery } from './usage-query.js';
import { USAGE_OUTCOMES } from '../../verification/usage/usage-row.js';
import { type Series, SERIES, USAGE_LEVELS } from '../../store/usage/usage.types.js';

/** Counts of a minute, an hour or a day; without the dimensions that were not asked for. */
export interface UsagePoint {
  time: string;
  key_id?: string;
  actor_id?: string;
  prefix?: string;
  tag?: string;
  outcome?: string;
  limit?: string;
  /** Decimal numbers. */
  count: string;
  cost: string;
}

/** Concurrent queries of one process; they are long, and must leave connections to verifications. */
export const QUERIES_MAX = 4;
const TIMEOUT_MS = 5_000;
const QUERY_CANCELED = '57014';

/** Names of the dimensions, in points and CSV. */
export const NAMES = {
  key: 'key_id',
  actor: 'actor_id',
  prefix: 'prefix',
  tag: 'tag',
  outcome: 'outcome',
  limit: 'limit',
} as const satisfies Record<Dimension, keyof UsagePoint>;

interface UsageResult {
  at: Date;
  count: string;
  cost: string;
  key?: string;
  actor?: string;
  prefix?: string;
  tag?: string;
  outcome?: number;
  limit?: string;
}

@Injectable()
export class UsageQueries {
  private readonly pageTokens: PageTokens;
  private running = 0;

  constructor(
    private readonly sql: Sql,
    @Inject(HMAC_RING) ring: KeyRing,
  ) {
    this.pageTokens = PageTokens.fromRing(ring);
  }

  /**
   * @throws DomainError when too many queries run, or when one would take too long
   */
  async page(query: UsageQuery, request: PageRequest): Promise<Page<UsagePoint>> {
    if (this.running >= QUERIES_MAX) {
      throw new DomainError(KeyErrors.USAGE_BUSY, { retryAfterSeconds: 1 });
    }
    this.running += 1;
    try {
      return await this.pageOnce(query, request);
    } catch (error) {
      if (sqlFault(error).code !== QUERY_CANCELED) throw error;
      throw invalidField('from', 'is too far from `to` for this many counts: request fewer');
    } finally {
      this.running -= 1;
    }
  }

  private async pageOnce(query: UsageQuery, request: PageRequest): Promise<Page<UsagePoint>> {
    const { groupBy, interval, equal, fromMs, toMs } = query;
    // `to` may be now, so a page token is for any range that begins at the same time.
    const isNamed = request.pageToken !== '';
    const scope = JSON.stringify(['usage', interval, groupBy, Object.entries(equal).sort()]);
    const columns = positionColumns(query);
    const found = await this.pageTokens.page(scope, request, {
      fetch: (after, limit) => {
        const start = isNamed && after ? Date.parse(after[0] as string) : fromMs;
        return this.rows({ ...query, fromMs: start, toMs }, columns, after, limit);
      },
      positionOf: (row: UsageResult) => [
        row.at.toISOString(),
        ...columns.map((each) => String(row[each])),
      ],
    });
    return { ...found, rows: found.rows.map((row) => pointOf(row, groupBy)) };
  }

  private rows(
    query: UsageQuery,
    columns: readonly Dimension[],
    after: readonly string[] | undefined,
    limit: number,
  ): Promise<UsageResult[]> {
    const { text, values } = usageStatement(query, columns, after, limit);
    return this.sql.transaction(
      async (sql) => {
        await sql.rows({ text: `SET LOCAL statement_timeout = ${TIMEOUT_MS}` });
        return sql.rows<UsageResult>({ text }, values);
      },
      { retry: 'never' },
    );
  }
}

/** The dimensions that tell rows of the same time apart: a key has one actor. */
function positionColumns({ groupBy }: UsageQuery): Dimension[] {
  return groupBy.filter((each) => each !== 'actor' || !groupBy.includes('key'));
}

/** Exported for the test of its plans. */
export function usageStatement(
  { interval, fromMs, toMs, groupBy, equal }: UsageQuery,
  columns: readonly Dimension[],
  after: readonly string[] | undefined,
  limit: number,
): { text: string; values: unknown[] } {
  const used = new Set<string>([...groupBy, ...Object.keys(equal)]);
  const series = seriesOf(used);
  const column = (each: Dimension) => columnOf(each, series);
  const values: unknown[] = [new Date(fromMs), new Date(toMs), limit];
  const conditions = [
    `level = ${USAGE_LEVELS[interval]}`,
    `series = ${series}`,
    'at >= $1',
    'at < $2',
    ...(series === SERIES.all ? [`subject = ''`, `tag = ''`] : []),
    ...(equal.limit !== undefined ? ['outcome <> 0'] : []),
  ];
  for (const [name, value] of Object.entries(equal) as [Dimension, string][]) {
    // As a constant, so that the index of refusals is known to fit.
    const operand = name === 'outcome' ? Number(value) : `$${values.push(value)}`;
    conditions.push(`${column(name)} = ${operand}`);
  }
  const order = ['at', ...columns.map(column)];
  if (after !== undefined) {
    const types = [
      'timestamptz',
      ...columns.map((each) => (each === 'outcome' ? 'smallint' : 'text')),
    ];
    const position = after.map((value, index) => `$${values.push(value)}::${types[index]}`);
    conditions.push(`(${order.join(', ')}) > (${position.join(', ')})`);
  }
  const selected = groupBy.map((each) => {
    const isOfKey = each === 'actor' && !columns.includes('actor');
    return `${isOfKey ? 'min(actor_id)' : column(each)} AS "${each}"`;
  });
  const text = `SELECT ${['at', ...selected].join(', ')},
      sum(count)::text AS count, sum(cost)::text AS cost
    FROM keys.usage WHERE ${conditions.join(' AND ')}
    GROUP BY ${order.join(', ')} ORDER BY ${order.join(', ')} LIMIT $3`;
  return { text, values };
}

/** The series with the fewest rows that distinguishes these dimensions. */
function seriesOf(used: ReadonlySet<string>): Series {
  if (used.has('prefix')) return SERIES.prefix;
  const isOfKeys = used.has('key') || used.has('actor');
  if (used.has('tag')) return isOfKeys ? SERIES.keyTag : SERIES.tag;
  if (used.has('key')) return SERIES.key;
  return used.has('actor') ? SERIES.actor : SERIES.all;
}

function columnOf(dimension: Dimension, series: Series): string {
  if (dimension === 'key' || dimension === 'prefix') return 'subject';
  if (dimension === 'actor') return series === SERIES.actor ? 'subject' : 'actor_id';
  return dimension === 'limit' ? 'limit_name' : dimension;
}

function pointOf(row: UsageResult, groupBy: readonly Dimension[]): UsagePoint {
  const values = groupBy.map((each) => [
    NAMES[each],
    each === 'outcome' ? USAGE_OUTCOMES[row.outcome as number] : row[each],
  ]);
  const { count, cost } = row;
  return { time: row.at.toISOString(), ...Object.fromEntries(values), count, cost } as UsagePoint;
}

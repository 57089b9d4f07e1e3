import { refName } from '../path/attribute-ref.js';
import { type BoundSort } from '../resource/sort.js';
import {
  type AttributeColumn,
  columnOf,
  type ColumnType,
  type FilterColumns,
} from './filter-columns.js';
import { jsonOf, textOf } from './json-sql.js';
import { foldedSql, type SqlParameters } from './sql-parameters.js';

/**
 * Sorting in SQL with keyset paging: a page starts after the last row of the previous one, so every
 * page costs the same.
 */

export interface SortSql {
  /** The sort key as text, to be selected and put into a cursor; NULL when unset. */
  key: string;
  /** The text after ORDER BY; the id breaks ties in the same direction. */
  orderBy(idExpression: string): string;
  /**
   * The rows after the row with this key and id, as disjoint conditions. When the key may be
   * indexed, each condition is one range of the index.
   */
  after(
    lastKey: string | null,
    idExpression: string,
    lastId: string,
    parameters: SqlParameters,
  ): string[];
}

interface SortExpression {
  sql: string;
  type: ColumnType;
  nullable: boolean;
  /** Read from a column, which may have an index. */
  isColumn?: boolean;
}

const CASTS: Record<ColumnType, string> = {
  text: 'text COLLATE "C"',
  boolean: 'boolean',
  number: 'numeric',
  timestamp: 'timestamptz',
  uuid: 'uuid',
};

/**
 * The SQL of a sort order. Elements stored as rows of a child table have no order of their own, so
 * all resources are equal by them.
 */
export function sortToSql(sort: BoundSort, columns: FilterColumns): SortSql {
  const { sql, type, nullable, isColumn } = expressionOf(sort, columns);
  const { descending } = sort;
  const either = (...ranges: string[]) =>
    isColumn === true ? ranges : [`(${ranges.join(' OR ')})`];
  const direction = descending ? ' DESC' : '';
  const sign = descending ? '<' : '>';
  return {
    key: `(${sql})::text`,
    orderBy: (id) => `${sql}${direction}, ${id}${direction}`,
    after: (lastKey, id, lastId, parameters) => {
      const last = parameters.add(lastId);
      if (lastKey === null) {
        const tie = `(${sql} IS NULL AND ${id} ${sign} ${last})`;
        return descending ? either(tie, `${sql} IS NOT NULL`) : [tie];
      }
      const key = `${parameters.add(lastKey)}::${CASTS[type]}`;
      const next = `(${sql}, ${id}) ${sign} (${key}, ${last})`;
      return descending || !nullable ? [next] : either(next, `${sql} IS NULL`);
    },
  };
}

/** Whether an index has the order. */
export function isIndexedSort({ ref }: BoundSort, columns: FilterColumns): boolean {
  const column = columnOf(columns, refName(ref));
  return column?.kind === 'column' && column.isIndexed === true;
}

function expressionOf(sort: BoundSort, columns: FilterColumns): SortExpression {
  const { ref, leaf } = sort;
  const column = columnOf(columns, refName(ref));
  if (column?.kind === 'column') {
    return byColumn(column, leaf.caseExact);
  }
  if (ref.definition?.multiValued === true) {
    const list = columnOf(columns, refName({ ...ref, sub: undefined }));
    return list?.kind === 'table'
      ? { sql: 'NULL::text', type: 'text', nullable: true }
      : byElement(columns.raw, sort);
  }
  const json = jsonOf(columns.raw, ref) ?? 'NULL::jsonb';
  return typedJson(json, textOf(columns.raw, ref) ?? 'NULL::text', sort);
}

function byColumn(column: AttributeColumn, caseExact: boolean): SortExpression {
  const { type, nullable = true } = column;
  if (type !== 'text') {
    return { sql: column.sql, type, nullable, isColumn: true };
  }
  const folded = column.lowered ?? foldedSql(column.sql);
  return { sql: `${caseExact ? column.sql : folded} COLLATE "C"`, type, nullable, isColumn: true };
}

/** The primary element, or the first one. */
function byElement(raw: string, sort: BoundSort): SortExpression {
  const { extension, name, definition, sub, subDefinition } = sort.ref;
  const list = jsonOf(raw, { extension, name, definition }) ?? 'NULL::jsonb';
  const element = { name: sub, definition: subDefinition };
  const json = sub === undefined ? 'scim_sort.v' : jsonOf('scim_sort.v', element);
  const text = sub === undefined ? `(scim_sort.v #>> '{}')` : textOf('scim_sort.v', element);
  const { sql, type } = typedJson(json ?? 'NULL::jsonb', text ?? 'NULL::text', sort);
  return {
    sql:
      `(SELECT ${sql} FROM jsonb_array_elements(CASE jsonb_typeof(${list})` +
      ` WHEN 'array' THEN ${list} END) WITH ORDINALITY AS scim_sort(v, position)` +
      ` ORDER BY (scim_sort.v -> 'primary' = 'true'::jsonb) IS TRUE DESC, scim_sort.position` +
      ` LIMIT 1)`,
    type,
    nullable: true,
  };
}

function typedJson(json: string, text: string, { leaf }: BoundSort): SortExpression {
  switch (leaf.type) {
    case 'boolean':
      return { sql: `(${json} = 'true'::jsonb)`, type: 'boolean', nullable: true };
    case 'integer':
    case 'decimal': {
      const number = `CASE jsonb_typeof(${json}) WHEN 'number' THEN ${text}::numeric END`;
      return { sql: `(${number})`, type: 'number', nullable: true };
    }
    default: {
      const sql = leaf.caseExact ? text : foldedSql(text);
      return { sql: `(${sql} COLLATE "C")`, type: 'text', nullable: true };
    }
  }
}

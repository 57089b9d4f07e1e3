/**
 * The table of attribute columns: how a service stores what filters and sorting ask for. All SQL
 * in it is trusted text of the service, never of a client.
 */

export type ColumnType = 'text' | 'boolean' | 'number' | 'timestamp' | 'uuid';

/** An attribute that has a column, or an expression, of its own. */
export interface AttributeColumn {
  kind: 'column';
  sql: string;
  type: ColumnType;
  /** Expression with the folded text, used where letter case does not count. */
  lowered?: string;
  /** How the text was folded; `foldCase` when left out. */
  fold?: (text: string) => string;
  /**
   * Columns of which exactly one holds the uuid that `sql` gives, where the indexes that lead from
   * a value to its rows stand on them and not on `sql`.
   */
  indexed?: readonly string[];
  /** False for a NOT NULL column: paging by cursor then is one range of its index. */
  nullable?: boolean;
}

/**
 * The `value`s of a multi-valued attribute as text[], folded by `foldCase` unless the attribute is
 * case-exact. Whole elements stay in `raw`.
 */
export interface AttributeArray {
  kind: 'array';
  values: string;
}

/** A multi-valued attribute whose elements are rows; sub-attributes not listed match nothing. */
export interface AttributeTable {
  kind: 'table';
  /** Table with its alias, as after FROM. */
  from: string;
  /** Condition that ties a row to the resource. */
  on: string;
  attributes: Readonly<Record<string, AttributeColumn>>;
}

export interface FilterColumns {
  /** The jsonb expression that holds the canonical resource. */
  raw: string;
  /**
   * By canonical path: `userName`, `name.familyName`, `meta.created`, or an extension's
   * `urn:…:User:department`.
   */
  attributes: Readonly<Record<string, AttributeColumn | AttributeArray | AttributeTable>>;
}

export function columnOf(
  columns: FilterColumns,
  name: string,
): AttributeColumn | AttributeArray | AttributeTable | undefined {
  return Object.hasOwn(columns.attributes, name) ? columns.attributes[name] : undefined;
}

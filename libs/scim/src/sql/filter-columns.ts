/**
 * How a service stores the attributes that filters and sorting use. All SQL in it is trusted text
 * of the service.
 */

export type ColumnType = 'text' | 'boolean' | 'number' | 'timestamp' | 'uuid';

/** An attribute with a column or an expression. */
export interface AttributeColumn {
  kind: 'column';
  sql: string;
  type: ColumnType;
  /** Expression with the folded text, for comparisons that ignore case. */
  lowered?: string;
  /** The folding of `lowered`; default `foldCase`. */
  fold?: (text: string) => string;
  /**
   * Columns of which exactly one holds the uuid of `sql`. Set it when they, not `sql`, have the
   * index.
   */
  indexed?: readonly string[];
  /** False for a NOT NULL column: cursor paging is then one range of its index. */
  nullable?: boolean;
  /** Whether an index answers equality, ranges and prefixes; for uuid equality only. */
  isIndexed?: boolean;
}

/**
 * The `value`s of a multi-valued attribute as text[], folded by `foldCase` unless the attribute is
 * case-exact. Whole elements stay in `raw`.
 */
export interface AttributeArray {
  kind: 'array';
  values: string;
}

/** A multi-valued attribute stored as rows. Sub-attributes that are not listed match nothing. */
export interface AttributeTable {
  kind: 'table';
  /** Table with its alias, as after FROM. */
  from: string;
  /** Condition that joins a row to its resource. */
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

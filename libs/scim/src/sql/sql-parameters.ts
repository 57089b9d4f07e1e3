/**
 * Collects the parameters of one statement. All client input goes through `add`; the SQL text
 * contains only placeholders, names of the schema and the column table of the caller.
 */
export class SqlParameters {
  readonly values: unknown[] = [];

  /** @param firstIndex number of the first placeholder, when the statement has some already. */
  constructor(private readonly firstIndex = 1) {}

  /** Binds a value and returns its placeholder, `$n`. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.firstIndex + this.values.length - 1}`;
  }
}

/** A literal for a name of the schema. Never pass client input. */
export function sqlName(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}

/** The LIKE pattern that matches the text literally. */
export function likePattern(text: string, operator: 'co' | 'sw' | 'ew'): string {
  const escaped = text.replace(/[\\%_]/g, (character) => `\\${character}`);
  return `${operator === 'sw' ? '' : '%'}${escaped}${operator === 'ew' ? '' : '%'}`;
}

/**
 * Folds the case of a text by Unicode rules in any locale; lower() under the locale C changes ASCII
 * letters only. The result compares by bytes.
 */
export function foldedSql(text: string): string {
  return `(lower((${text}) COLLATE "und-x-icu") COLLATE "C")`;
}

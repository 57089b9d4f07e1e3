/**
 * Collects the parameters of one statement. Everything that came from a client goes through
 * `add`; SQL text holds only placeholders, names of the schema and what the caller's table says.
 */
export class SqlParameters {
  readonly values: unknown[] = [];

  /** @param firstIndex number of the first placeholder, when the statement has some already. */
  constructor(private readonly firstIndex = 1) {}

  /** Binds a value and gives back its placeholder, `$n`. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.firstIndex + this.values.length - 1}`;
  }
}

/** A literal for a name of the schema; never for text of a client. */
export function sqlName(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}

/** The pattern of LIKE that means the text itself. */
export function likePattern(text: string, operator: 'co' | 'sw' | 'ew'): string {
  const escaped = text.replace(/[\\%_]/g, (character) => `\\${character}`);
  return `${operator === 'sw' ? '' : '%'}${escaped}${operator === 'ew' ? '' : '%'}`;
}

/**
 * A text with its letters folded by the rules of Unicode, whatever the locale of the database:
 * under the locale C, a plain lower() leaves every letter beyond ASCII as it is. Compares by bytes.
 */
export function foldedSql(text: string): string {
  return `(lower((${text}) COLLATE "und-x-icu") COLLATE "C")`;
}

/**
 * Finds the statements of a migration that keep the statements of others waiting, or that take away
 * what the version before uses (ADR 0006). It reads text, so it refuses more than it has to: a
 * migration that must stay as it is can be listed in migrations.check.ts, with the reason.
 */

interface Rule {
  /** Matches the whole statement, or one action of ALTER TABLE. */
  readonly refused: RegExp;
  readonly unless?: RegExp;
  /** The statement to write instead. */
  readonly advice: string;
}

const STATEMENTS: readonly Rule[] = [
  {
    refused: /^create (unique )?index /i,
    unless: /^create (unique )?index (concurrently if not exists|\S+ on only) /i,
    advice: 'CREATE INDEX CONCURRENTLY IF NOT EXISTS, in a class with transaction = false',
  },
  {
    refused: /^(drop index|reindex) /i,
    unless: /^drop index concurrently if exists|^reindex .*concurrently/i,
    advice: 'DROP INDEX CONCURRENTLY IF EXISTS, in a class with transaction = false',
  },
  {
    refused: /^(update|delete from) /i,
    unless: / limit /i,
    advice: 'batches with a LIMIT, in a class with transaction = false',
  },
  {
    refused: /^drop (table|view|materialized view|function|procedure|sequence|type|schema) /i,
    advice: 'drop it a release after its last use',
  },
  {
    refused: /^(lock|truncate|cluster|vacuum full|refresh materialized view) /i,
    advice: 'a change that needs no exclusive lock',
  },
  {
    refused: /^alter (index|sequence|view|function|type|schema) .*\b(rename|set schema)\b/i,
    advice: 'a new object, and drop the old one a release later',
  },
];

const ACTIONS: readonly Rule[] = [
  {
    refused:
      /^add (column )?.*\bdefault \(*[\w.]+\(|^add (column )?.*\b(generated|(small|big)?serial)\b/i,
    unless: /\bdefault \(*(now|current_date|statement_timestamp|transaction_timestamp)\(/i,
    advice: 'a column without default, filled in batches: this rewrites the table',
  },
  {
    refused: /^add (?!constraint|check|foreign|unique|primary|exclude).*\bnot null\b/i,
    unless: /\bdefault\b/i,
    advice: 'NULL or a constant default: the version before does not write the column',
  },
  {
    refused:
      /^add (?!constraint|check|foreign|unique|primary|exclude).*\b(check|references|unique|primary key)\b/i,
    advice: 'the column alone, and its constraint as described in ADR 0006',
  },
  {
    refused: /^add (constraint \S+ )?(check|foreign key)\b/i,
    unless: /\bnot valid$/i,
    advice: 'NOT VALID, and VALIDATE CONSTRAINT in the next migration',
  },
  {
    refused: /^add (constraint \S+ )?(unique|primary key|exclude)\b/i,
    unless: /\busing index\b/i,
    advice: 'a unique index that is built concurrently, and USING INDEX',
  },
  {
    refused: /^alter (column )?\S+ (set data )?type\b/i,
    advice: 'a new column, and drop the old one a release later',
  },
  {
    refused: /^drop (?!constraint|default|not null|expression)/i,
    advice: 'drop the column a release after its last use',
  },
  {
    refused: /^(rename|set schema|set tablespace|set (un)?logged)\b/i,
    advice: 'a new object, and drop the old one a release later',
  },
];

/** All that a class without a transaction may contain: it waits for locks without a limit. */
const WITHOUT_TRANSACTION =
  /^(create (unique )?index concurrently|drop index concurrently|reindex .*concurrently|(update|delete|insert|select|with) |alter table (if exists )?(only )?\S+ validate constraint)/i;

/** @returns one line for each statement that the rule refuses, with what to write instead */
export function refusedStatements(
  sql: readonly string[],
  { transaction = true }: { transaction?: boolean },
): string[] {
  const statements = sql.flatMap(statementsOf);
  const created = new Set<string>();
  const validated = new Set<string | undefined>();
  const unvalidated = new Set<string | undefined>();
  const refused: string[] = [];
  for (const statement of statements) {
    const refuse = (advice: string) =>
      refused.push(`${statement.slice(0, 80)} -- write: ${advice}`);
    const isConcurrent = /^(create|drop) .*\bconcurrently\b/i.test(statement);
    if (transaction ? isConcurrent : !WITHOUT_TRANSACTION.test(statement)) {
      refuse('indexes, VALIDATE and batches in a class with transaction = false, the rest without');
    }
    const newTable = nameIn(/^create table/i, statement);
    if (newTable !== undefined) created.add(newTable);
    if (created.has(tableOf(statement) ?? '')) continue;
    for (const advice of advices(STATEMENTS, statement)) refuse(advice);

    const table = nameIn(/^alter table/i, statement);
    for (const action of table === undefined ? [] : actionsOf(statement)) {
      for (const advice of advices(ACTIONS, action)) refuse(advice);
      if (/^validate constraint/i.test(action)) validated.add(table);
      if (/\bnot valid$/i.test(action)) unvalidated.add(table);
      if (/\bset not null$/i.test(action) && !validated.has(table)) {
        refuse('VALIDATE a CHECK (… IS NOT NULL) before it, in the same migration');
      }
    }
    if (validated.has(table) && unvalidated.has(table) && table !== undefined) {
      refuse('VALIDATE CONSTRAINT in the next migration: this one keeps its lock until it ends');
    }
  }
  return refused;
}

function advices(rules: readonly Rule[], text: string): string[] {
  return rules
    .filter(({ refused, unless }) => refused.test(text) && !unless?.test(text))
    .map(({ advice }) => advice);
}

/** Single statements in one line, without comments, and without the contents of their literals. */
function statementsOf(sql: string): string[] {
  return sql
    .replace(/--.*$/gm, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\bDO\s+(\$\w*\$)\s*(?:DECLARE[\s\S]*?)?BEGIN\b([\s\S]*?)\1/gi, '$2')
    .replace(/(\$\w*\$)[\s\S]*?\1/g, "''")
    .replace(/'(?:[^']|'')*'/g, "''")
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
}

/** The actions of ALTER TABLE: its parts between commas that are not in parentheses. */
function actionsOf(statement: string): string[] {
  const [prefix = ''] = /^alter table (if exists )?(only )?\S+ /i.exec(statement) ?? [];
  const actions = [''];
  let depth = 0;
  for (const character of statement.slice(prefix.length)) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) actions.push('');
    else actions[actions.length - 1] += character;
  }
  return actions.map((action) => action.trim());
}

/** The one table that a statement changes. */
function tableOf(statement: string): string | undefined {
  return (
    nameIn(/^(?:alter|drop|lock|truncate) table/i, statement) ??
    nameIn(/^(?:update|delete from|truncate|lock)/i, statement) ??
    /^create (?:unique )?index .*? on (?:only )?([\w."]+)/i.exec(statement)?.[1]
  );
}

function nameIn(start: RegExp, statement: string): string | undefined {
  const rest = / (?:if (?:not )?exists )?(?:only )?([\w."]+)/;
  return new RegExp(start.source + rest.source, 'i').exec(statement)?.[1];
}

import { type TextTest, type ValueTest } from '../filter/bound-filter.js';
import { foldCase } from '../json/json-access.js';
import { type AttributeColumn } from './filter-columns.js';
import { foldedSql, likePattern, type SqlParameters } from './sql-parameters.js';

/** Conditions on one expression. A condition may be NULL, which means false. */

const COMPARISONS = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;
const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const SQL_FALSE = 'FALSE';

/** A text test on an expression that the database folds. */
export function textOnExpression(
  expression: string,
  test: TextTest,
  parameters: SqlParameters,
): string {
  const { operator, value } = test;
  if (test.caseExact) {
    return textCondition(expression, operator, value, parameters, (sql) => `${sql}::text`);
  }
  return textCondition(foldedSql(expression), operator, value, parameters, (sql) =>
    foldedSql(`${sql}::text`),
  );
}

/** A text test on an expression that already holds folded text. */
export function textOnFolded(
  expression: string,
  test: TextTest,
  parameters: SqlParameters,
  fold = foldCase,
): string {
  const value = test.caseExact ? test.value : fold(test.value);
  return textCondition(expression, test.operator, value, parameters, (sql) => `${sql}::text`);
}

/** The condition of one test on a column. */
export function testOnColumn(
  column: AttributeColumn,
  test: ValueTest,
  parameters: SqlParameters,
): string {
  switch (test.type) {
    case 'present':
      return presentColumn(column);
    case 'text':
      return textOnColumn(column, test, parameters);
    case 'boolean':
      return column.type === 'boolean'
        ? `${column.sql} = ${parameters.add(test.value)}::boolean`
        : SQL_FALSE;
    case 'number':
      return column.type === 'number'
        ? `${column.sql} ${COMPARISONS[test.operator]} ${parameters.add(String(test.value))}::numeric`
        : SQL_FALSE;
    case 'instant': {
      const instant = new Date(test.value).toISOString();
      return column.type === 'timestamp'
        ? `${column.sql} ${COMPARISONS[test.operator]} ${parameters.add(instant)}::timestamptz`
        : SQL_FALSE;
    }
    case 'untyped': {
      const value = String(test.value);
      const { operator } = test;
      return textOnColumn(column, { type: 'text', operator, caseExact: false, value }, parameters);
    }
  }
}

/** A test on the scalar in a jsonb expression, for attributes without a definition. */
export function testOnScalar(json: string, test: ValueTest, parameters: SqlParameters): string {
  if (test.type !== 'untyped') {
    return SQL_FALSE;
  }
  const { operator, value } = test;
  const text = `(${json} #>> '{}')`;
  const options: string[] = [];
  if (typeof value === 'string') {
    const condition = textOnExpression(
      text,
      { type: 'text', operator, caseExact: false, value },
      parameters,
    );
    options.push(`jsonb_typeof(${json}) = 'string' AND ${condition}`);
  }
  if (typeof value === 'number' && operator in COMPARISONS) {
    const symbol = COMPARISONS[operator as keyof typeof COMPARISONS];
    const number = `CASE jsonb_typeof(${json}) WHEN 'number' THEN ${text}::numeric END`;
    options.push(`(${number}) ${symbol} ${parameters.add(String(value))}::numeric`);
  }
  const folded = foldCase(String(value));
  if (operator === 'eq' && (folded === 'true' || folded === 'false')) {
    options.push(`${json} = '${folded}'::jsonb`);
  }
  return options.length === 0 ? SQL_FALSE : `(${options.join(' OR ')})`;
}

/** `pr` on a jsonb expression: it contains a scalar that is not empty. */
export function presentJson(json: string): string {
  const path =
    '$.** ? (@.type() == "number" || @.type() == "boolean" || @.type() == "string" && @ != "")';
  return `jsonb_path_exists(${json}, '${path}')`;
}

function textCondition(
  expression: string,
  operator: TextTest['operator'],
  value: string,
  parameters: SqlParameters,
  fold: (sql: string) => string,
): string {
  switch (operator) {
    case 'eq':
      return `${expression} = ${fold(parameters.add(value))}`;
    case 'co':
    case 'sw':
    case 'ew':
      return `${expression} LIKE ${fold(parameters.add(likePattern(value, operator)))}`;
    default:
      return `${ordered(`(${expression})`)} ${COMPARISONS[operator]} ${fold(parameters.add(value))}`;
  }
}

function presentColumn({ sql, type }: AttributeColumn): string {
  return type === 'text' ? `${sql} <> ''` : `(${sql}) IS NOT NULL`;
}

function textOnColumn(column: AttributeColumn, test: TextTest, parameters: SqlParameters): string {
  if (column.type === 'uuid') {
    return textOnUuid(column, test, parameters);
  }
  if (column.type === 'timestamp') {
    return textOnExpression(isoText(column.sql), test, parameters);
  }
  const expression = column.type === 'text' ? column.sql : `(${column.sql})::text`;
  if (!test.caseExact && column.lowered !== undefined) {
    return textOnFolded(column.lowered, test, parameters, column.fold);
  }
  return textOnExpression(expression, test, parameters);
}

/** Orders text by code point, independent of the default collation. */
function ordered(expression: string): string {
  return `${expression} COLLATE "C"`;
}

/**
 * Compares ids as uuid, so that the index is used. A value that is no uuid matches nothing, so no
 * cast of client text can fail.
 */
function textOnUuid(
  { sql, indexed }: AttributeColumn,
  test: TextTest,
  parameters: SqlParameters,
): string {
  if (test.operator !== 'eq') {
    return textOnExpression(`(${sql})::text`, test, parameters);
  }
  const value = test.caseExact ? test.value : foldCase(test.value);
  if (!UUID_PATTERN.test(value)) {
    return SQL_FALSE;
  }
  const id = `${parameters.add(value)}::uuid`;
  const onIndexed = indexed?.map((column) => `${column} = ${id}`).join(' OR ');
  return onIndexed === undefined ? `${sql} = ${id}` : `(${sql} = ${id} AND (${onIndexed}))`;
}

/** The format of Date.prototype.toISOString. */
function isoText(sql: string): string {
  return `to_char((${sql}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

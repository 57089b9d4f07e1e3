import { type BoundFilter, type TextTest, type ValueTest } from '../filter/bound-filter.js';
import { type AttributeRef, refName } from '../path/attribute-ref.js';
import { foldCase } from '../json/json-access.js';
import {
  type AttributeArray,
  type AttributeColumn,
  type AttributeTable,
  columnOf,
  type FilterColumns,
} from './filter-columns.js';
import { elementsOf, testOnElement, testOnJson } from './json-sql.js';
import { type SqlParameters } from './sql-parameters.js';
import { SQL_FALSE, testOnColumn, textOnFolded } from './test-sql.js';

/**
 * Translates a bound filter to SQL. Attributes with a column use the column and its index; all
 * others are read from the jsonb. A condition may be NULL where the filter is false; WHERE, AND and
 * OR treat both alike. Negation is therefore IS NOT TRUE.
 */

type TestTranslator = (ref: AttributeRef, test: ValueTest) => string;

type ElementTranslator = (ref: AttributeRef, filter: BoundFilter) => string;

const NO_ELEMENTS: ElementTranslator = () => SQL_FALSE;

/**
 * The condition of a filter in brackets on a row of a child table; also for a `removeMatching`
 * change of a group's members.
 */
export function elementFilterToSql(
  filter: BoundFilter,
  attributes: Readonly<Record<string, AttributeColumn>>,
  parameters: SqlParameters,
): string {
  const test: TestTranslator = (ref, valueTest) => {
    const name = refName(ref);
    const column = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    return column === undefined ? SQL_FALSE : testOnColumn(column, valueTest, parameters);
  };
  return translate(filter, test, NO_ELEMENTS);
}

/**
 * The SQL condition of a filter.
 *
 * @param columns how the caller stores the attributes
 * @param parameters receives every value of the filter; its placeholders are in the text
 * @example
 * const parameters = new SqlParameters();
 * const condition = filterToSql(bound, columns, parameters);
 * await rows(`SELECT id FROM users WHERE ${condition}`, parameters.values);
 */
export function filterToSql(
  filter: BoundFilter,
  columns: FilterColumns,
  parameters: SqlParameters,
): string {
  const test: TestTranslator = (ref, resourceTest) => {
    const column = columnOf(columns, refName(ref));
    if (column === undefined) {
      return testOnJson(columns.raw, ref, resourceTest, parameters);
    }
    if (column.kind === 'column') {
      return testOnColumn(column, resourceTest, parameters);
    }
    if (column.kind === 'array') {
      return testOnJson(columns.raw, ref, resourceTest, parameters);
    }
    return resourceTest.type === 'present' ? `EXISTS (${rowsOf(column)})` : SQL_FALSE;
  };

  const element: ElementTranslator = (ref, inner) => {
    const column = columnOf(columns, refName(ref));
    if (column?.kind === 'table') {
      const condition = elementFilterToSql(inner, column.attributes, parameters);
      return `EXISTS (${rowsOf(column)} AND ${condition})`;
    }
    const array = column?.kind === 'array' ? column : undefined;
    const single = array && valueTest(inner);
    if (array !== undefined && single !== undefined) {
      return onValues(array, single, parameters);
    }
    const narrowed = array === undefined ? '' : prefilter(array, inner, parameters);
    const elements = elementsOf(columns.raw, ref, 'scim_element', parameters);
    const onElement: TestTranslator = (innerRef, innerTest) =>
      testOnElement('scim_element.v', innerRef, innerTest, parameters);
    return `(${narrowed}EXISTS (${elements} AND ${translate(inner, onElement, NO_ELEMENTS)}))`;
  };

  return translate(filter, test, element);
}

/** The text test on `value` that makes up the whole filter, if any. */
function valueTest(filter: BoundFilter): TextTest | undefined {
  return filter.kind === 'test' && filter.ref.name === 'value' && filter.test.type === 'text'
    ? filter.test
    : undefined;
}

function translate(filter: BoundFilter, test: TestTranslator, element: ElementTranslator): string {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const word = filter.kind === 'and' ? ' AND ' : ' OR ';
      return `(${filter.operands.map((each) => translate(each, test, element)).join(word)})`;
    }
    case 'not':
      return `(${translate(filter.operand, test, element)}) IS NOT TRUE`;
    case 'test':
      return test(filter.ref, filter.test);
    case 'element':
      return element(filter.ref, filter.filter);
  }
}

function rowsOf({ from, on }: AttributeTable): string {
  return `SELECT 1 FROM ${from} WHERE ${on}`;
}

/** A test on `value` alone is answered without reading the elements. */
function onValues(array: AttributeArray, test: TextTest, parameters: SqlParameters): string {
  if (test.operator === 'eq') {
    return holdsValue(array, test, parameters);
  }
  const condition = textOnFolded('scim_value', test, parameters);
  return `EXISTS (SELECT 1 FROM unnest(${array.values}) AS scim_value WHERE ${condition})`;
}

/** Narrows the rows by the index on the values before the elements are read. */
function prefilter(array: AttributeArray, filter: BoundFilter, parameters: SqlParameters): string {
  const operands = filter.kind === 'and' ? filter.operands : [filter];
  return operands
    .flatMap((operand) => valueTest(operand) ?? [])
    .filter((test) => test.operator === 'eq')
    .map((test) => `${holdsValue(array, test, parameters)} AND `)
    .join('');
}

function holdsValue({ values }: AttributeArray, test: TextTest, parameters: SqlParameters): string {
  const value = test.caseExact ? test.value : foldCase(test.value);
  return `${values} @> ARRAY[${parameters.add(value)}]::text[]`;
}

import { type BoundFilter, type ValueTest } from '../filter/bound-filter.js';
import { type AttributeRef, refName } from '../path/attribute-ref.js';
import { type AttributeColumn, columnOf, type FilterColumns } from './filter-columns.js';

/**
 * Estimates the work of a filter for each resource that it is tested on: 1 for a term that an index
 * answers, more for others. The unit is arbitrary; the ratios were measured.
 */
export interface FilterCost {
  total: number;
  /** The most expensive term, such as `title co`. */
  dearest: FilterTerm;
  /** Whether indexes can answer the whole filter. */
  isIndexed: boolean;
}

export interface FilterTerm {
  term: string;
  cost: number;
}

const INDEXED = 1;
const ON_COLUMN = 5;
const IN_RESOURCE = 10;
const IN_ELEMENTS = 10;
const IN_TABLE = 20;
/** All names of the object are read and folded to find the attribute. */
const UNKNOWN_ATTRIBUTE = 50;

const RANGE_OPERATORS: ReadonlySet<string> = new Set(['eq', 'gt', 'ge', 'lt', 'le', 'sw']);

/** The cost of a filter on resources. */
export function filterCost(filter: BoundFilter, columns: FilterColumns): FilterCost {
  const onTest: OnTest = (ref, test) => {
    const column = columnOf(columns, refName(ref));
    return column?.kind === 'column' ? onColumn(column, test) : inResource(ref);
  };
  return costOf(
    filter,
    termsOf(filter, '', onTest, (ref, inner) => elementTerms(ref, inner, columns)),
  );
}

/** The cost of a filter in brackets, for each row of a child table. */
export function elementFilterCost(filter: BoundFilter): FilterCost {
  return costOf(
    filter,
    termsOf(filter, '', () => IN_TABLE, NO_TERMS),
  );
}

type OnTest = (ref: AttributeRef, test: ValueTest) => number;
type OnElement = (ref: AttributeRef, filter: BoundFilter) => FilterTerm[];

const NO_TERMS: OnElement = () => [];

function costOf(filter: BoundFilter, terms: readonly FilterTerm[]): FilterCost {
  return {
    total: terms.reduce((sum, { cost }) => sum + cost, 0),
    dearest: terms.reduce((most, each) => (each.cost > most.cost ? each : most)),
    isIndexed: terms.every(({ cost }) => cost === INDEXED) && !hasNegation(filter),
  };
}

function termsOf(
  filter: BoundFilter,
  prefix: string,
  onTest: OnTest,
  onElement: OnElement,
): FilterTerm[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.flatMap((each) => termsOf(each, prefix, onTest, onElement));
    case 'not':
      return termsOf(filter.operand, prefix, onTest, onElement);
    case 'test': {
      const { ref, test } = filter;
      return [{ term: `${prefix}${refName(ref)} ${operatorOf(test)}`, cost: onTest(ref, test) }];
    }
    case 'element':
      return onElement(filter.ref, filter.filter);
  }
}

function elementTerms(
  ref: AttributeRef,
  filter: BoundFilter,
  columns: FilterColumns,
): FilterTerm[] {
  const column = columnOf(columns, refName(ref));
  const onElement = IN_ELEMENTS + inResource(ref);
  const onTest: OnTest = (inner) =>
    onElement + (inner.definition === undefined ? UNKNOWN_ATTRIBUTE : 0);
  const cost: OnTest = isLookup(filter, column)
    ? () => INDEXED
    : column?.kind === 'table'
      ? () => IN_TABLE
      : onTest;
  return termsOf(filter, `${refName(ref)}.`, cost, NO_TERMS);
}

/** Whether an index finds the elements: an `eq` on an indexed sub-attribute, alone or in an `and`. */
function isLookup(filter: BoundFilter, column: ReturnType<typeof columnOf>): boolean {
  if (filter.kind === 'and') return filter.operands.some((operand) => isLookup(operand, column));
  if (filter.kind !== 'test' || filter.test.type !== 'text') return false;
  const name = refName(filter.ref);
  const hasIndex =
    column?.kind === 'table' ? column.attributes[name]?.isIndexed === true : name === 'value';
  return column !== undefined && hasIndex && filter.test.operator === 'eq';
}

function onColumn({ isIndexed, type }: AttributeColumn, test: ValueTest): number {
  const operator = operatorOf(test);
  const isRange = type === 'uuid' ? operator === 'eq' : RANGE_OPERATORS.has(operator);
  return isIndexed === true && isRange ? INDEXED : ON_COLUMN;
}

function inResource({ definition, sub, subDefinition, extension }: AttributeRef): number {
  const isKnown = definition !== undefined && (sub === undefined || subDefinition !== undefined);
  const isKnownSchema = extension === undefined || extension.index !== undefined;
  return isKnown && isKnownSchema ? IN_RESOURCE : UNKNOWN_ATTRIBUTE;
}

function operatorOf(test: ValueTest): string {
  switch (test.type) {
    case 'present':
      return 'pr';
    case 'boolean':
      return 'eq';
    default:
      return test.operator;
  }
}

function hasNegation(filter: BoundFilter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.some(hasNegation);
    case 'not':
      return true;
    case 'test':
      return false;
    case 'element':
      return hasNegation(filter.filter);
  }
}

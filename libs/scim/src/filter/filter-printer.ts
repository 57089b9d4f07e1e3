import { printAttributePath } from '../path/attribute-path.js';
import { type CompareFilter, type Filter } from './filter-ast.js';

/** Prints a filter; parsing the text gives the same tree. */

/** The canonical text of a filter: single spaces, lower-case operators. */
export function printFilter(filter: Filter): string {
  switch (filter.kind) {
    case 'compare':
      return `${printAttributePath(filter.path)} ${filter.operator} ${printComparand(filter)}`;
    case 'present':
      return `${printAttributePath(filter.path)} pr`;
    case 'not':
      return `not (${printFilter(filter.operand)})`;
    case 'valuePath':
      return `${printAttributePath(filter.path)}[${printFilter(filter.filter)}]`;
    case 'and':
      return filter.operands
        .map((operand) =>
          operand.kind === 'or' ? `(${printFilter(operand)})` : printFilter(operand),
        )
        .join(' and ');
    case 'or':
      return filter.operands.map(printFilter).join(' or ');
  }
}

function printComparand({ value, literal }: CompareFilter): string {
  if (typeof value === 'string') {
    return JSON.stringify(value);
  }
  return literal ?? String(value);
}

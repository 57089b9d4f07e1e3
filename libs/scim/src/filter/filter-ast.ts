import { type AttributePath } from '../path/attribute-path.js';

/** The filter of RFC 7644 section 3.4.2.2 as a tree, before it is bound to a schema. */

export type CompareOperator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';

export type FilterValue = string | number | boolean | null;

export interface CompareFilter {
  kind: 'compare';
  path: AttributePath;
  operator: CompareOperator;
  value: FilterValue;
  /** The digits as written, where a number prints differently (`1.50`, `2e2`). */
  literal?: string;
}

export interface PresentFilter {
  kind: 'present';
  path: AttributePath;
}

export interface NotFilter {
  kind: 'not';
  operand: Filter;
}

export interface LogicalFilter {
  kind: 'and' | 'or';
  operands: Filter[];
}

/** `path[filter]`: one element of the attribute matches the whole inner filter. */
export interface ValuePathFilter {
  kind: 'valuePath';
  path: AttributePath;
  filter: Filter;
}

export type Filter = CompareFilter | PresentFilter | NotFilter | LogicalFilter | ValuePathFilter;

/** Limits that keep a hostile filter cheap; exceeding one is 400 invalidFilter. */
export interface FilterLimits {
  /** UTF-16 code units. */
  lengthMax: number;
  /** Comparisons and presence tests. */
  clausesMax: number;
  /** Nested groups, `not`s and value paths. */
  depthMax: number;
}

export interface FilterOptions extends Partial<FilterLimits> {
  /**
   * Accepts what some identity providers send: bare words as text values (`userName eq bob`) and
   * `not` without parentheses. Default true.
   */
  tolerant?: boolean;
}

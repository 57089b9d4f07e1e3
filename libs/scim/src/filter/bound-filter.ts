import { type AttributeRef } from '../path/attribute-ref.js';

/**
 * A filter after binding to a schema: attributes are resolved, values have the type of the
 * attribute, `ne` and `null` are negation and presence, and a test on a multi-valued attribute
 * tests its elements. Both the evaluator and the SQL translation use this form, so they agree.
 */

export type TextOperator = 'eq' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';
export type OrderOperator = 'eq' | 'gt' | 'ge' | 'lt' | 'le';

export interface PresenceTest {
  type: 'present';
}

export interface TextTest {
  type: 'text';
  operator: TextOperator;
  caseExact: boolean;
  value: string;
}

export interface NumberTest {
  type: 'number';
  operator: OrderOperator;
  value: number;
}

export interface BooleanTest {
  type: 'boolean';
  value: boolean;
}

export interface InstantTest {
  type: 'instant';
  operator: OrderOperator;
  /** Milliseconds since 1970. */
  value: number;
}

/** A test on an attribute without a schema: the type of the stored value decides. */
export interface UntypedTest {
  type: 'untyped';
  operator: TextOperator;
  value: string | number | boolean;
}

export type ValueTest =
  PresenceTest | TextTest | NumberTest | BooleanTest | InstantTest | UntypedTest;

export type BoundFilter =
  | { kind: 'and' | 'or'; operands: BoundFilter[] }
  | { kind: 'not'; operand: BoundFilter }
  /** Inside an `element`, `ref` is relative to the element. */
  | { kind: 'test'; ref: AttributeRef; test: ValueTest }
  /** An element of the attribute, or its single value, matches the filter. */
  | { kind: 'element'; ref: AttributeRef; filter: BoundFilter };

/** Maximum number of tests of a filter on one resource or element. */
export function testsIn(filter: BoundFilter): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.reduce((sum, operand) => sum + testsIn(operand), 0);
    case 'not':
      return testsIn(filter.operand);
    case 'test':
      return 1;
    case 'element':
      return testsIn(filter.filter);
  }
}

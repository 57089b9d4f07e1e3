import { invalidFilter } from '../errors/scim-error.js';
import { isStorableText } from '../json/json-access.js';
import { parseAttributePath } from '../path/attribute-path.js';
import { type AttributePath } from '../path/attribute-path.js';
import {
  type CompareOperator,
  type Filter,
  type FilterLimits,
  type FilterOptions,
  type FilterValue,
} from './filter-ast.js';
import { tokenize, type Token, type TokenKind } from './filter-lexer.js';

/**
 * Parser for filters: RFC 7644 section 3.4.2.2 with the precedence of erratum 4670 (grouping, not,
 * and, or). Length, clauses and depth are checked while parsing, so a hostile filter costs no more
 * than a long one.
 */

const DEFAULT_FILTER_LIMITS: Readonly<FilterLimits> = {
  lengthMax: 16_384,
  clausesMax: 250,
  depthMax: 50,
};

const OPERATORS = new Set(['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le']);
const CONNECTIVES = new Set(['and', 'or', 'not']);
const NUMBER_PATTERN = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

interface Comparand {
  value: FilterValue;
  literal?: string;
}

/**
 * Parses a filter.
 *
 * @throws ScimError 400 invalidFilter for a syntax error or an exceeded limit.
 * @example
 * const filter = parseFilter('emails[type eq "work"] and active eq true');
 */
export function parseFilter(text: string, options: FilterOptions = {}): Filter {
  const limits: FilterLimits = {
    lengthMax: options.lengthMax ?? DEFAULT_FILTER_LIMITS.lengthMax,
    clausesMax: options.clausesMax ?? DEFAULT_FILTER_LIMITS.clausesMax,
    depthMax: options.depthMax ?? DEFAULT_FILTER_LIMITS.depthMax,
  };
  if (text.length > limits.lengthMax) {
    throw invalidFilter(`The filter is longer than ${limits.lengthMax} characters.`);
  }
  return new FilterParser(tokenize(text), limits, options.tolerant ?? true).parse();
}

class FilterParser {
  private position = 0;
  private clauses = 0;
  private depth = 0;
  private inValuePath = false;

  constructor(
    private readonly tokens: Token[],
    private readonly limits: FilterLimits,
    private readonly tolerant: boolean,
  ) {}

  parse(): Filter {
    const filter = this.disjunction();
    this.expect('end');
    return filter;
  }

  private disjunction(): Filter {
    const operands = [this.conjunction()];
    while (this.takeWord('or')) {
      operands.push(this.conjunction());
    }
    return joinFilters('or', operands);
  }

  private conjunction(): Filter {
    const operands = [this.factor()];
    while (this.takeWord('and')) {
      operands.push(this.factor());
    }
    return joinFilters('and', operands);
  }

  private factor(): Filter {
    if (this.peek().kind === '(') {
      return this.group();
    }
    if (this.startsNegation()) {
      this.position += 1;
      const operand = this.nested(() => this.factor());
      return { kind: 'not', operand };
    }
    return this.expression();
  }

  private group(): Filter {
    this.position += 1;
    const filter = this.nested(() => this.disjunction());
    this.expect(')');
    return filter;
  }

  /** `not` is a keyword unless a comparison of an attribute with that name can start here. */
  private startsNegation(): boolean {
    const word = this.peek();
    if (word.kind !== 'word' || word.text.toLowerCase() !== 'not') {
      return false;
    }
    const next = this.peek(1);
    if (next.kind === '(') {
      return true;
    }
    if (!this.tolerant || next.kind !== 'word') {
      return false;
    }
    return !isOperatorWord(next) || isOperatorWord(this.peek(2));
  }

  private expression(): Filter {
    const path = this.attributePath();
    if (this.peek().kind === '[') {
      return this.valuePath(path);
    }
    return this.test(path);
  }

  private attributePath(): AttributePath {
    const token = this.expect('word');
    const path = parseAttributePath(token.text);
    if (path === undefined || (this.inValuePath && (path.urn ?? path.sub) !== undefined)) {
      throw invalidFilter(`The filter has no valid attribute name at offset ${token.offset}.`);
    }
    return path;
  }

  private test(path: AttributePath): Filter {
    const operator = this.expect('word');
    const name = operator.text.toLowerCase();
    this.clauses += 1;
    if (this.clauses > this.limits.clausesMax) {
      throw invalidFilter(`The filter has more than ${this.limits.clausesMax} clauses.`);
    }
    if (name === 'pr') {
      return { kind: 'present', path };
    }
    if (!OPERATORS.has(name)) {
      throw invalidFilter(`The filter has an unknown operator at offset ${operator.offset}.`);
    }
    return { kind: 'compare', path, operator: name as CompareOperator, ...this.comparand() };
  }

  private valuePath(path: AttributePath): Filter {
    const open = this.expect('[');
    if (this.inValuePath) {
      throw invalidFilter(`The filter nests value paths at offset ${open.offset}.`);
    }
    this.inValuePath = true;
    const inner = this.nested(() => this.disjunction());
    this.expect(']');
    const tail = this.trailingTest();
    this.inValuePath = false;
    const filter = tail === undefined ? inner : joinFilters('and', [inner, tail]);
    return { kind: 'valuePath', path, filter };
  }

  /** `[…].value eq "x"` tests the same element, so it joins the filter in brackets. */
  private trailingTest(): Filter | undefined {
    const token = this.peek();
    if (token.kind !== 'word') {
      return undefined;
    }
    if (token.text.startsWith('.')) {
      this.position += 1;
      const path = parseAttributePath(token.text.slice(1));
      if (path === undefined || (path.urn ?? path.sub) !== undefined) {
        throw invalidFilter(`The filter has no valid sub-attribute at offset ${token.offset}.`);
      }
      return this.test(path);
    }
    return this.tolerant && isOperatorWord(token) ? this.test({ name: 'value' }) : undefined;
  }

  private comparand(): Comparand {
    const token = this.peek();
    this.position += 1;
    if (token.kind === 'string') {
      return { value: token.text };
    }
    if (token.kind !== 'word') {
      throw invalidFilter(`The filter lacks a value at offset ${token.offset}.`);
    }
    const { text } = token;
    switch (text.toLowerCase()) {
      case 'true':
        return { value: true };
      case 'false':
        return { value: false };
      case 'null':
        return { value: null };
    }
    if (NUMBER_PATTERN.test(text)) {
      const value = Number(text);
      if (!Number.isFinite(value)) {
        throw invalidFilter(`The filter has a number out of range at offset ${token.offset}.`);
      }
      return String(value) === text ? { value } : { value, literal: text };
    }
    if (!this.tolerant || !isBareText(text)) {
      throw invalidFilter(`The filter has a value without quotes at offset ${token.offset}.`);
    }
    return { value: text };
  }

  private nested<T>(parse: () => T): T {
    this.depth += 1;
    if (this.depth > this.limits.depthMax) {
      throw invalidFilter(`The filter is nested more than ${this.limits.depthMax} levels deep.`);
    }
    const result = parse();
    this.depth -= 1;
    return result;
  }

  private peek(ahead = 0): Token {
    const last = this.tokens.length - 1;
    return this.tokens[Math.min(this.position + ahead, last)]!;
  }

  private takeWord(word: string): boolean {
    const token = this.peek();
    if (token.kind !== 'word' || token.text.toLowerCase() !== word) {
      return false;
    }
    this.position += 1;
    return true;
  }

  private expect(kind: TokenKind): Token {
    const token = this.peek();
    if (token.kind !== kind) {
      const found = token.kind === 'end' ? 'ends' : `has "${token.text.slice(0, 64)}"`;
      throw invalidFilter(`The filter ${found} at offset ${token.offset} where ${expected(kind)}.`);
    }
    this.position += 1;
    return token;
  }
}

/** Joins operands; nested nodes of the same kind become one. */
function joinFilters(kind: 'and' | 'or', operands: Filter[]): Filter {
  const flat = operands.flatMap((operand) => (operand.kind === kind ? operand.operands : operand));
  const [first] = flat;
  return flat.length === 1 && first !== undefined ? first : { kind, operands: flat };
}

function isOperatorWord(token: Token): boolean {
  const text = token.text.toLowerCase();
  return token.kind === 'word' && (text === 'pr' || OPERATORS.has(text));
}

function isBareText(text: string): boolean {
  return !text.startsWith("'") && !CONNECTIVES.has(text.toLowerCase()) && isStorableText(text);
}

function expected(kind: TokenKind): string {
  if (kind === 'end') {
    return '"and", "or" or its end is due';
  }
  return kind === 'word' ? 'an attribute or an operator is due' : `"${kind}" is due`;
}

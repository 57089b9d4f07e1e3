import { bareObject } from '../model/bare-object.js';
import { type JsonValue } from '../model/form-decoder.types.js';
import { type Location } from '../schema/location.js';
import { type RawNode } from './raw-node.js';
import { booleanOf, memberOf } from '../read/scalar-text.js';
import { type SchemaNode, type SchemaUnion } from '../schema/schema-node.js';
import { type Submission } from './submission.js';
import { isSimple } from '../validate/validation-schema.js';
import { type Validator } from '../validate/validator.js';

/** Converts the submission as if exactly the schemas of a location applied. */
export type Attempt = (location: Location) => JsonValue | undefined;

/**
 * Decides which schemas apply to a submission: of a union the branch whose discriminator matches,
 * else the first that validates and loses least; `then` or `else` by the result of `if`; dependencies by presence.
 */
export class BranchChooser {
  constructor(
    private readonly validator: Validator,
    private readonly submission: Submission,
  ) {}

  /** The location with the branches that apply; `settled` are those that are decided already. */
  resolve(
    location: Location,
    node: RawNode,
    attempt: Attempt,
    settled: ReadonlySet<object> = new Set(),
  ): Location {
    if (!node.isFilled) return location;
    const done = new Set<object>(settled);
    let current = location;
    for (;;) {
      const union = current.unions.find((each) => !done.has(each));
      if (union !== undefined) {
        done.add(union);
        current = this.withBranch(union, current, node, attempt, done);
        continue;
      }
      const dependency = current.dependencies.find((each) => !done.has(each));
      if (dependency !== undefined) {
        done.add(dependency);
        const given = node.members?.get(dependency.property)?.isFilled === true;
        if (given) current = current.with(dependency.node, dependency);
        continue;
      }
      const condition = current.conditions.find((each) => !done.has(each));
      if (condition === undefined) return current;
      done.add(condition);
      const value = this.trial(() => attempt(current)) ?? withoutAnswers(node);
      const applies = value !== undefined && this.validator.fits(condition.if, value);
      const branch = applies ? condition.then : condition.else;
      if (branch !== null) current = current.with(branch, condition);
    }
  }

  private withBranch(
    union: SchemaUnion,
    current: Location,
    node: RawNode,
    attempt: Attempt,
    done: ReadonlySet<object>,
  ): Location {
    const named = node.members === null ? byValue(union, node) : this.byDiscriminator(union, node);
    if (named !== null) return current.with(named, union);
    // Conditions beside the union are left for later: they may depend on the branch.
    const settled = new Set<object>([...done, ...current.conditions]);
    let fitting: SchemaNode | null = null;
    let least = Infinity;
    for (const branch of union.branches) {
      const candidate = current.with(branch, union);
      const misfit = this.misfit(branch, candidate, node, attempt, settled);
      if (misfit < least) [fitting, least] = [branch, misfit];
      if (least === 0) break;
    }
    const chosen = fitting ?? nearest(union, current, node);
    const location = current.with(chosen, union);
    // The branches of anyOf do not exclude each other: fields of the others keep their place.
    if (union.kind === 'oneOf' || node.members === null) return location;
    return location.withAlternatives(union.branches);
  }

  /** How badly a branch suits what was sent; infinite if the value is not valid there. */
  private misfit(
    branch: SchemaNode,
    candidate: Location,
    node: RawNode,
    attempt: Attempt,
    settled: ReadonlySet<object>,
  ): number {
    return this.trial(() => {
      this.submission.steps -= 1;
      if (this.submission.steps < 0) return Infinity;
      const resolved = this.resolve(candidate, node, attempt, settled);
      const value = takes(resolved, node) ? attempt(resolved) : undefined;
      const isValid = value !== undefined && this.validator.fits(branch, value);
      return isValid ? this.submission.misfit : Infinity;
    });
  }

  private byDiscriminator(union: SchemaUnion, node: RawNode): SchemaNode | null {
    for (const { property, members } of this.validator.discriminatorsOf(union)) {
      const sent = node.members?.get(property)?.filled ?? [];
      const booleans = members.flat().every((member) => typeof member === 'boolean');
      const text = sent.at(booleans ? -1 : 0)?.[1];
      if (typeof text !== 'string') continue;
      const index = members.findIndex((each) => each !== null && means(each, text));
      if (index !== -1) return union.branches[index] as SchemaNode;
    }
    return null;
  }

  private trial<T>(run: () => T): T {
    const { misfit } = this.submission;
    this.submission.trials += 1;
    this.submission.misfit = 0;
    try {
      return run();
    } finally {
      this.submission.trials -= 1;
      this.submission.misfit = misfit;
    }
  }
}

/** Members that only `then` or `else` declare: `if` is checked on an object without them. */
function withoutAnswers(node: RawNode): JsonValue | undefined {
  return node.members === null ? undefined : bareObject();
}

/** The branch whose single value was sent, if every branch is a single value. */
function byValue(union: SchemaUnion, node: RawNode): SchemaNode | null {
  const text = node.filled.find(([, value]) => typeof value === 'string')?.[1];
  if (typeof text !== 'string' || !union.branches.every(isSingleValue)) return null;
  return union.branches.find((branch) => means([branch.source['const'] ?? null], text)) ?? null;
}

function isSingleValue(node: SchemaNode): boolean {
  return 'const' in node.source && typeof node.source['const'] !== 'object' && isSimple(node);
}

function means(members: readonly JsonValue[], text: string): boolean {
  const word = booleanOf(text.trim());
  return memberOf(members, text) !== undefined || (word !== undefined && members.includes(word));
}

/**
 * Whether a place takes what was filled in: a list only indexes, an object at least one of the
 * members. Blank fields, which a page sends for every alternative, say nothing.
 */
function takes(location: Location, node: RawNode): boolean {
  const filled = [...(node.members ?? [])].filter(([, member]) => member.isFilled);
  const hasPlace = ([name]: [string, RawNode]): boolean => location.memberOrItem(name) !== null;
  if (filled.length === 0) return true;
  return location.isObject ? filled.some(hasPlace) : filled.every(hasPlace);
}

/** If no branch fits: the one that has a place for most of the names, the first of equals. */
function nearest(union: SchemaUnion, current: Location, node: RawNode): SchemaNode {
  let best = union.branches[0] as SchemaNode;
  let bestCount = -1;
  for (const branch of union.branches) {
    const { wide } = current.alone(branch);
    let count = 0;
    if (node.members === null) {
      const list = node.items !== null;
      count = wide.isArray === list && !wide.isObject ? 1 : 0;
    } else {
      for (const [name, member] of node.members) {
        const place = wide.isArray ? wide.memberOrItem(name) : wide.property(name);
        if (member.isFilled && place !== null) count += 1;
      }
    }
    if (count > bestCount) {
      best = branch;
      bestCount = count;
    }
  }
  return best;
}

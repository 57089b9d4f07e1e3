import { invalidValue, mutabilityError, noTarget } from '../errors/scim-error.js';
import { type BoundFilter } from '../filter/bound-filter.js';
import { isObject, own } from '../json/json-access.js';
import { type JsonValue } from '../json/json.js';
import { memberReferences, MEMBERS_DEFINITION } from '../resource/members.js';
import { type MemberReference } from '../resource/resource.js';
import { groupResourceType } from '../schema/resource-type.js';
import { type PatchOperation } from './patch-request.js';
import { flatOperations, type PatchTarget, resolveTarget } from './patch-target.js';

/**
 * PATCH of a group without loading its members: operations on `members` become changes of rows, so
 * that adding a member costs one row in a group of any size.
 */

export type MemberChange =
  | { kind: 'add'; members: MemberReference[] }
  | { kind: 'remove'; ids: string[] }
  | { kind: 'replaceAll'; members: MemberReference[] }
  | { kind: 'removeAll' }
  /** A condition on the member rows: see `elementFilterToSql` and `matchesElement`. */
  | { kind: 'removeMatching'; filter: BoundFilter };

export interface GroupPatchPlan {
  /** For `applyPatch` on the group without members. */
  attributes: PatchOperation[];
  /** To be executed in this order. */
  members: MemberChange[];
}

/** The net effect of a list of changes that name their members. */
export interface NetMemberChange {
  /** True when all existing members are removed first. */
  reset: boolean;
  add: MemberReference[];
  removeIds: string[];
}

/**
 * Splits the operations on a group into those on its attributes and changes of its members.
 *
 * @throws ScimError 400 mutability for a change of an existing member, 400 noTarget, invalidPath
 *   or invalidValue as `applyPatch` does.
 * @example
 * const { attributes, members } = planGroupPatch(parsePatchRequest(body));
 */
export function planGroupPatch(operations: readonly PatchOperation[]): GroupPatchPlan {
  const plan: GroupPatchPlan = { attributes: [], members: [] };
  for (const operation of operations) {
    const target = operation.path && resolveTarget(operation.path, groupResourceType);
    if (target?.definition === MEMBERS_DEFINITION) {
      plan.members.push(...memberChanges(operation, target));
    } else if (target === undefined || target.ref.wholeResource === true) {
      planObject(operation, plan);
    } else {
      plan.attributes.push(operation);
    }
  }
  return plan;
}

/**
 * Merges changes into rows to delete and rows to insert. An id is in one of the two only.
 *
 * @returns undefined when a change asks for members by a condition: carry out the list in order.
 */
export function netMemberChanges(changes: readonly MemberChange[]): NetMemberChange | undefined {
  let reset = false;
  const add = new Map<string, MemberReference>();
  const remove = new Set<string>();
  for (const change of changes) {
    if (change.kind === 'removeMatching') {
      return undefined;
    }
    if (change.kind === 'removeAll' || change.kind === 'replaceAll') {
      reset = true;
      add.clear();
      remove.clear();
    }
    if (change.kind === 'remove') {
      change.ids.forEach((id) => {
        add.delete(id);
        remove.add(id);
      });
    }
    if (change.kind === 'add' || change.kind === 'replaceAll') {
      change.members.forEach((member) => {
        remove.delete(member.value);
        add.set(member.value, add.get(member.value) ?? member);
      });
    }
  }
  return { reset, add: [...add.values()], removeIds: reset ? [] : [...remove] };
}

function memberChanges(operation: PatchOperation, target: PatchTarget): MemberChange[] {
  const { op, value } = operation;
  const { sub, filter } = target;
  if (sub !== undefined) {
    const isReadOnly = target.subDefinition?.mutability === 'readOnly';
    const rule = isReadOnly ? 'is read-only' : 'cannot be changed once it is set';
    throw mutabilityError(`members.${sub} ${rule}.`);
  }
  if (op === 'remove') {
    return [removal(value, filter?.bound)];
  }
  if (value === undefined) {
    throw invalidValue('The operation on members has no value.');
  }
  if (filter !== undefined) {
    return keyedChange(op, value, filter.bound);
  }
  const members = memberReferences(value === '' ? null : value);
  if (op === 'add') {
    return members.length === 0 ? [] : [{ kind: 'add', members }];
  }
  return [members.length === 0 ? { kind: 'removeAll' } : { kind: 'replaceAll', members }];
}

/** Removes the members from an operation without a path and keeps the rest. */
function planObject(operation: PatchOperation, plan: GroupPatchPlan): void {
  const { op } = operation;
  if (op === 'remove') {
    plan.attributes.push(operation);
    return;
  }
  for (const each of flatOperations(operation, groupResourceType)) {
    const path = each.path!;
    const target = resolveTarget(path, groupResourceType);
    if (target.definition === MEMBERS_DEFINITION) {
      if (target.subDefinition?.mutability === 'readOnly') continue;
      plan.members.push(...memberChanges(each, target));
    } else {
      plan.attributes.push({ op, value: { [path.text]: each.value } });
    }
  }
}

function removal(value: JsonValue | undefined, filter: BoundFilter | undefined): MemberChange {
  if (filter !== undefined) {
    const ids = idsOf(filter);
    return ids === undefined ? { kind: 'removeMatching', filter } : { kind: 'remove', ids };
  }
  return value === undefined || value === null
    ? { kind: 'removeAll' }
    : { kind: 'remove', ids: memberReferences(value).map((member) => member.value) };
}

/** `members[value eq "x"]` with a value: x may be added; a member cannot be renamed. */
function keyedChange(
  op: 'add' | 'replace',
  value: JsonValue | undefined,
  filter: BoundFilter,
): MemberChange[] {
  const ids = idsOf(filter);
  const [id] = ids ?? [];
  if (ids?.length !== 1 || id === undefined) {
    throw noTarget('A path into members must name one member by its value.');
  }
  const given = isObject(value) ? own(value, 'value') : undefined;
  if (given !== undefined && given !== null && given !== id) {
    throw mutabilityError('members.value cannot be changed once it is set.');
  }
  return op === 'add' ? [{ kind: 'add', members: [{ value: id }] }] : [];
}

/** The ids of a filter that consists of `value eq "…"` only, joined with `or`. */
function idsOf(filter: BoundFilter): string[] | undefined {
  if (filter.kind === 'or') {
    const ids = filter.operands.map(idsOf);
    return ids.every((each) => each !== undefined) ? ids.flat() : undefined;
  }
  if (filter.kind !== 'test' || filter.ref.name !== 'value' || filter.test.type !== 'text') {
    return undefined;
  }
  return filter.test.operator === 'eq' ? [filter.test.value] : undefined;
}

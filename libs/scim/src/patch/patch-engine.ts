import {
  invalidPath,
  invalidValue,
  mutabilityError,
  noTarget,
  ScimError,
} from '../errors/scim-error.js';
import {
  findKey,
  isAttributeValue,
  isBlank,
  isObject,
  isUnassigned,
  own,
  sameJson,
  without,
} from '../json/json-access.js';
import { checkNames, cleanJson } from '../json/json-clean.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { type ScimResource } from '../resource/resource.js';
import { isForeignSchema, schemaUrns } from '../resource/schema-urns.js';
import { normalizeValue, singleObject } from '../resource/value-normalizer.js';
import { type ResourceType } from '../schema/resource-type.js';
import { changeUntyped, mergeObject, withSub } from './complex-patch.js';
import { patchElements } from './elements-patch.js';
import { PatchBudget } from './patch-budget.js';
import { parsePatchPath, type PatchPath } from './patch-path.js';
import { type PatchOperation } from './patch-request.js';
import {
  emptyAsUndefined,
  isWritable,
  objectOf,
  withExtension,
  withMember,
} from './patch-rules.js';
import { flatOperations, type PatchTarget, resolveTarget } from './patch-target.js';

/**
 * PATCH of RFC 7644 section 3.5.2 on a canonical resource. Each operation applies to the result of
 * the previous one. The input is never changed, so an error leaves no partial result.
 */

export interface PatchOptions {
  /**
   * When the value path of a replace matches nothing: create the element, as Entra ID expects, or
   * fail with 400 noTarget, as the RFC says. Default false.
   */
  createOnReplace?: boolean;
  /** Shared by the patches of one request; each has its own by default. */
  budget?: PatchBudget;
}

export interface PatchResult {
  /** The input object itself when nothing changed. */
  resource: ScimResource;
  changed: boolean;
}

/** The options for a type of directory, such as `azure-scim-v2`. */
export function patchOptionsOf(directoryType: string): PatchOptions {
  return { createOnReplace: directoryType === 'azure-scim-v2' };
}

/**
 * Applies the operations of a PATCH to a canonical resource.
 *
 * @throws ScimError with the scimType of RFC 7644 section 3.5.2; the input is unchanged then.
 * @example
 * const operations = parsePatchRequest(body);
 * const { resource, changed } = applyPatch(user, operations, userResourceType);
 */
export function applyPatch(
  resource: ScimResource,
  operations: readonly PatchOperation[],
  type: ResourceType,
  options: PatchOptions = {},
): PatchResult {
  const engine = new PatchEngine(type, options);
  const patched = operations.reduce<ScimResource>(
    (current, operation) => engine.apply(current, operation),
    resource,
  );
  const changed = patched !== resource && !sameJson(patched, resource);
  if (changed) checkSize(patched, resource, type);
  return { resource: changed ? patched : resource, changed };
}

class PatchEngine {
  private readonly budget: PatchBudget;
  private readonly createOnReplace: boolean;

  constructor(
    private readonly type: ResourceType,
    { budget = new PatchBudget(), createOnReplace = false }: PatchOptions,
  ) {
    this.budget = budget;
    this.createOnReplace = createOnReplace;
  }

  apply(resource: ScimResource, operation: PatchOperation): ScimResource {
    const { op, path } = operation;
    if (path === undefined) {
      return this.applyObject(resource, operation);
    }
    const target = this.targetOf(resource, path, op === 'remove' ? null : operation.value);
    if (target.ref.wholeResource === true) {
      return this.applyObject(resource, operation);
    }
    if (op !== 'remove' && operation.value === undefined) {
      throw invalidValue(`The operation on ${path.text} has no value.`);
    }
    return this.applyTarget(resource, operation, target, false);
  }

  /** An operation without a path: each name of the object is a path. */
  private applyObject(resource: ScimResource, operation: PatchOperation): ScimResource {
    if (operation.op === 'remove') {
      throw noTarget('A remove operation must have a path.');
    }
    return flatOperations(operation, this.type).reduce((current, each) => {
      const target = this.targetOf(current, each.path!, each.value, isObject(each.value));
      return this.applyTarget(current, each, target, true);
    }, resource);
  }

  /**
   * Only the resource shows where an unknown URN ends: the URN that it has is the extension.
   *
   * @param isExtension the text is the URN of an extension rather than an attribute
   */
  private targetOf(
    resource: ScimResource,
    path: PatchPath,
    value: JsonValue | undefined,
    isExtension = false,
  ): PatchTarget {
    const target = resolveTarget(path, this.type);
    const { text, attribute } = path;
    const { extension, name } = target.ref;
    if (extension === undefined || extension.index !== undefined) {
      return target;
    }
    const { urn, name: last } = attribute;
    const isPresent = findKey(resource, text) !== undefined;
    if (urn !== undefined && last !== undefined && !isPresent) {
      const isValue = path.filter !== undefined || isAttributeValue(value);
      if (isValue || findKey(resource, urn) !== undefined) {
        return name === undefined
          ? { ...target, ref: { extension: { urn }, name: last }, label: text }
          : target;
      }
    }
    return isPresent || isExtension ? { ref: { extension: { urn: text } }, label: text } : target;
  }

  private applyTarget(
    resource: ScimResource,
    operation: PatchOperation,
    target: PatchTarget,
    lenient: boolean,
  ): ScimResource {
    const { ref, definition } = target;
    if (ref.extension !== undefined && isForeignSchema(ref.extension.urn, this.type)) {
      if (lenient) return resource;
      throw invalidPath(`${target.label} belongs to another resource type.`);
    }
    if (ref.name === undefined) {
      return this.applyExtension(resource, operation, target);
    }
    if (definition?.name === 'schemas') {
      return this.applySchemas(resource, operation);
    }
    const urn = ref.extension && (findKey(resource, ref.extension.urn) ?? ref.extension.urn);
    const container = urn === undefined ? resource : objectOf(own(resource, urn));
    this.budget.spend(1 + Object.keys(container).length);
    const key = findKey(container, ref.name) ?? ref.name;
    const current = own(container, key);
    if (!isWritable(operation, target, current, lenient)) {
      return resource;
    }
    const next = this.nextValue(operation, target, current);
    if (sameJson(current, next) || (isUnassigned(current) && isUnassigned(next))) {
      return resource;
    }
    const changed = withMember(container, key, isUnassigned(next) ? undefined : next);
    return urn === undefined ? (changed as ScimResource) : withExtension(resource, urn, changed);
  }

  private nextValue(
    { op, value }: PatchOperation,
    target: PatchTarget,
    current: JsonValue | undefined,
  ): JsonValue | undefined {
    const { definition, sub, subDefinition, label, filter } = target;
    if (definition === undefined) {
      return this.nextUntyped({ op, value }, target, current);
    }
    if (definition.multiValued || filter !== undefined) {
      const next = this.nextElements({ op, value }, target, current);
      return definition.multiValued ? next : next[0];
    }
    if (sub !== undefined) {
      const { budget } = this;
      const edit = { op, budget };
      return emptyAsUndefined(withSub(objectOf(current), sub, subDefinition, value, label, edit));
    }
    if (op === 'remove' || (isBlank(value) && !definition.required)) {
      return undefined;
    }
    if (definition.type === 'complex') {
      const edit = { op, budget: this.budget };
      return emptyAsUndefined(mergeObject(objectOf(current), value!, definition, label, edit));
    }
    const next = normalizeValue(definition, value!, label);
    if (next === undefined && definition.required) {
      throw invalidValue(`${label} is required.`);
    }
    return next;
  }

  private nextElements(
    { op, value }: PatchOperation,
    target: PatchTarget,
    current: JsonValue | undefined,
  ): JsonValue[] {
    const elements = Array.isArray(current) ? current : isUnassigned(current) ? [] : [current];
    const { createOnReplace, budget } = this;
    return patchElements(elements, { op, value, target, createOnReplace, budget });
  }

  /** What no schema describes is multi-valued if it is a list, and complex if it is an object. */
  private nextUntyped(
    operation: PatchOperation,
    target: PatchTarget,
    current: JsonValue | undefined,
  ): JsonValue | undefined {
    const { op, value } = operation;
    const { filter, sub, label } = target;
    const isList = Array.isArray(current);
    const isListed = op === 'remove' && sub === undefined && !isBlank(value);
    if (filter !== undefined || (isList && (sub !== undefined || isListed))) {
      const next = this.nextElements(operation, target, current);
      return isObject(current) && next.length < 2 ? next[0] : next;
    }
    if (sub !== undefined) {
      if (!isObject(current) && !isUnassigned(current)) {
        throw noTarget(`${label} is part of a value without sub-attributes.`);
      }
      const object = objectOf(current);
      const key = findKey(object, sub) ?? sub;
      const next = this.nextUntyped(operation, { ...target, sub: undefined }, own(object, key));
      return emptyAsUndefined(withMember(object, key, isUnassigned(next) ? undefined : next));
    }
    if (op === 'remove') {
      return undefined;
    }
    return changeUntyped(current, value!, label, { op, budget: this.budget });
  }

  private applyExtension(
    resource: ScimResource,
    operation: PatchOperation,
    { ref }: PatchTarget,
  ): ScimResource {
    const { op, value } = operation;
    const { urn, index } = ref.extension!;
    const key = findKey(resource, urn) ?? urn;
    if (op === 'remove' || isUnassigned(value)) {
      return op === 'add' ? resource : withExtension(resource, key, {});
    }
    const object = singleObject(value, urn);
    if (index === undefined) {
      return this.applyUntypedExtension(resource, operation, key, object);
    }
    return Object.entries(object).reduce((current, [name, item]) => {
      if (item === undefined) {
        return current;
      }
      const each = { op, path: parsePatchPath(`${urn}:${name}`), value: item };
      return this.applyTarget(current, each, resolveTarget(each.path, this.type), true);
    }, resource);
  }

  /** Names that are paths are operations of their own. */
  private applyUntypedExtension(
    resource: ScimResource,
    { op }: PatchOperation,
    key: string,
    object: JsonObject,
  ): ScimResource {
    const paths = Object.entries(object).flatMap(([name, item]) => {
      const path = /[.[]/.test(name) ? memberPath(key, name) : undefined;
      return path === undefined || item === undefined ? [] : { name, op, path, value: item };
    });
    const rest = without(object, ...paths.map(({ name }) => name));
    const edit = { op, budget: this.budget };
    const merged = changeUntyped(own(resource, key), rest, key, edit);
    return paths.reduce(
      (current, each) => {
        const target = resolveTarget(each.path, this.type);
        return this.applyTarget(current, each, target, true);
      },
      withExtension(resource, key, objectOf(merged)),
    );
  }

  /** Clients may add URNs; those in use stay. */
  private applySchemas(resource: ScimResource, { op, value }: PatchOperation): ScimResource {
    if (op === 'remove') {
      throw mutabilityError('schemas cannot be removed.');
    }
    const known = new Set(resource.schemas.map((urn) => urn.toLowerCase()));
    const added = schemaUrns(value ?? null, this.type).filter(
      (urn) => !known.has(urn.toLowerCase()),
    );
    return added.length === 0
      ? resource
      : { ...resource, schemas: [...new Set([...resource.schemas, ...added])] };
  }
}

/** The path of an attribute of an extension; undefined when the name is only a name. */
function memberPath(urn: string, name: string): PatchPath | undefined {
  try {
    const path = parsePatchPath(name);
    const text = `${urn}:${name}`;
    return path.attribute.urn === undefined
      ? { ...path, text, attribute: { ...path.attribute, urn } }
      : undefined;
  } catch (error) {
    if (error instanceof ScimError) return undefined;
    throw error;
  }
}

/** The result can be sent back by PUT: it has no more names and levels than a POST may have. */
function checkSize(resource: ScimResource, before: ScimResource, type: ResourceType): void {
  checkNames(resource, `The ${type.name}`);
  for (const [key, value = null] of Object.entries(resource)) {
    const lower = key.toLowerCase();
    if (own(before, key) === value) continue;
    if (type.core.attributes.has(lower) || type.extensionIndex.has(lower)) {
      if (isObject(value)) checkNames(value, key);
    } else {
      cleanJson(value, key, key.includes(':') ? -1 : 0);
    }
  }
}

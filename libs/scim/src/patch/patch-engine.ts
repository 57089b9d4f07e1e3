import { invalidValue, mutabilityError, noTarget } from '../errors/scim-error.js';
import { findKey, isObject, isUnassigned, own, sameJson } from '../json/json-access.js';
import { checkNames, cleanJson } from '../json/json-clean.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { type ScimResource } from '../resource/resource.js';
import { type NormalizeOptions, normalizeOptionsOf } from '../resource/resource-normalizer.js';
import { schemaUrns } from '../resource/schema-urns.js';
import { normalizeValue, unwrapped } from '../resource/value-normalizer.js';
import { type ResourceType } from '../schema/resource-type.js';
import { isBlank, mergeObject, withSub } from './complex-patch.js';
import { patchElements } from './elements-patch.js';
import { PatchBudget } from './patch-budget.js';
import { parsePatchPath } from './patch-path.js';
import { type PatchOperation } from './patch-request.js';
import {
  emptyAsUndefined,
  isUnknownExtension,
  isWritable,
  objectOf,
  unknownValue,
  withExtension,
  withMember,
} from './patch-rules.js';
import { flatOperations, type PatchTarget, resolveTarget } from './patch-target.js';

/**
 * PATCH of RFC 7644 section 3.5.2 on a canonical resource. Each operation applies to the result of
 * the previous one. The input is never changed, so an error leaves no partial result.
 */

export interface PatchOptions extends NormalizeOptions {
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
  const createOnReplace = directoryType === 'azure-scim-v2';
  return { createOnReplace, ...normalizeOptionsOf(directoryType) };
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
  if (changed) checkSize(patched, type);
  return { resource: changed ? patched : resource, changed };
}

class PatchEngine {
  private readonly budget: PatchBudget;
  private readonly createOnReplace: boolean;
  private readonly unwrapsLists: boolean;

  constructor(
    private readonly type: ResourceType,
    { budget = new PatchBudget(), createOnReplace = false, unwrapsLists = false }: PatchOptions,
  ) {
    this.budget = budget;
    this.createOnReplace = createOnReplace;
    this.unwrapsLists = unwrapsLists;
  }

  apply(resource: ScimResource, operation: PatchOperation): ScimResource {
    const { op, path } = operation;
    if (path === undefined) {
      return this.applyObject(resource, operation);
    }
    const target = resolveTarget(path, this.type);
    const { ref } = target;
    if (ref.wholeResource === true) {
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
    return flatOperations(operation, this.type).reduce(
      (current, each) => this.applyTarget(current, each, this.targetOfKey(current, each), true),
      resource,
    );
  }

  /** An object under an unknown URN is an extension. */
  private targetOfKey(resource: ScimResource, { path, value }: PatchOperation): PatchTarget {
    const target = resolveTarget(path!, this.type);
    const { extension, name } = target.ref;
    if (extension === undefined || extension.index !== undefined || name === undefined) {
      return target;
    }
    const text = path!.text;
    const isExtension = isObject(value) || findKey(resource, text) !== undefined;
    return isExtension ? { ref: { extension: { urn: text } }, label: text } : target;
  }

  private applyTarget(
    resource: ScimResource,
    operation: PatchOperation,
    target: PatchTarget,
    lenient: boolean,
  ): ScimResource {
    const { ref, definition } = target;
    if (ref.name === undefined) {
      return this.applyExtension(resource, operation, target);
    }
    if (definition?.name === 'schemas') {
      return this.applySchemas(resource, operation);
    }
    const urn = ref.extension && (findKey(resource, ref.extension.urn) ?? ref.extension.urn);
    if (urn !== undefined && isUnknownExtension(resource, operation, urn, target)) {
      const whole = { ref: { extension: { urn: operation.path!.text } }, label: target.label };
      return this.applyExtension(resource, operation, whole);
    }
    const container = urn === undefined ? resource : objectOf(own(resource, urn));
    this.budget.spend(1 + Object.keys(container).length);
    const key = findKey(container, ref.name) ?? ref.name;
    const current = container[key];
    if (!isWritable(operation, target, current, lenient)) {
      return resource;
    }
    const next = this.nextValue(this.unwrapped(operation, target), target, current);
    if (sameJson(current, next) || (isUnassigned(current) && isUnassigned(next))) {
      return resource;
    }
    const changed = withMember(container, key, isUnassigned(next) ? undefined : next);
    return urn === undefined ? (changed as ScimResource) : withExtension(resource, urn, changed);
  }

  private unwrapped(operation: PatchOperation, target: PatchTarget): PatchOperation {
    const definition = target.sub === undefined ? target.definition : target.subDefinition;
    const { value } = operation;
    if (!this.unwrapsLists || definition === undefined || value === undefined) return operation;
    return { ...operation, value: unwrapped(definition, value) };
  }

  private nextValue(
    { op, value }: PatchOperation,
    target: PatchTarget,
    current: JsonValue | undefined,
  ): JsonValue | undefined {
    const { definition, sub, subDefinition, label, filter } = target;
    const isPlural = definition?.multiValued ?? isUnknownPlural(op, value, target, current);
    if (isPlural || filter !== undefined) {
      const elements = Array.isArray(current) ? current : isUnassigned(current) ? [] : [current];
      const { createOnReplace, budget } = this;
      const next = patchElements(elements, { op, value, target, createOnReplace, budget });
      return isPlural ? next : next[0];
    }
    if (sub !== undefined) {
      const next = op === 'remove' ? undefined : value;
      return emptyAsUndefined(withSub(objectOf(current), sub, subDefinition, next, label));
    }
    if (op === 'remove') {
      return undefined;
    }
    if (definition === undefined) {
      return isBlank(value) ? undefined : unknownValue(op, value!, current, label);
    }
    if (isBlank(value) && !definition.required) {
      return undefined;
    }
    if (definition.type === 'complex') {
      return emptyAsUndefined(mergeObject(objectOf(current), value!, definition, label));
    }
    const next = normalizeValue(definition, value!, label);
    if (next === undefined && definition.required) {
      throw invalidValue(`${label} is required.`);
    }
    return next;
  }

  private applyExtension(
    resource: ScimResource,
    operation: PatchOperation,
    { ref }: PatchTarget,
  ): ScimResource {
    const { op, value } = operation;
    const { urn, index } = ref.extension!;
    const key = findKey(resource, urn) ?? urn;
    if (op === 'remove' || value === null) {
      return op === 'add' ? resource : withExtension(resource, key, {});
    }
    if (!isObject(value)) {
      throw invalidValue(`${urn} must be an object.`);
    }
    if (index === undefined) {
      const added = cleanJson(value, urn) as JsonObject;
      return withExtension(resource, key, { ...objectOf(own(resource, key)), ...added });
    }
    return Object.entries(value).reduce((current, [name, item]) => {
      if (item === undefined) {
        return current;
      }
      const each = { op, path: parsePatchPath(`${urn}:${name}`), value: item };
      return this.applyTarget(current, each, resolveTarget(each.path, this.type), true);
    }, resource);
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

/** Whether an attribute that no schema defines has several values. */
function isUnknownPlural(
  op: PatchOperation['op'],
  value: JsonValue | undefined,
  { filter }: PatchTarget,
  current: JsonValue | undefined,
): boolean {
  return Array.isArray(current) || (op === 'add' && Array.isArray(value)) || filter !== undefined;
}

/** Many small operations must not create more than one resource may have. */
function checkSize(resource: ScimResource, { name }: ResourceType): void {
  checkNames(resource, `The ${name}`);
  for (const [key, value] of Object.entries(resource)) {
    if (isObject(value)) checkNames(value, key);
  }
}

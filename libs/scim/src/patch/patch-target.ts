import { invalidPath, invalidValue, ScimError } from '../errors/scim-error.js';
import { type BoundFilter } from '../filter/bound-filter.js';
import { type Filter } from '../filter/filter-ast.js';
import { bindElementFilter } from '../filter/filter-binder.js';
import { isObject } from '../json/json-access.js';
import { checkNames } from '../json/json-clean.js';
import { type AttributeRef, refName, resolveAttribute } from '../path/attribute-ref.js';
import { type AttributeDefinition } from '../schema/attribute.js';
import { type ResourceType, subAttributesOf } from '../schema/resource-type.js';
import { parsePatchPath, type PatchPath } from './patch-path.js';
import { type PatchOperation } from './patch-request.js';

/** The attribute that the path of an operation addresses. */

export interface PatchTarget {
  ref: AttributeRef;
  /** The path as it was sent, for messages. */
  label: string;
  /** Undefined for an attribute without a schema. */
  definition?: AttributeDefinition;
  sub?: string;
  subDefinition?: AttributeDefinition;
  filter?: { source: Filter; bound: BoundFilter };
}

/**
 * Resolves the path of an operation.
 *
 * @throws ScimError 400 invalidPath when a complex attribute of the schema lacks the
 *   sub-attribute, or brackets stand where there are no elements.
 */
export function resolveTarget(path: PatchPath, type: ResourceType): PatchTarget {
  const ref = resolveAttribute(type, path.attribute);
  const { definition } = ref;
  const sub = path.sub ?? ref.sub;
  const target: PatchTarget = { ref, label: path.text, definition };
  if (sub !== undefined) {
    const subDefinition = definition && subAttributesOf(definition).get(sub.toLowerCase());
    if (definition !== undefined && subDefinition === undefined) {
      throw invalidPath(`The path "${path.text}" names a sub-attribute that does not exist.`);
    }
    target.sub = subDefinition?.name ?? sub;
    target.subDefinition = subDefinition;
  }
  if (path.filter !== undefined) {
    target.filter = bindBrackets(path.filter, definition, path.text);
  }
  return target;
}

/**
 * Splits an operation without a path into one for each name of its object. Names of the base schema
 * may also be nested under its URN.
 *
 * @throws ScimError 400 invalidValue when there is no object, or a name is no attribute
 */
export function flatOperations(operation: PatchOperation, type: ResourceType): PatchOperation[] {
  const isWhole = ({ path }: PatchOperation) =>
    path !== undefined && resolveAttribute(type, path.attribute).wholeResource === true;
  return spreadOperation(operation).flatMap((each) => {
    if (!isWhole(each)) {
      return each;
    }
    const inner = spreadOperation(each);
    if (inner.some(isWhole)) {
      throw invalidValue(`The value nests ${type.schema.id}.`);
    }
    return inner;
  });
}

function bindBrackets(filter: Filter, definition: AttributeDefinition | undefined, text: string) {
  if (definition !== undefined && definition.type !== 'complex') {
    throw invalidPath(`The path "${text}" has brackets after an attribute without sub-attributes.`);
  }
  try {
    const bound = bindElementFilter(filter, definition);
    if (definition !== undefined) {
      checkKnown(bound, text);
    }
    return { source: filter, bound };
  } catch (error) {
    if (error instanceof ScimError && error.scimType === 'invalidFilter') {
      throw invalidPath(`The path "${text}" is not valid: ${error.detail}`);
    }
    throw error;
  }
}

/** The operations of an object without a path: one for each of its keys. */
function spreadOperation({ op, value }: PatchOperation): PatchOperation[] {
  const [object, ...rest] = [value].flat();
  if (!isObject(object) || rest.length > 0) {
    throw invalidValue(`The value of "${op}" without a path must be an object.`);
  }
  checkNames(object, 'The value');
  return Object.entries(object).flatMap(([key, item]) =>
    item === undefined ? [] : { op, path: pathOfKey(key), value: item },
  );
}

function checkKnown(filter: BoundFilter, text: string): void {
  switch (filter.kind) {
    case 'and':
    case 'or':
      filter.operands.forEach((operand) => checkKnown(operand, text));
      return;
    case 'not':
      checkKnown(filter.operand, text);
      return;
    default:
      if (filter.ref.definition === undefined) {
        throw invalidPath(`The path "${text}" asks for ${refName(filter.ref)}, which is unknown.`);
      }
  }
}

function pathOfKey(key: string): PatchPath {
  try {
    return parsePatchPath(key);
  } catch (error) {
    if (error instanceof ScimError) {
      throw invalidValue(`The value has the name "${key.slice(0, 256)}", which is no attribute.`);
    }
    throw error;
  }
}

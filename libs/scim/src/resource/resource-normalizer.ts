import { invalidSyntax, invalidValue } from '../errors/scim-error.js';
import { isObject, isUnassigned } from '../json/json-access.js';
import { checkName, checkNames, cleanJson, NameGuard } from '../json/json-clean.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { parseAttributePath } from '../path/attribute-path.js';
import { extensionOf, isCoreUrn, resolveAttribute } from '../path/attribute-ref.js';
import { type AttributeDefinition } from '../schema/attribute.js';
import { type ResourceType, type SchemaIndex } from '../schema/resource-type.js';
import { type ScimResource } from './resource.js';
import { mergeSchemas, schemaUrns } from './schema-urns.js';
import { normalizeValue, unwrapped } from './value-normalizer.js';

/**
 * Converts the body of a POST or PUT to the canonical form that is stored: RFC 7644 sections 3.3
 * and 3.5.1, with tolerance for what identity providers send.
 */

export interface NormalizeOptions {
  /** Takes a list of one for the value of a singular attribute. Default false. */
  unwrapsLists?: boolean;
}

/** The options for a type of directory, such as `azure-scim-v2`. */
export function normalizeOptionsOf(directoryType: string): NormalizeOptions {
  return { unwrapsLists: directoryType === 'azure-scim-v2' };
}

/**
 * The canonical form of a resource that a client sent.
 *
 * Names are in the schema's spelling, values have its types, read-only attributes and `password`
 * are gone, null and empty lists of known attributes are dropped, `schemas` names what is in use.
 * Unknown attributes and extensions are kept as they came.
 *
 * @throws ScimError 400 invalidSyntax when the body is no object, 400 invalidValue naming the
 *   attribute at fault.
 * @example
 * normalizeResource({ USERNAME: 'mira', active: 'True' }, userResourceType);
 * // { schemas: ['urn:…:User'], userName: 'mira', active: true }
 */
export function normalizeResource(
  body: unknown,
  type: ResourceType,
  options: NormalizeOptions = {},
): ScimResource {
  if (!isObject(body)) {
    throw invalidSyntax('The body must be a JSON object.');
  }
  return new ResourceNormalizer(type, options).normalize(body);
}

class ResourceNormalizer {
  private readonly resource: JsonObject = {};
  private readonly guard: NameGuard;

  constructor(
    private readonly type: ResourceType,
    private readonly options: NormalizeOptions,
  ) {
    this.guard = new NameGuard(`The ${type.name}`);
  }

  normalize(body: JsonObject): ScimResource {
    checkNames(body, `The ${this.type.name}`);
    let sentUrns: string[] = [];
    for (const [name, value] of Object.entries(body)) {
      checkName(name, `The ${this.type.name}`);
      if (value === undefined) {
        continue;
      }
      if (name.toLowerCase() === 'schemas') {
        sentUrns = schemaUrns(value, this.type);
      } else if (name.includes(':')) {
        this.takeUrn(name, value);
      } else {
        this.takeCore(name, value);
      }
    }
    this.checkRequired();
    return { schemas: mergeSchemas(sentUrns, this.resource, this.type), ...this.resource };
  }

  private takeCore(name: string, value: JsonValue): void {
    const definition = this.type.core.attributes.get(name.toLowerCase());
    if (definition === undefined) {
      this.set(name, value === null ? undefined : cleanJson(value, name));
    } else if (isWritable(definition)) {
      this.set(definition.name, this.valueOf(definition, value, definition.name));
    }
  }

  /** A key with a colon is an extension or an attribute with the URN of its schema. */
  private takeUrn(key: string, value: JsonValue): void {
    const { type } = this;
    if (isCoreUrn(key, type)) {
      this.takeCoreObject(key, value);
      return;
    }
    const extension = extensionOf(key, type);
    if (extension.index !== undefined) {
      const attributes = this.extensionValue(extension.index, value);
      const spelledOut = this.resource[extension.urn];
      const hasBoth = isObject(spelledOut) && attributes !== undefined;
      this.set(extension.urn, hasBoth ? { ...spelledOut, ...attributes } : attributes);
      return;
    }
    const path = parseAttributePath(key);
    const ref = path && resolveAttribute(type, path);
    if (ref?.definition === undefined || ref.sub !== undefined) {
      this.set(extension.urn, cleanJson(value, key));
    } else if (ref.extension === undefined) {
      this.takeCore(ref.definition.name, value);
    } else {
      this.takeExtensionAttribute(ref.extension.urn, ref.definition, value);
    }
  }

  private takeCoreObject(key: string, value: JsonValue): void {
    if (!isObject(value)) {
      throw invalidValue(`${key} must be an object.`);
    }
    for (const [name, item] of Object.entries(value)) {
      checkName(name, key);
      if (item !== undefined) {
        this.takeCore(name, item);
      }
    }
  }

  private takeExtensionAttribute(
    urn: string,
    definition: AttributeDefinition,
    value: JsonValue,
  ): void {
    const normal = this.valueOf(definition, value, `${urn}:${definition.name}`);
    const current = this.resource[urn];
    if (normal !== undefined) {
      this.resource[urn] = { ...(isObject(current) ? current : {}), [definition.name]: normal };
    }
  }

  private extensionValue(index: SchemaIndex, value: JsonValue): JsonObject | undefined {
    if (isUnassigned(value)) {
      return undefined;
    }
    const urn = index.schema.id;
    if (!isObject(value)) {
      throw invalidValue(`${urn} must be an object.`);
    }
    checkNames(value, urn);
    const guard = new NameGuard(urn);
    const result: JsonObject = {};
    for (const [name, item] of Object.entries(value)) {
      guard.check(name);
      const definition = index.attributes.get(name.toLowerCase());
      const path = `${urn}:${definition?.name ?? name}`;
      if (item === undefined || (definition !== undefined && !isWritable(definition))) {
        continue;
      }
      const normal =
        definition === undefined ? cleanJson(item, path) : this.valueOf(definition, item, path);
      if (normal !== undefined) {
        result[definition?.name ?? name] = normal;
      }
    }
    return Object.keys(result).length === 0 ? undefined : result;
  }

  private valueOf(
    definition: AttributeDefinition,
    value: JsonValue,
    path: string,
  ): JsonValue | undefined {
    const single = this.options.unwrapsLists === true ? unwrapped(definition, value) : value;
    return normalizeValue(definition, single, path);
  }

  private set(name: string, value: JsonValue | undefined): void {
    this.guard.checkOnce(name);
    if (value !== undefined) {
      this.resource[name] = value;
    }
  }

  private checkRequired(): void {
    for (const { name, required, mutability } of this.type.schema.attributes) {
      if (required && mutability !== 'readOnly' && this.resource[name] === undefined) {
        throw invalidValue(`${name} is required.`);
      }
    }
  }
}

function isWritable({ mutability, returned }: AttributeDefinition): boolean {
  return mutability !== 'readOnly' && returned !== 'never';
}

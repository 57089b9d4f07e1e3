import { invalidSyntax, invalidValue } from '../errors/scim-error.js';
import {
  isAttributeValue,
  isObject,
  isUnassigned,
  keyFinder,
  own,
  ownAnyCase,
} from '../json/json-access.js';
import { checkName, checkNames, NameGuard } from '../json/json-clean.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { parseAttributePath } from '../path/attribute-path.js';
import { extensionOf, type ExtensionRef, isCoreUrn } from '../path/attribute-ref.js';
import { type AttributeDefinition } from '../schema/attribute.js';
import { type AttributeIndex, type ResourceType } from '../schema/resource-type.js';
import { type ScimResource } from './resource.js';
import { isForeignSchema, mergeSchemas, schemaUrns } from './schema-urns.js';
import { mergeUntyped, untypedValue } from './untyped-value.js';
import { normalizeValue, singleObject } from './value-normalizer.js';

/**
 * Converts the body of a POST or PUT to the canonical form that is stored: RFC 7644 sections 3.3
 * and 3.5.1, with tolerance for what identity providers send.
 */

/**
 * The canonical form of a resource that a client sent.
 *
 * Names are in the schema's spelling, values have its types, read-only attributes and `password`
 * are gone, null, empty lists and empty objects are dropped, `schemas` names what is in use. Unknown
 * attributes and extensions are kept.
 *
 * @throws ScimError 400 invalidSyntax when the body is no object, 400 invalidValue naming the
 *   attribute at fault.
 * @example
 * normalizeResource({ USERNAME: 'mira', active: 'True' }, userResourceType);
 * // { schemas: ['urn:…:User'], userName: 'mira', active: true }
 */
export function normalizeResource(body: unknown, type: ResourceType): ScimResource {
  if (!isObject(body)) {
    throw invalidSyntax('The body must be a JSON object.');
  }
  return new ResourceNormalizer(type).normalize(body);
}

/** Where attributes are collected: the resource itself or one of its extensions. */
interface Container {
  values: JsonObject;
  attributes: AttributeIndex | undefined;
  guard: NameGuard;
  label: string;
  /** The URN of the extension, and with a colon in paths. */
  urn: string;
  prefix: string;
}

/** An attribute under a dotted name. */
interface DottedAttribute {
  container: Container;
  name: string;
  sub: string;
  value: JsonValue;
}

class ResourceNormalizer {
  private readonly resource: JsonObject = {};
  private readonly core: Container;
  private readonly extensions = new Map<string, Container>();
  private readonly dotted: DottedAttribute[] = [];
  /** The URNs in `schemas`, in lower case. */
  private listed = new Set<string>();

  constructor(private readonly type: ResourceType) {
    const label = `The ${type.name}`;
    const { attributes } = type.core;
    const guard = new NameGuard(label);
    this.core = { values: this.resource, attributes, guard, label, urn: '', prefix: '' };
  }

  normalize(body: JsonObject): ScimResource {
    checkNames(body, this.core.label);
    const sentUrns = schemaUrns(ownAnyCase(body, 'schemas') ?? null, this.type);
    this.listed = new Set(sentUrns.map((urn) => urn.toLowerCase()));
    for (const [name, value] of Object.entries(body)) {
      checkName(name, this.core.label);
      if (value === undefined || name.toLowerCase() === 'schemas') {
        continue;
      }
      if (name.includes(':')) {
        this.takeUrn(name, value, body);
      } else {
        this.take(this.core, name, value);
      }
    }
    this.takeDotted();
    this.checkRequired();
    return { schemas: mergeSchemas(sentUrns, this.resource, this.type), ...this.resource };
  }

  private take(container: Container, name: string, value: JsonValue): void {
    const definition = container.attributes?.get(name.toLowerCase());
    if (definition === undefined) {
      const { urn, name: base, sub } = parseAttributePath(name) ?? {};
      const isName = base !== undefined && urn === undefined;
      // As in PATCH, an extension without a schema keeps what is only a name.
      if (!isName && container.attributes !== undefined) throw noAttribute(container.label, name);
      if (isName && sub !== undefined) {
        this.dotted.push({ container, name: base, sub, value });
        return;
      }
    }
    if (definition !== undefined && !isWritable(definition)) {
      return;
    }
    const key = definition?.name ?? name;
    container.guard.checkOnce(key);
    this.put(container, key, normalized(definition, value, container.prefix + key));
  }

  private takeAll(container: Container, object: JsonObject): void {
    checkNames(object, container.label);
    for (const [name, value] of Object.entries(object)) {
      checkName(name, container.label);
      if (value !== undefined) {
        this.take(container, name, value);
      }
    }
  }

  /** A key with a colon is an extension or an attribute with the URN of its schema. */
  private takeUrn(key: string, value: JsonValue, body: JsonObject): void {
    const { type } = this;
    if (isCoreUrn(key, type)) {
      this.takeAll(this.core, singleObject(value, key));
      return;
    }
    const extension = extensionOf(key, type);
    const path = parseAttributePath(key);
    const { urn, name, sub } = path ?? {};
    if (isForeignSchema(extension.urn, type) || isForeignSchema(urn ?? '', type)) {
      return;
    }
    const isExtension = this.isExtension(extension);
    if (extension.index === undefined && urn !== undefined && name !== undefined) {
      const isKnown = isCoreUrn(urn, type) || extensionOf(urn, type).index !== undefined;
      const mayBeMember = isAttributeValue(value) || isObject(own(body, urn));
      if (isKnown || (!isExtension && mayBeMember)) {
        const container = isCoreUrn(urn, type) ? this.core : this.containerOf(urn);
        this.take(container, sub === undefined ? name : `${name}.${sub}`, value);
        return;
      }
    }
    if (isUnassigned(value)) {
      return;
    }
    this.core.guard.checkOnce(extension.urn);
    if (!isExtension && isAttributeValue(value)) {
      if (path === undefined) throw noAttribute(this.core.label, key);
      this.put(this.core, key, untypedValue(value, key));
    } else {
      this.takeAll(this.containerOf(extension.urn), singleObject(value, extension.urn));
    }
  }

  private isExtension({ index, urn }: ExtensionRef): boolean {
    return index !== undefined || this.listed.has(urn.toLowerCase());
  }

  /** Dotted names are paths, as in PATCH. */
  private takeDotted(): void {
    const finders = new Map<Container, Map<string, string>>();
    for (const { container, name, sub, value } of this.dotted) {
      const { attributes, guard, prefix, values } = container;
      const keys = finders.get(container) ?? lowerKeys(values);
      finders.set(container, keys);
      const lower = name.toLowerCase();
      const definition = attributes?.get(lower);
      const key = definition?.name ?? keys.get(lower) ?? name;
      keys.set(lower, key);
      guard.checkOnce(`${key}.${sub}`);
      if (definition === undefined || isWritable(definition)) {
        const part = normalized(definition, { [sub]: value }, prefix + key);
        const present = own(values, key);
        checkDisjoint(present, part, container.label, key);
        const whole = part && mergeUntyped('add', present, part, () => undefined);
        this.put(container, key, whole);
      }
    }
  }

  private containerOf(urn: string): Container {
    const extension = extensionOf(urn, this.type);
    const lower = extension.urn.toLowerCase();
    const known = this.extensions.get(lower);
    if (known !== undefined) return known;
    const container = {
      values: {},
      attributes: extension.index?.attributes,
      guard: new NameGuard(extension.urn),
      label: extension.urn,
      urn: extension.urn,
      prefix: `${extension.urn}:`,
    };
    this.extensions.set(lower, container);
    return container;
  }

  private put({ values, urn }: Container, key: string, value: JsonValue | undefined): void {
    if (value === undefined) {
      return;
    }
    values[key] = value;
    if (urn !== '') {
      this.resource[urn] = values;
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

function normalized(
  definition: AttributeDefinition | undefined,
  value: JsonValue,
  path: string,
): JsonValue | undefined {
  // In PATCH a text is one member; in a resource it is a list that cannot be read.
  if (definition?.name === 'members' && typeof value === 'string') {
    throw invalidValue(`${path} must be a list.`);
  }
  if (definition === undefined) {
    return untypedValue(value, path);
  }
  const normal = normalizeValue(definition, value, path);
  // An empty list of members says that there are none; a group without the attribute says nothing.
  const isEmptied = normal === undefined && definition.name === 'members' && Array.isArray(value);
  return isEmptied ? [] : normal;
}

/** Refuses a part that would replace a value, or one of its members, instead of completing it. */
function checkDisjoint(
  present: JsonValue | undefined,
  part: JsonValue | undefined,
  label: string,
  key: string,
): void {
  if (present === undefined || Array.isArray(present) || !isObject(part)) return;
  const members = isObject(present) ? keyFinder(present) : undefined;
  const clash = Object.keys(part).find((name) => !members || members(name) !== undefined);
  if (clash !== undefined) {
    throw invalidValue(`${label} has "${members ? `${key}.${clash}` : key}" more than once.`);
  }
}

/** No path of PATCH and no filter could address the name (RFC 7643 section 2.1). */
function noAttribute(label: string, name: string): Error {
  return invalidValue(`${label} has the name "${name.slice(0, 256)}", which is no attribute.`);
}

function lowerKeys(object: JsonObject): Map<string, string> {
  return new Map(Object.keys(object).map((key) => [key.toLowerCase(), key]));
}

function isWritable({ mutability, returned }: AttributeDefinition): boolean {
  return mutability !== 'readOnly' && returned !== 'never';
}

import { invalidValue } from '../errors/scim-error.js';
import { parseAttributePath } from '../path/attribute-path.js';
import { resolveAttribute } from '../path/attribute-ref.js';
import { type AttributeDefinition } from '../schema/attribute.js';
import { type ResourceType, subAttributesOf } from '../schema/resource-type.js';
import { isObject } from './json-access.js';
import { type JsonObject, type JsonValue } from './resource.js';

/**
 * Which attributes an answer has: RFC 7644 sections 3.4.2.5 and 3.9, with the `returned`
 * characteristic of RFC 7643 section 7.
 */

/** What is selected below one name: all of it, or the sub-attributes in the set (lower-cased). */
type Part = true | Set<string>;

/** Lower-cased names; the attributes of an extension are under `urn`, then `urn:name`. */
type Parts = Map<string, Part>;

export interface AttributeParameters {
  /** A comma-separated text, or a list of names. */
  attributes?: string | string[];
  excludedAttributes?: string | string[];
}

const namesMax = 200;

/** A name may carry a value filter (Entra ID's test suite sends some): it is passed over. */
const valueFilters = /\[[^\]]*\]/g;

function namesOf(source: string | string[] | undefined, parameter: string): string[] {
  const texts = typeof source === 'string' ? [source] : (source ?? []);
  const list = texts.flatMap((text) => text.replaceAll(valueFilters, '').split(','));
  if (list.length > namesMax) {
    throw invalidValue(`${parameter} has more than ${namesMax} names.`);
  }
  return list.map((name) => name.trim()).filter((name) => name !== '');
}

function addPart(parts: Parts, key: string, sub: string | undefined): void {
  const part = parts.get(key);
  if (sub === undefined) {
    parts.set(key, true);
  } else if (part === undefined) {
    parts.set(key, new Set([sub.toLowerCase()]));
  } else if (part !== true) {
    part.add(sub.toLowerCase());
  }
}

/** Names that are no attribute path are passed over, as unknown attributes are. */
function partsOf(names: string[], type: ResourceType): Parts {
  const parts: Parts = new Map();
  for (const text of names) {
    const path = parseAttributePath(text);
    const ref = path && resolveAttribute(type, path);
    if (ref === undefined || ref.wholeResource === true) {
      continue;
    }
    const urn = ref.extension?.urn.toLowerCase();
    if (ref.name === undefined) {
      addPart(parts, urn ?? '', undefined);
    } else if (urn === undefined) {
      addPart(parts, ref.name.toLowerCase(), ref.sub);
    } else {
      addPart(parts, `${urn}:${ref.name.toLowerCase()}`, ref.sub);
    }
  }
  return parts;
}

function pickSubs(value: JsonValue, keep: (name: string) => boolean): JsonValue | undefined {
  if (Array.isArray(value)) {
    const items = value.map((item) => pickSubs(item, keep)).filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  if (!isObject(value)) {
    return undefined;
  }
  const entries = Object.entries(value).filter(([name]) => keep(name.toLowerCase()));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

export class AttributeSelection {
  private constructor(
    private readonly type: ResourceType,
    private readonly mode: 'default' | 'only' | 'without',
    private readonly parts: Parts,
  ) {}

  /**
   * @throws ScimError 400 invalidValue when both parameters are given, or too many names.
   */
  static parse(parameters: AttributeParameters, type: ResourceType): AttributeSelection {
    const only = namesOf(parameters.attributes, 'attributes');
    const without = namesOf(parameters.excludedAttributes, 'excludedAttributes');
    if (only.length > 0 && without.length > 0) {
      throw invalidValue('attributes and excludedAttributes cannot be used together.');
    }
    if (only.length > 0) {
      return new AttributeSelection(type, 'only', partsOf(only, type));
    }
    const mode = without.length > 0 ? 'without' : 'default';
    return new AttributeSelection(type, mode, partsOf(without, type));
  }

  /** Whether an answer can hold the attribute, so that it has to be loaded. */
  includes(name: string): boolean {
    const key = name.toLowerCase();
    const definition = this.type.core.attributes.get(key);
    return this.partOf(key, key, definition) !== false;
  }

  /** The resource with the selected attributes only. */
  apply(resource: JsonObject): JsonObject {
    const result: JsonObject = {};
    for (const [name, value] of Object.entries(resource)) {
      const selected = this.select(name, value);
      if (selected !== undefined) {
        result[name] = selected;
      }
    }
    return result;
  }

  private select(name: string, value: JsonValue | undefined): JsonValue | undefined {
    if (value === undefined) {
      return undefined;
    }
    const key = name.toLowerCase();
    if (key.includes(':') && isObject(value)) {
      return this.selectExtension(key, value);
    }
    return this.selectAttribute(key, key, this.type.core.attributes.get(key), value);
  }

  private selectExtension(urn: string, value: JsonObject): JsonObject | undefined {
    const index = this.type.extensionIndex.get(urn);
    if (this.parts.get(urn) === true) {
      return this.mode === 'only' ? value : undefined;
    }
    const entries = Object.entries(value).flatMap(([name, item]) => {
      const key = name.toLowerCase();
      const definition = index?.attributes.get(key);
      const selected =
        item === undefined
          ? undefined
          : this.selectAttribute(`${urn}:${key}`, key, definition, item);
      return selected === undefined ? [] : [[name, selected] as const];
    });
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }

  private selectAttribute(
    key: string,
    name: string,
    definition: AttributeDefinition | undefined,
    value: JsonValue,
  ): JsonValue | undefined {
    const part = this.partOf(key, name, definition);
    if (typeof part === 'boolean') {
      return part ? value : undefined;
    }
    const always = alwaysReturned(definition);
    return this.mode === 'only'
      ? pickSubs(value, (sub) => part.has(sub) || always(sub))
      : pickSubs(value, (sub) => !part.has(sub) || always(sub));
  }

  /** All of the attribute, none of it, or the sub-attributes that the parameters name. */
  private partOf(
    key: string,
    name: string,
    definition: AttributeDefinition | undefined,
  ): boolean | Set<string> {
    const returned = definition?.returned ?? 'default';
    if (returned === 'always' || returned === 'never' || name === 'schemas') {
      return returned !== 'never';
    }
    const part = this.parts.get(key);
    switch (this.mode) {
      case 'default':
        return returned === 'default';
      case 'only':
        return part ?? false;
      case 'without':
        return part === undefined ? returned === 'default' : part === true ? false : part;
    }
  }
}

function alwaysReturned(definition: AttributeDefinition | undefined): (name: string) => boolean {
  const index = definition && subAttributesOf(definition);
  return (name) => index?.get(name)?.returned === 'always';
}

/** Reads `attributes` and `excludedAttributes` of a request. */
export function parseSelection(
  parameters: AttributeParameters,
  type: ResourceType,
): AttributeSelection {
  return AttributeSelection.parse(parameters, type);
}

/** The resource as the client asked to see it. */
export function selectAttributes(resource: JsonObject, selection: AttributeSelection): JsonObject {
  return selection.apply(resource);
}

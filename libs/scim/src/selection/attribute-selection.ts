import { invalidValue, ScimError } from '../errors/scim-error.js';
import { type BoundFilter, testsIn } from '../filter/bound-filter.js';
import { bindElementFilter } from '../filter/filter-binder.js';
import { matchesElement } from '../filter/filter-evaluator.js';
import { isObject } from '../json/json-access.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { parsePatchPath } from '../patch/patch-path.js';
import { type AttributeRef, resolveAttribute } from '../path/attribute-ref.js';
import { type AttributeDefinition } from '../schema/attribute.js';
import { type ResourceType, subAttributesOf } from '../schema/resource-type.js';
import { splitNames } from './split-names.js';

/**
 * The attributes of a response: RFC 7644 sections 3.4.2.5 and 3.9, with `returned` of RFC 7643
 * section 7. As an extension for the test suite of Entra ID, a name may have a value filter, which
 * selects the matching elements.
 */

/** The selected part of an attribute: all of it, or sub-attributes of all or some elements. */
interface Part {
  whole: boolean;
  /** Lower-cased. */
  subs: Set<string>;
  elements: { filter: BoundFilter; sub: string | undefined }[];
}

/** Lower-case names; attributes of an extension are under `urn` or `urn:name`. */
type Parts = Map<string, Part>;

export interface AttributeParameters {
  /** A comma-separated text, or a list of names. */
  attributes?: string | string[];
  excludedAttributes?: string | string[];
}

const NAMES_MAX = 200;

/** Maximum number of tests in all value filters; they run on every element of every resource. */
const TESTS_MAX = 20;

interface Name {
  ref: AttributeRef;
  /** Lower-cased. */
  sub: string | undefined;
  filter: BoundFilter | undefined;
}

type Pick = (element: JsonObject) => JsonObject | undefined;

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

  /** True when the client named attributes, so that the response must contain them. */
  get isAsked(): boolean {
    return this.mode === 'only';
  }

  /** True when a response can contain the attribute, so that it must be loaded. */
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
    if (this.parts.get(urn)?.whole === true) {
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
    return pickEach(value, (element) => {
      const named = namedIn(part, element);
      if (this.mode === 'only') {
        if (named === 'all') return element;
        return named.size === 0
          ? undefined
          : subsWhere(element, (sub) => named.has(sub) || always(sub));
      }
      return subsWhere(element, (sub) => always(sub) || (named !== 'all' && !named.has(sub)));
    });
  }

  /** True for the whole attribute, false for none of it, else the selected part. */
  private partOf(
    key: string,
    name: string,
    definition: AttributeDefinition | undefined,
  ): boolean | Part {
    const returned = definition?.returned ?? 'default';
    if (returned === 'always' || returned === 'never' || name === 'schemas') {
      return returned !== 'never';
    }
    const part = this.parts.get(key);
    switch (this.mode) {
      case 'default':
        return returned === 'default';
      case 'only':
        return part?.whole === true || (part ?? false);
      case 'without':
        return part === undefined ? returned === 'default' : part.whole ? false : part;
    }
  }
}

/** Reads `attributes` and `excludedAttributes` of a request. */
export function parseSelection(
  parameters: AttributeParameters,
  type: ResourceType,
): AttributeSelection {
  return AttributeSelection.parse(parameters, type);
}

/** The resource with the attributes that the client asked for. */
export function selectAttributes(resource: JsonObject, selection: AttributeSelection): JsonObject {
  return selection.apply(resource);
}

function namesOf(source: string | string[] | undefined, parameter: string): string[] {
  const texts = typeof source === 'string' ? [source] : (source ?? []);
  const names = texts.flatMap(splitNames);
  if (names.length > NAMES_MAX) {
    throw invalidValue(`${parameter} has more than ${NAMES_MAX} names.`);
  }
  return names;
}

function partsOf(names: string[], type: ResourceType): Parts {
  const parts: Parts = new Map();
  let tests = 0;
  for (const { ref, sub, filter } of names.flatMap((name) => nameOf(name, type) ?? [])) {
    for (const key of keysOf(ref, type)) {
      const part = parts.get(key) ?? { whole: false, subs: new Set(), elements: [] };
      parts.set(key, part);
      if (filter !== undefined) {
        tests += testsIn(filter);
        part.elements.push({ filter, sub });
      } else if (sub === undefined) {
        part.whole = true;
      } else {
        part.subs.add(sub);
      }
    }
  }
  if (tests > TESTS_MAX) {
    throw invalidValue(`The names of attributes have more than ${TESTS_MAX} comparisons.`);
  }
  return parts;
}

function alwaysReturned(definition: AttributeDefinition | undefined): (name: string) => boolean {
  const index = definition && subAttributesOf(definition);
  return (name) => index?.get(name)?.returned === 'always';
}

function pickEach(value: JsonValue, pick: Pick): JsonValue | undefined {
  if (Array.isArray(value)) {
    const items: JsonValue[] = value.flatMap((item): JsonObject[] => {
      const picked = isObject(item) ? pick(item) : undefined;
      return picked ? [picked] : [];
    });
    return items.length === 0 ? undefined : items;
  }
  return isObject(value) ? pick(value) : undefined;
}

/** The selected sub-attributes of one element. */
function namedIn({ whole, subs, elements }: Part, element: JsonObject): 'all' | Set<string> {
  const passed = elements.filter(({ filter }) => matchesElement(filter, element));
  if (whole || passed.some(({ sub }) => sub === undefined)) {
    return 'all';
  }
  return new Set([...subs, ...passed.flatMap(({ sub }) => sub ?? [])]);
}

function subsWhere(element: JsonObject, keep: (name: string) => boolean): JsonObject | undefined {
  const entries = Object.entries(element).filter(([name]) => keep(name.toLowerCase()));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Undefined when the text is no attribute path; unknown names are ignored too. */
function nameOf(text: string, type: ResourceType): Name | undefined {
  try {
    const path = parsePatchPath(text);
    const ref = resolveAttribute(type, path.attribute);
    const filter = path.filter && bindElementFilter(path.filter, ref.definition);
    return { ref, sub: (path.sub ?? ref.sub)?.toLowerCase(), filter };
  } catch (error) {
    if (error instanceof ScimError) {
      return undefined;
    }
    throw error;
  }
}

/** The keys that a ref selects; the URN of the base schema selects all of it. */
function keysOf(ref: AttributeRef, type: ResourceType): string[] {
  if (ref.wholeResource === true) {
    return [...type.core.attributes.keys()];
  }
  const urn = ref.extension?.urn.toLowerCase();
  const name = ref.name?.toLowerCase();
  return [name === undefined ? (urn ?? '') : urn === undefined ? name : `${urn}:${name}`];
}

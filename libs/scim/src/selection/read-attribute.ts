import { matchesElement } from '../filter/filter-evaluator.js';
import { isObject, ownAnyCase } from '../json/json-access.js';
import { type JsonObject, type JsonValue } from '../json/json.js';
import { parsePatchPath } from '../patch/patch-path.js';
import { resolveTarget } from '../patch/patch-target.js';
import { attributeValue } from '../path/attribute-ref.js';
import { type ResourceType } from '../schema/resource-type.js';

/**
 * The value at a path: `title`, `name.givenName`, `urn:…:User:department`, `emails[type eq
 * "work"].value`. The first matching element counts. A sub-attribute of a list without brackets is
 * the list of its values.
 *
 * @returns undefined when there is none
 * @throws ScimError 400 invalidPath when the text is no path of the resource type
 * @example
 * readAttribute(user, 'emails[type eq "work"].value', userResourceType); // 'mira@example.com'
 */
export function readAttribute(
  resource: JsonObject,
  path: string,
  type: ResourceType,
): JsonValue | undefined {
  const { ref, filter, sub } = resolveTarget(parsePatchPath(path), type);
  if (ref.wholeResource === true) {
    return resource;
  }
  const value = attributeValue(resource, ref);
  const chosen =
    filter === undefined
      ? value
      : (Array.isArray(value) ? value : [value ?? null]).find((item) =>
          matchesElement(filter.bound, item),
        );
  return sub === undefined ? chosen : subValue(chosen, sub);
}

function subValue(value: JsonValue | undefined, sub: string): JsonValue | undefined {
  if (Array.isArray(value)) {
    const values = value.map((item) => subValue(item, sub)).filter((item) => item !== undefined);
    return values.length === 0 ? undefined : values;
  }
  return isObject(value) ? ownAnyCase(value, sub) : undefined;
}

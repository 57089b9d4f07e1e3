import { invalidSyntax, invalidValue } from '../errors/scim-error.js';
import { ownAnyCase } from '../json/json-access.js';
import { type JsonObject } from '../json/json.js';

/**
 * Checks that `schemas` of a message contains the URN that the endpoint expects. A message without
 * `schemas` is accepted, because some clients leave it out.
 *
 * @throws ScimError 400 when `schemas` names something else.
 */
export function checkMessageSchema(body: JsonObject, urn: string): void {
  const schemas = ownAnyCase(body, 'schemas');
  if (schemas === undefined || schemas === null) {
    return;
  }
  const list = Array.isArray(schemas) ? schemas : [schemas];
  if (!list.every((item) => typeof item === 'string')) {
    throw invalidValue('schemas must be a list of URNs.');
  }
  const wanted = urn.toLowerCase();
  if (list.length > 0 && !list.some((item) => item.toLowerCase() === wanted)) {
    throw invalidSyntax(`schemas must hold ${urn}.`);
  }
}

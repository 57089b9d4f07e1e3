/** Recognizes identity providers by what they send. */
import { isObject } from '@gatehouse/scim';
import { type ScimRequest } from '../scim/protocol/scim.types.js';

export type Provider = 'okta' | 'entra' | 'onelogin' | 'jumpcloud' | 'ping' | 'rippling' | 'google';

const USER_AGENTS: readonly (readonly [RegExp, Provider])[] = [
  [/okta/i, 'okta'],
  [/onelogin/i, 'onelogin'],
  [/jumpcloud/i, 'jumpcloud'],
  [/\bping(one|federate|identity)?\b/i, 'ping'],
  [/rippling/i, 'rippling'],
  [/google/i, 'google'],
  [/\b(azure|entra|microsoft|aad)/i, 'entra'],
];
const ENTRA_FLAGS = ['aadOptscim062020', 'AzureAdScimPatch2017'];
const ENTRA_GROUP = 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group';
const OKTA_ID = /^00u[0-9A-Za-z]{17}$/;
const JUMPCLOUD_ID = /^[0-9a-f]{24}$/;

/** The provider that the user agent names, else the one whose requests look like this one. */
export function recognizeProvider(userAgent: string, request: ScimRequest): Provider | null {
  return providerByName(userAgent) ?? providerByShape(request);
}

function providerByName(userAgent: string): Provider | undefined {
  if (userAgent === '') return undefined;
  return USER_AGENTS.find(([pattern]) => pattern.test(userAgent))?.[1];
}

function providerByShape({ query, body }: ScimRequest): Provider | null {
  if (ENTRA_FLAGS.some((flag) => Object.hasOwn(query, flag))) return 'entra';
  // PingOne writes operators with a capital letter.
  if (matches(/^\w+ Eq "/, query.filter)) return 'ping';
  if (!isObject(body)) return null;
  const { schemas, Operations: operations, externalId } = body;
  if (Array.isArray(schemas) && schemas.includes(ENTRA_GROUP)) return 'entra';
  if (Array.isArray(operations) && operations.some(isEntraOperation)) return 'entra';
  if (typeof externalId !== 'string') return null;
  if (OKTA_ID.test(externalId)) return 'okta';
  return JUMPCLOUD_ID.test(externalId) ? 'jumpcloud' : null;
}

/** Only Entra ID writes the names of operations with a capital letter. */
function isEntraOperation(operation: unknown): boolean {
  return isObject(operation) && matches(/^(Add|Replace|Remove)$/, operation.op);
}

function matches(pattern: RegExp, value: unknown): boolean {
  return typeof value === 'string' && pattern.test(value);
}

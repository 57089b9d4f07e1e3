/** Log entry of a request: attribute names, never values or credentials. */
import { isObject, ownAnyCase } from '@gatehouse/scim';
import { uuidv7 } from '@gatehouse/kit/ids';
import { type ScimRequest } from '../scim/protocol/scim.types.js';
import { REDACTED, withoutFilters } from './redaction.js';
import { type AnsweredRequest, type RequestEntry } from './request-log.types.js';

const FILTER_CHARACTERS_MAX = 1_024;
const TEXT_CHARACTERS_MAX = 512;
const ID_CHARACTERS_MAX = 128;
const ATTRIBUTES_MAX = 50;
const ATTRIBUTE_NAME = /^[$A-Za-z][\w$.:-]{0,127}$/;
/** A text this short is no credential, but may be part of any other. */
const CREDENTIAL_CHARACTERS_MIN = 8;

/** @param at in ISO format */
export function entryOf(answered: AnsweredRequest, at: string): RequestEntry {
  const { access, request, response, status } = answered;
  const clean = cleanerOf(request?.apiSecret ?? '');
  const detail = response?.data?.detail;
  const scimType = response?.data?.scimType;
  const isError = status >= 400;
  return {
    id: uuidv7(),
    directory_id: access.directoryId,
    at,
    token_id: access.tokenId,
    request_id: clean(answered.requestId, ID_CHARACTERS_MAX) ?? '',
    method: answered.method,
    path: clean(answered.path, TEXT_CHARACTERS_MAX) ?? '',
    filter: clean(request && filterOf(request), FILTER_CHARACTERS_MAX),
    status,
    scim_type: isError ? clean(scimType, ID_CHARACTERS_MAX) : null,
    detail: isError ? clean(detail, TEXT_CHARACTERS_MAX) : null,
    duration_ms: Math.round(answered.durationMs * 10) / 10,
    user_agent: clean(answered.userAgent, TEXT_CHARACTERS_MAX),
    // Bodies of unauthorized requests are not read.
    attributes: request && access.isAuthorized ? attributesOf(request).filter(isClean(clean)) : [],
    resource_id: clean(resourceIdOf(answered), ID_CHARACTERS_MAX),
    bodies_sealed: null,
  };
}

/** Names of the attributes that a write sends, in the order sent. */
function attributesOf({ method, target, body }: ScimRequest): string[] {
  if (method === 'GET' || target.kind === 'search' || !isObject(body)) return [];
  const names = new Set<string>();
  const operations = ownAnyCase(body, 'Operations');
  if (!Array.isArray(operations)) addMembers(body, names);
  else for (const operation of operations) addOperation(operation, names);
  return [...names];
}

/** An operation of a PATCH, or of a bulk request. */
function addOperation(operation: unknown, names: Set<string>): void {
  if (!isObject(operation) || names.size >= ATTRIBUTES_MAX) return;
  const path = ownAnyCase(operation, 'path');
  const value = ownAnyCase(operation, 'value');
  const data = ownAnyCase(operation, 'data');
  if (isObject(data)) {
    const operations = ownAnyCase(data, 'Operations');
    if (Array.isArray(operations)) {
      for (const inner of operations) addOperation(inner, names);
    } else addMembers(data, names);
  } else if (typeof path === 'string' && ownAnyCase(operation, 'method') === undefined) {
    addName(withoutFilters(path), names);
  } else if (isObject(value)) addMembers(value, names);
}

function addMembers(resource: Record<string, unknown>, names: Set<string>): void {
  for (const name in resource) {
    if (names.size >= ATTRIBUTES_MAX) return;
    addName(name, names);
  }
}

function addName(name: string, names: Set<string>): void {
  if (name !== 'schemas' && ATTRIBUTE_NAME.test(name)) names.add(name);
}

function filterOf({ query, target, body }: ScimRequest): unknown {
  return (
    query.filter ??
    (target.kind === 'search' && isObject(body) ? ownAnyCase(body, 'filter') : undefined)
  );
}

/** The resource that the request names, or that it created. */
function resourceIdOf({ request, response, status }: AnsweredRequest): unknown {
  if (request?.target.kind === 'resource') return request.target.id;
  return status === 201 ? response?.data?.id : undefined;
}

/** Nearly every text, tested fast. */
const PLAIN = /^[\x20-\x7e]*$/;
/** PostgreSQL stores no NUL, and UTF-8 carries no half of a surrogate pair. */
const UNSTORABLE = /[\0\p{Surrogate}]/gu;

type Cleaner = (text: unknown, charactersMax: number) => string | null;

/** Cuts a text, without the presented credential and what PostgreSQL cannot store. */
function cleanerOf(credential: string): Cleaner {
  return (text, charactersMax) => {
    if (typeof text !== 'string' || text === '') return null;
    const isShown = credential.length >= CREDENTIAL_CHARACTERS_MIN && text.includes(credential);
    const shown = isShown ? text.replaceAll(credential, REDACTED) : text;
    const cut = shown.slice(0, charactersMax);
    return PLAIN.test(cut) ? cut : cut.replace(UNSTORABLE, '\ufffd');
  };
}

const isClean = (clean: Cleaner) => (name: string) => clean(name, ID_CHARACTERS_MAX) === name;

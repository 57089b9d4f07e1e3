import { type JsonObject } from '@gatehouse/form-decoder';
import { InputReader } from '@gatehouse/kit/input';
import { type PageRequest, readPageRequest } from '@gatehouse/kit/paging';
import { bodyReader, requiredId, STRICT } from '../http/json-body.js';
import { isUuid } from '../http/uuid.js';
import { isSchemaId, SCHEMA_VERSION_MAX } from '../schema-id.js';
import { type Identity } from './identity.types.js';

export interface IdentityResponse {
  id: string;
  schema_id: string;
  schema_version: number;
  traits: Record<string, unknown>;
  created_at: string;
  updated_at: string;
}

export interface IdentityListResponse {
  identities: IdentityResponse[];
  next_page_token: string;
}

export function identityResponse(identity: Identity): IdentityResponse {
  return {
    id: identity.id,
    schema_id: identity.schemaId,
    schema_version: identity.schemaVersion,
    traits: identity.traits,
    created_at: identity.createdAt.toISOString(),
    updated_at: identity.updatedAt.toISOString(),
  };
}

/** The filter of a list of identities; `trait` requires `schemaId`. */
export interface IdentityFilter {
  schemaId?: string;
  identifier?: string;
  trait?: { path: string; value: string };
}

export interface NewIdentity {
  /** The id of an identity from another service; a new one by default. */
  id?: string;
  schemaId: string;
  schemaVersion?: number;
  traits: JsonObject;
}

const TRAIT = 'trait.';

export function readIdentityList(query: object): { filter: IdentityFilter; page: PageRequest } {
  const input = InputReader.ofQuery(query);
  const filter: IdentityFilter = {
    schemaId: input.string('schema_id'),
    identifier: input.string('identifier'),
  };
  if (filter.schemaId !== undefined && !isSchemaId(filter.schemaId)) {
    input.addViolation('schema_id', 'is no id of a schema', undefined);
  }
  const names = Object.keys(query).filter((name) => name.startsWith(TRAIT));
  for (const name of names) {
    filter.trait = { path: name.slice(TRAIT.length), value: input.string(name) ?? '' };
    if (filter.schemaId === undefined) {
      input.addViolation('schema_id', `is required with ${name.slice(0, 64)}`, undefined);
    }
  }
  if (names.length + (filter.identifier === undefined ? 0 : 1) > 1) {
    const [name = 'identifier'] = names;
    input.addViolation(name.slice(0, 64), 'must be the only identifier', undefined);
  }
  if (filter.identifier === '') input.addViolation('identifier', 'must not be empty', undefined);
  const page = readPageRequest(input);
  input.throwIfInvalid();
  return { filter, page };
}

export function readNewIdentity(body: unknown): NewIdentity {
  const input = bodyReader(body, STRICT);
  const id = input.string('id');
  if (id !== undefined && !isUuid(id)) input.addViolation('id', 'must be a UUID', undefined);
  const schemaId = requiredId(input, 'schema_id');
  const schemaVersion = input.integer('schema_version', { min: 1, max: SCHEMA_VERSION_MAX });
  const traits = input.object('traits') as JsonObject | undefined;
  if (input.raw('traits') === undefined) {
    input.addViolation('traits', 'is required', undefined);
  }
  input.throwIfInvalid();
  return { id: id?.toLowerCase(), schemaId, schemaVersion, traits: traits ?? {} };
}

export function readPatch(body: unknown): { traits: JsonObject; schemaVersion?: number } {
  const input = bodyReader(body, STRICT);
  const traits = input.object('traits') as JsonObject | undefined;
  const schemaVersion = input.integer('schema_version', { min: 1, max: SCHEMA_VERSION_MAX });
  const sent = ['traits', 'schema_version'].filter((name) => input.isPresent(name));
  if (sent.length === 0) {
    input.addViolation('traits', 'is required, or schema_version', undefined);
  }
  // Null changes nothing, so a client that sends it means something else.
  for (const name of sent.filter((name) => input.raw(name) === undefined)) {
    input.addViolation(name, 'must not be null', undefined);
  }
  input.throwIfInvalid();
  return { traits: traits ?? {}, schemaVersion };
}

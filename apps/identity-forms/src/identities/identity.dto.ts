import { type JsonObject } from '@gatehouse/form-decoder';
import { bodyReader } from '../http/json-body.js';
import { SCHEMA_VERSION_MAX } from '../schemas/schema-id.js';
import { type Identity } from './identity.types.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

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

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

export function readPatch(body: unknown): { traits: JsonObject; schemaVersion?: number } {
  const input = bodyReader(body);
  const traits = input.object('traits') as JsonObject | undefined;
  const schemaVersion = input.integer('schema_version', { min: 1, max: SCHEMA_VERSION_MAX });
  const sent = ['traits', 'schema_version'].filter((name) => input.isPresent(name));
  if (sent.length === 0) {
    input.addViolation('traits', 'is required', undefined);
  }
  // Null changes nothing, so a client that sends it means something else.
  for (const name of sent.filter((name) => input.raw(name) === undefined)) {
    input.addViolation(name, 'must not be null', undefined);
  }
  input.throwIfInvalid();
  return { traits: traits ?? {}, schemaVersion };
}

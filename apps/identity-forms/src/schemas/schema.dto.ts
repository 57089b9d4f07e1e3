import { type JsonValue, type SchemaFault } from '@gatehouse/form-decoder';
import { InputReader } from '@gatehouse/kit/input';
import { bodyReader, STRICT } from '../http/json-body.js';
import { isSchemaId, SCHEMA_VERSION_MAX } from '../schema-id.js';
import { inRequestBody } from './schema.errors.js';
import { type StoredSchema } from './schemas.repository.js';
import { type WrittenSchema } from './schemas.service.js';

const MUST_BE_SCHEMA_ID =
  'must begin with a letter or digit and hold 1 to 128 letters, digits, dots, dashes and underscores';

export interface SchemaResponse {
  id: string;
  version: number;
  current_version: number;
  public: boolean;
  created_at: string;
  schema: JsonValue;
}

export interface WrittenSchemaResponse extends SchemaResponse {
  warnings: SchemaFault[];
}

export interface SchemaListResponse {
  schemas: SchemaResponse[];
  next_page_token: string;
}

export function readSchemaBody(body: unknown): {
  schema: JsonValue;
  isPublic: boolean | undefined;
} {
  const input = bodyReader(body, STRICT);
  const content = readContent(input);
  input.throwIfInvalid();
  return content;
}

export function readRegistration(body: unknown): {
  id: string;
  schema: JsonValue;
  isPublic: boolean;
} {
  const input = bodyReader(body, STRICT);
  const id = input.requiredText('id');
  if (id !== '' && !isSchemaId(id)) input.addViolation('id', MUST_BE_SCHEMA_ID, undefined);
  const { schema, isPublic = false } = readContent(input);
  input.throwIfInvalid();
  return { id, schema, isPublic };
}

/** The schema of a preview. */
export function readPreviewedSchema(body: unknown): JsonValue {
  const input = bodyReader(body, STRICT);
  const schema = readSchema(input);
  input.throwIfInvalid();
  return schema;
}

function readContent(input: InputReader): { schema: JsonValue; isPublic: boolean | undefined } {
  return { schema: readSchema(input), isPublic: input.boolean('public') };
}

function readSchema(input: InputReader): JsonValue {
  if (!input.isPresent('schema')) {
    input.addViolation('schema', 'is required', undefined);
  }
  // Null is refused as a schema, with its place.
  input.nullable(['schema']);
  return (input.raw('schema') ?? null) as JsonValue;
}

/** The `version` of a query. @throws DomainError `invalid_argument` */
export function readVersion(query: Readonly<Record<string, unknown>>): number | undefined {
  const input = InputReader.ofQuery(query);
  const version = input.integer('version', { min: 1, max: SCHEMA_VERSION_MAX });
  input.throwIfInvalid();
  return version;
}

export function writtenSchemaResponse({ stored, warnings }: WrittenSchema): WrittenSchemaResponse {
  return { ...schemaResponse(stored), warnings: warnings.map(inRequestBody) };
}

export function schemaResponse(stored: StoredSchema): SchemaResponse {
  return {
    id: stored.id,
    version: stored.version,
    current_version: stored.currentVersion,
    public: stored.isPublic,
    created_at: stored.createdAt.toISOString(),
    schema: JSON.parse(stored.document) as JsonValue,
  };
}

import { type JsonObject, type JsonValue } from '@gatehouse/form-decoder';
import { invalidField } from '@gatehouse/service-kit';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { booleanMember, objectBody, textMember } from '../http/json-body.js';
import { isSchemaId, SCHEMA_ID } from './schema-id.js';
import { type StoredSchema } from './schemas.repository.js';

export class PutSchemaRequest {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'JSON Schema, draft-07, with an object at properties.traits.',
  })
  schema: JsonValue;

  @ApiPropertyOptional({
    description: 'Whether anybody may start a sign-up with it at /sign-up?schema=<id>.',
  })
  public?: boolean;
}

export class RegisterSchemaRequest extends PutSchemaRequest {
  @ApiProperty({ pattern: SCHEMA_ID.source, example: 'customer' })
  id: string;
}

export class SchemaResponse {
  @ApiProperty() id: string;
  @ApiProperty({ type: 'integer', description: 'The version that this answer shows.' })
  version: number;
  @ApiProperty({ type: 'integer', description: 'The version that counts when none is named.' })
  current_version: number;
  @ApiProperty() public: boolean;
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ type: 'object', additionalProperties: true }) schema: JsonValue;
}

export class SchemaListResponse {
  @ApiProperty({ type: [SchemaResponse] }) schemas: SchemaResponse[];
  @ApiProperty({ description: 'Empty on the last page.' }) next_page_token: string;
}

function readSchemaId(id: string | undefined): string {
  if (id === undefined) throw invalidField('id', 'is missing');
  if (!isSchemaId(id)) {
    throw invalidField(
      'id',
      'must begin with a letter or digit and hold 1 to 128 letters, digits, dots, dashes and underscores',
    );
  }
  return id;
}

export function readSchemaBody(body: unknown): {
  members: JsonObject;
  schema: JsonValue;
  isPublic: boolean | undefined;
} {
  const members = objectBody(body);
  const schema = members.schema;
  if (schema === undefined) throw invalidField('schema', 'is missing');
  return { members, schema, isPublic: booleanMember(members, 'public') };
}

export function readRegistration(body: unknown): {
  id: string;
  schema: JsonValue;
  isPublic: boolean;
} {
  const { members, schema, isPublic } = readSchemaBody(body);
  return { id: readSchemaId(textMember(members, 'id')), schema, isPublic: isPublic ?? false };
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

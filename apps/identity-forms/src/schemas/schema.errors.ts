import { type SchemaFault } from '@gatehouse/form-decoder';
import { DomainError } from '@gatehouse/service-kit';
import { InvalidValuesError } from '../http/problem.js';
import { isSchemaId } from './schema-id.js';

export function schemaNotFound(id: string, version?: number): DomainError {
  // A malformed id is not echoed.
  if (!isSchemaId(id)) return new DomainError('not_found', 'SCHEMA_NOT_FOUND', 'No such schema.');
  const which = version === undefined ? `Schema "${id}"` : `Version ${version} of schema "${id}"`;
  return new DomainError('not_found', 'SCHEMA_NOT_FOUND', `${which} does not exist.`);
}

export function schemaExists(id: string): DomainError {
  return new DomainError(
    'already_exists',
    'SCHEMA_EXISTS',
    `Schema "${id}" exists already. PUT /v1/schemas/${id} adds a version to it.`,
  );
}

/** A schema that cannot be used. The pointers refer to the request body. */
export function schemaRefused(faults: readonly SchemaFault[]): InvalidValuesError {
  return new InvalidValuesError(
    'SCHEMA_REFUSED',
    'The schema cannot be used. Each entry of "errors" says where and why.',
    faults.map(({ pointer, code, message }) => ({ pointer: `/schema${pointer}`, code, message })),
  );
}

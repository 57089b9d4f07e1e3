import { type SchemaFault } from '@gatehouse/form-decoder';
import { DomainError } from '@gatehouse/kit/errors';
import { FormsErrors } from '../errors.js';
import { InvalidValuesError } from '../http/problem.js';
import { isSchemaId } from '../schema-id.js';

export function schemaNotFound(id: string, version?: number): DomainError {
  // A malformed id is not echoed.
  if (!isSchemaId(id)) return new DomainError(FormsErrors.SCHEMA_NOT_FOUND);
  const which = version === undefined ? `Schema "${id}"` : `Version ${version} of schema "${id}"`;
  return new DomainError(FormsErrors.SCHEMA_NOT_FOUND, { message: `${which} does not exist.` });
}

export function schemaExists(id: string): DomainError {
  return new DomainError(FormsErrors.SCHEMA_EXISTS, {
    message: `Schema "${id}" exists already. PUT /v1/schemas/${id} adds a version to it.`,
  });
}

/** A schema that cannot be used. */
export function schemaRefused(faults: readonly SchemaFault[]): InvalidValuesError {
  return new InvalidValuesError(FormsErrors.SCHEMA_REFUSED, faults.map(inRequestBody));
}

/** A fault whose pointer refers to the request body. */
export function inRequestBody({ pointer, code, message }: SchemaFault): SchemaFault {
  return { pointer: `/schema${pointer}`, code, message };
}

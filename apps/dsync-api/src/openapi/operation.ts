/** Parts that all operations of the management API share. */
import {
  type Answer,
  type Operation,
  object,
  optionalParameters,
  type Schema,
  schemaRef,
} from '@gatehouse/nest-kit/openapi';

/** Without `errors`: an operation of SCIM, whose errors are not described one by one. */
export interface DsyncOperation extends Operation {
  tag:
    | 'Directories'
    | 'SCIM tokens'
    | 'Users and groups'
    | 'Events'
    | 'Webhooks'
    | 'Workspaces'
    | 'Setup links'
    | 'Audit'
    | 'SCIM'
    | 'SCIM Users'
    | 'SCIM Groups'
    | 'SCIM discovery';
}

export const NULL: Schema = { type: 'object', nullable: true, enum: [null] };

export const PAGE_QUERY = optionalParameters('query', {
  pageLimit: { type: 'number' },
  pageOffset: { type: 'number' },
});

export function envelope(data: Schema, error: Schema): Schema {
  return object({ data, error }, ['data', 'error']);
}

/** The answer `{data, error: null}`. */
export function done(data: string | Schema, status = 200): Answer & { status: number } {
  const schema = typeof data === 'string' ? schemaRef(data) : data;
  return { status, description: 'Done.', schema: envelope(schema, NULL) };
}

/** Parts that all operations of the management API share. */
import {
  type Answer,
  arrayOf,
  type Operation,
  object,
  optionalParameters,
  type Schema,
  schemaRef,
  integer,
  orNull,
} from '@gatehouse/nest-kit/openapi';

/** Without `errors`: an operation of SCIM, whose errors are not described one by one. */
export interface DsyncOperation extends Operation {
  tag:
    | 'Directories'
    | 'SCIM tokens'
    | 'Key links'
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

export const PAGE_QUERY = optionalParameters('query', {
  pageLimit: integer('At most 1000.', { minimum: 1 }),
  pageOffset: integer(),
});

export function envelope(data: Schema, error: Schema): Schema {
  return object({ data, error }, ['data', 'error']);
}

/** The header of a page that is not the last. */
const NEXT_PAGE = { Link: 'The next page, as rel="next".' };

/** The answer with a list, or with a page of one. */
export function listOf(name: string): Answer & { status: number } {
  return { ...done(arrayOf(schemaRef(name))), headers: NEXT_PAGE };
}

/** The answer `{data, error: null}`. */
export function done(data: string | Schema, status = 200): Answer & { status: number } {
  const schema = typeof data === 'string' ? schemaRef(data) : data;
  return { status, description: 'Done.', schema: envelope(schema, orNull(schemaRef('Fault'))) };
}

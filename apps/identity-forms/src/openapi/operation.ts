/** Parts that all operations of the forms service share. */
import {
  type Content,
  integer,
  type NativeOperation,
  type Operation,
  optionalParameters,
  text,
  pageSize,
} from '@gatehouse/nest-kit/openapi';

export interface FormsOperation extends Operation {
  tag: 'Schemas' | 'Identities' | 'Flows' | 'Decoding' | 'Pages' | 'Events' | 'Webhooks' | 'Audit';
  errors: readonly number[];
  /** Whether browsers get a page instead of a problem document. */
  hasPages?: boolean;
}

export type NativeFormsOperation = NativeOperation<FormsOperation>;

export const PAGE: Content = { 'text/html': { schema: { type: 'string' } } };

export const PAGE_QUERY = optionalParameters('query', {
  page_token: {},
  page_size: pageSize(1000),
});

export const VERSION_QUERY = optionalParameters('query', {
  version: integer(undefined, { minimum: 1 }),
});

export const IF_NONE_MATCH = optionalParameters('header', {
  'If-None-Match': text('ETags of versions that the client has.'),
});
/** Headers of answers. */
export const LOCATION = { Location: 'Where it is.' };
export const ETAG = { ETag: 'The version of what is sent.' };
export const NOT_MODIFIED = { 304: { description: 'The client has it already.', headers: ETAG } };

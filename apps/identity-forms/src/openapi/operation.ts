/** Parts that all operations of the forms service share. */
import {
  type Content,
  integer,
  type NativeOperation,
  type Operation,
  optionalParameters,
} from '@gatehouse/nest-kit/openapi';

export interface FormsOperation extends Operation {
  tag: 'Schemas' | 'Identities' | 'Flows' | 'Decoding' | 'Pages' | 'Events' | 'Webhooks' | 'Audit';
  errors: readonly number[];
  /** Whether browsers get a page instead of a problem document. */
  hasPages?: boolean;
}

export type NativeFormsOperation = NativeOperation<FormsOperation>;

export const PAGE: Content = { 'text/html': { schema: { type: 'string' } } };

/** Parameters of lists. They have no type. */
export const PAGE_QUERY = optionalParameters('query', { page_token: {}, page_size: integer() });

export const VERSION_QUERY = optionalParameters('query', { version: integer() });

export const NOT_MODIFIED = { 304: { description: 'The client has it already.' } };

import { type DecodeOptions } from '@gatehouse/form-decoder';
import { invalidField } from '@gatehouse/service-kit';
import { positiveInteger, queryText } from '../http/json-body.js';

/** How a submission is to be decoded; the options of the decode endpoint and of `forms.decode`. */
export interface DecodeRequestOptions extends DecodeOptions {
  version?: number;
  /** Whether a value that does not fit the schema is an error. */
  validate: boolean;
  /** Identity whose stored traits lie under the decoded ones. */
  merge?: string;
}

export const DEFAULT_DECODE_OPTIONS: DecodeRequestOptions = { validate: true };

/** Names in the query that are options and no fields. */
export const OPTION_NAMES: ReadonlySet<string> = new Set([
  'version',
  'validate',
  'useDefaults',
  'emptyNullable',
  'merge',
]);

/** @throws DomainError `invalid_argument` naming the option */
export function readDecodeOptions(query: Readonly<Record<string, unknown>>): DecodeRequestOptions {
  const emptyNullable = queryText(query, 'emptyNullable');
  if (emptyNullable !== undefined && emptyNullable !== 'null' && emptyNullable !== 'missing') {
    throw invalidField('emptyNullable', 'must be "null" or "missing"');
  }
  return {
    version: positiveInteger('version', queryText(query, 'version')),
    validate: flag(query, 'validate') ?? true,
    useDefaults: flag(query, 'useDefaults') ?? false,
    emptyNullable,
    merge: queryText(query, 'merge'),
  };
}

function flag(query: Readonly<Record<string, unknown>>, name: string): boolean | undefined {
  const text = queryText(query, name);
  if (text === undefined) return undefined;
  if (text === 'true' || text === '') return true;
  if (text === 'false') return false;
  throw invalidField(name, 'must be "true" or "false"');
}

import { type DecodeOptions } from '@gatehouse/form-decoder';
import { type InputOptions, InputReader } from '@gatehouse/kit/input';
import { SCHEMA_VERSION_MAX } from '../schema-id.js';

/** Options of the decode endpoint and of `forms.decode`. */
export interface DecodeRequestOptions extends DecodeOptions {
  version?: number;
  /** Whether values that do not fit the schema are errors. */
  validate: boolean;
  /** The identity whose stored traits are merged under the decoded ones. */
  merge?: string;
}

export const DEFAULT_DECODE_OPTIONS: DecodeRequestOptions = { validate: true };

/** Names in the query that are options, not fields. */
export const OPTION_NAMES: ReadonlySet<string> = new Set([
  'version',
  'validate',
  'useDefaults',
  'emptyNullable',
  'merge',
]);

/** @throws DomainError `invalid_argument` naming the options at fault */
export function readDecodeOptions(
  query: Readonly<Record<string, unknown>>,
  reading: InputOptions = {},
): DecodeRequestOptions {
  const input = InputReader.ofQuery(query, reading);
  // A name without a value means true, as in `?validate`.
  const flag = (name: string) => (query[name] === '' ? true : input.boolean(name));
  const options = {
    version: input.integer('version', { min: 1, max: SCHEMA_VERSION_MAX }),
    validate: flag('validate') ?? true,
    useDefaults: flag('useDefaults') ?? false,
    emptyNullable: input.oneOf('emptyNullable', ['null', 'missing']),
    merge: input.string('merge'),
  };
  input.throwIfInvalid();
  return options;
}

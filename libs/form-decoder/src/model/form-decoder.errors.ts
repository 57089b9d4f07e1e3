import { type JsonValue, type SchemaFault } from './form-decoder.types.js';

/** The whole form cannot be read; `status` is the HTTP status to answer with. */
export class FormError extends Error {
  constructor(
    /** `limit.fields`, `limit.name`, `limit.value`, `limit.depth`, `encoding`, `json`, … */
    readonly code: string,
    readonly status: 400 | 413,
    message: string,
    readonly params: Record<string, JsonValue> = {},
  ) {
    super(message);
    this.name = 'FormError';
  }
}

/** A schema that cannot become a plan. */
export class SchemaError extends Error {
  constructor(readonly faults: readonly SchemaFault[]) {
    super(faults.map((fault) => `${fault.pointer || '/'}: ${fault.message}`).join('; '));
    this.name = 'SchemaError';
  }
}

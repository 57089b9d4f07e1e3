export { type ApiDialect, completeDocument } from './document.js';
export { type ApiDescription } from './description.routes.js';
export { type Examples } from './example.js';
export { KnownInputGuard } from './known-input.guard.js';
export { RequiredBodyGuard } from './required-body.guard.js';
export {
  type Answer,
  type Content,
  Describe,
  type NativeOperation,
  type Operation,
  commonErrors,
  contentOf,
  errorResponses,
  optionalParameters,
  parameter,
  Undescribed,
} from './operation.js';
export {
  type Schema,
  type Schemas,
  NULL,
  arrayOf,
  enumOf,
  flag,
  integer,
  mapOf,
  number,
  object,
  orNull,
  pageSize,
  record,
  schemaRef,
  text,
  time,
} from './schema.js';

import { type FormLimits, type SchemaLimits } from './form-decoder.types.js';

export const DEFAULT_FORM_LIMITS: Readonly<FormLimits> = Object.freeze({
  fieldsMax: 1000,
  nameBytesMax: 512,
  valueBytesMax: 64 * 1024,
  depthMax: 16,
  rowsMax: 1000,
});

export const DEFAULT_SCHEMA_LIMITS: Readonly<SchemaLimits> = Object.freeze({
  schemaBytesMax: 256 * 1024,
  schemaDepthMax: 64,
  propertiesMax: 2000,
});

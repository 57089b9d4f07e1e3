import { type CompileOptions } from '@gatehouse/form-decoder';
import { type IdentityFormsConfig } from '../config.js';

/** The configured limits in the form that the decoder takes. */
export function schemaLimits(config: IdentityFormsConfig): NonNullable<CompileOptions['limits']> {
  return {
    fieldsMax: config.formFieldsMax,
    nameBytesMax: config.fieldNameBytesMax,
    valueBytesMax: config.fieldValueBytesMax,
    depthMax: config.formDepthMax,
    schemaBytesMax: config.schemaBytesMax,
    schemaDepthMax: config.schemaDepthMax,
    propertiesMax: config.schemaPropertiesMax,
  };
}

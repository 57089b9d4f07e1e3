import { type JsonObject } from '@gatehouse/form-decoder';

/** The schema of a group, by the properties of its traits. */
export interface FormSchema {
  traits?: JsonObject;
  required?: string[];
}

export function schemaOf({ traits = {}, required = [] }: FormSchema): JsonObject {
  return {
    type: 'object',
    properties: { traits: { type: 'object', properties: traits, required } },
  };
}

/** `forms.decode`: one form and the options of the decode route. */
import { ANY_OBJECT, exactObject, type JsonSchema, TEXT, TEXTS } from './json-schema.js';

/** Exactly one of `form`, `fields` and `json` is read, in this order. */
export interface DecodeFormRequest {
  schema_id: string;
  version?: number | string;
  validate?: boolean | string;
  useDefaults?: boolean | string;
  emptyNullable?: 'null' | 'missing';
  /** In the format of Accept-Language. */
  language?: string;
  request_id?: string;
  /** Urlencoded text. */
  form?: string;
  fields?: readonly (readonly [name: string, value: string])[];
  /** The form as JSON. */
  json?: unknown;
}

export interface DecodedForm {
  traits: unknown;
  /** Names of fields that the schema does not know. */
  ignored: string[];
}

/** One fault of a submitted value or of a schema. */
export interface ProblemDetail {
  /** JSON pointer (RFC 6901) to the value. */
  pointer: string;
  /** The form field's name, where there is one. */
  name?: string;
  code: string;
  /** The number that Kratos gives this message, where it has one. */
  id?: number;
  message: string;
  params?: Readonly<Record<string, unknown>>;
}

/** The members of a problem document (RFC 9457). */
export interface ProblemDocument {
  type: string;
  title?: string;
  status: number;
  detail?: string;
  code?: string;
  params?: Readonly<Record<string, unknown>>;
  errors?: readonly ProblemDetail[];
  /** As far as the form was understood, as is `ignored`. */
  traits?: unknown;
  ignored?: string[];
  request_id: string;
}

export type DecodeFormReply = DecodedForm | ProblemDocument;

const FLAG: JsonSchema = { type: ['boolean', 'string'] };

export const DECODE_FORM_REQUEST: JsonSchema = {
  ...exactObject(
    { schema_id: TEXT },
    {
      version: { type: ['integer', 'string'] },
      validate: FLAG,
      useDefaults: FLAG,
      emptyNullable: { enum: ['null', 'missing'] },
      language: TEXT,
      request_id: TEXT,
      form: TEXT,
      fields: {
        type: 'array',
        items: { type: 'array', items: TEXT, minItems: 2, maxItems: 2 },
      },
      json: {},
    },
  ),
  anyOf: [{ required: ['form'] }, { required: ['fields'] }, { required: ['json'] }],
};

const PROBLEM_DETAIL = exactObject(
  { pointer: TEXT, code: TEXT, message: TEXT },
  { name: TEXT, id: { type: 'integer' }, params: ANY_OBJECT },
);

export const DECODE_FORM_REPLY: JsonSchema = {
  anyOf: [
    exactObject({ traits: {}, ignored: TEXTS }),
    exactObject(
      { type: TEXT, status: { type: 'integer', minimum: 400, maximum: 599 }, request_id: TEXT },
      {
        title: TEXT,
        detail: TEXT,
        code: TEXT,
        params: ANY_OBJECT,
        errors: { type: 'array', items: PROBLEM_DETAIL },
        traits: {},
        ignored: TEXTS,
      },
    ),
  ],
};

import {
  compileSchema,
  FormError,
  type Decoded,
  type DecodeOptions,
  type FormLimits,
  type FormPlan,
  type JsonObject,
  type JsonValue,
  parseJson,
  parseUrlencoded,
  SchemaError,
} from '@gatehouse/form-decoder';
import { type CaseGroup, groupTitle, readCases } from '../case-files.js';

interface Group extends CaseGroup {
  traits?: JsonObject;
  required?: string[];
  closed?: boolean;
  schema?: JsonObject;
  root?: 'document';
  names?: 'full';
  limits?: Partial<FormLimits>;
  options?: DecodeOptions;
  decode?: Record<string, JsonObject>;
  ignored?: Record<string, string[]>;
  refuse?: Record<string, string[]>;
  kept?: Record<string, JsonObject>;
  json?: Record<string, JsonObject | string[]>;
}

interface Outcome {
  value?: JsonValue | undefined;
  ignored?: string[];
  /** `pointer code`, or the code that refused the schema or the whole form. */
  errors: string[];
}

for (const group of readCases<Group[]>('forms/decode.yaml')) {
  describe(groupTitle(group), () => {
    const { decode = {}, ignored = {}, refuse = {}, kept = {}, json = {} } = group;

    for (const [body, value] of Object.entries(decode)) {
      it(`decodes ${body}`, () => {
        const outcome = outcomeOf(group, body);
        expect(outcome).toEqual({ value, ignored: outcome.ignored, errors: [] });
      });
    }

    for (const [body, names] of Object.entries(ignored)) {
      it(`ignores ${names.join(', ')} in ${body}`, () => {
        expect(outcomeOf(group, body)).toMatchObject({ ignored: names, errors: [] });
      });
    }

    for (const [body, errors] of Object.entries(refuse)) {
      it(`refuses ${body}`, () => {
        expect(outcomeOf(group, body).errors).toEqual(errors);
      });
    }

    for (const [body, value] of Object.entries(kept)) {
      it(`keeps what was typed in ${body}`, () => {
        expect(outcomeOf(group, body).value).toEqual(value);
      });
    }

    for (const [text, expected] of Object.entries(json)) {
      it(`reads ${text}`, () => {
        const outcome = outcomeOf(group, text, true);
        if (Array.isArray(expected)) expect(outcome.errors).toEqual(expected);
        else expect(outcome).toEqual({ value: expected, ignored: outcome.ignored, errors: [] });
      });
    }
  });
}

function outcomeOf(group: Group, body: string, isJson = false): Outcome {
  try {
    const { root = 'traits', limits = {} } = group;
    const plan = compileSchema(group.schema ?? schemaOf(group), { root, limits });
    const decoded = isJson
      ? plan.decodeJson(parseJson(body, { duplicates: 'last' }), group.options)
      : plan.decode(parseUrlencoded(bodyOf(group, body), plan.limits), group.options);
    return outcomeIn(plan, decoded, root);
  } catch (error) {
    if (error instanceof SchemaError) return { errors: error.faults.map(({ code }) => code) };
    if (error instanceof FormError) return { errors: [error.code] };
    throw error;
  }
}

function outcomeIn(plan: FormPlan, decoded: Decoded, root: 'traits' | 'document'): Outcome {
  const value = JSON.parse(JSON.stringify(decoded.value)) as JsonObject;
  return {
    value: root === 'traits' ? value['traits'] : value,
    ignored: decoded.ignored,
    errors: plan.errors(decoded).map(({ pointer, code }) => `${pointer} ${code}`),
  };
}

function schemaOf({ traits = {}, required = [], closed = false }: Group): JsonObject {
  const object = { type: 'object', properties: traits, required };
  return { properties: { traits: closed ? { ...object, additionalProperties: false } : object } };
}

/** The body with `traits.` before each name, unless the names are full ones. */
function bodyOf({ names }: Group, body: string): string {
  return names === 'full' ? body : body.replace(/(^|&)(?=[^&])/g, '$1traits.');
}

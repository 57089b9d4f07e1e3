import { type JsonValue } from '../model/form-decoder.types.js';

export type MessageParams = Readonly<Record<string, JsonValue>>;

/** The message of an error, from the label of its field and its parameters. */
export type Message = (field: string, params: MessageParams) => string;

/** Every code has a message in every language; the type enforces it. */
export type Catalog = Readonly<Record<MessageCode, Message>>;

/** Message ids of Kratos (its `text` package); 4000001 is its "anything else". */
export const MESSAGE_IDS = {
  required: 4000002,
  minLength: 4000003,
  pattern: 4000004,
  'identifier.taken': 4000007,
  maxLength: 4000017,
  minimum: 4000018,
  exclusiveMinimum: 4000019,
  maximum: 4000020,
  exclusiveMaximum: 4000021,
  multipleOf: 4000022,
  maxItems: 4000023,
  minItems: 4000024,
  uniqueItems: 4000025,
  type: 4000026,
  'number.precision': 4000026,
  const: 4000029,
  'format.email': 4000040,
  'format.tel': 4000041,
  'format.date': 4000001,
  'format.date-time': 4000001,
  'format.time': 4000001,
  'format.uri': 4000001,
  format: 4000001,
  enum: 4000001,
  oneOf: 4000001,
  anyOf: 4000001,
  not: 4000001,
  contains: 4000001,
  additionalProperties: 4000001,
  propertyNames: 4000001,
  minProperties: 4000001,
  maxProperties: 4000001,
  'field.conflict': 4000001,
  'field.index': 4000001,
  json: 4000001,
  'json.duplicate': 4000001,
  'json.reserved': 4000001,
  'limit.depth': 4000001,
  'limit.rows': 4000001,
  'limit.fields': 4000001,
  'limit.name': 4000001,
  'limit.value': 4000001,
  'limit.work': 4000001,
  'text.control': 4000001,
  invalid: 4000001,
} as const;

export type MessageCode = keyof typeof MESSAGE_IDS;

/** The most entries of a list to name in a message. */
const NAMED_MAX = 20;

/** A parameter as it stands in a sentence. */
export function param(params: MessageParams, name: string): string {
  const value = params[name];
  if (Array.isArray(value)) {
    const named = value.slice(0, NAMED_MAX).map(plain).join(', ');
    return value.length > NAMED_MAX ? `${named}, …` : named;
  }
  return value === undefined ? '' : plain(value);
}

function plain(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `3 characters`, `1 character`. */
export function counted(params: MessageParams, name: string, one: string, many: string): string {
  return `${param(params, name)} ${params[name] === 1 ? one : many}`;
}

/** The words for the types that a value should have. */
export function typeWords(
  params: MessageParams,
  words: Readonly<Record<string, string>>,
  or: string,
): string {
  const types = Array.isArray(params['types']) ? params['types'] : [];
  const named = types
    .filter((type) => type !== 'null' || types.length === 1)
    .map((type) => (typeof type === 'string' ? (words[type] ?? type) : ''));
  const last = named.pop() ?? '';
  return named.length === 0 ? last : `${named.join(', ')} ${or} ${last}`;
}

/**
 * What goes in and out of the form decoder. Everything here is plain data: a value of these types
 * can be sent to another process as JSON.
 */

/** One name and one value as a form sends them, in the order of the document. */
export type FormEntry = readonly [name: string, value: string];

/** What `plan.decode` takes: entries in order, or a record of names with one value or several. */
export type FormFields = Iterable<FormEntry> | Readonly<Record<string, string | readonly string[]>>;

export type JsonScalar = string | number | boolean | null;
export type JsonValue = JsonScalar | JsonValue[] | { [name: string]: JsonValue };
export type JsonObject = { [name: string]: JsonValue };

/** Upper bounds of what is read. Every one of them is named by the error that it causes. */
export interface FormLimits {
  /** Names with values in one submission (JSON: scalars in the document). */
  fieldsMax: number;
  nameBytesMax: number;
  valueBytesMax: number;
  /** Levels of nesting of a name, and of JSON text. */
  depthMax: number;
  /** Rows of one list of objects. */
  rowsMax: number;
}

export interface SchemaLimits {
  schemaBytesMax: number;
  schemaDepthMax: number;
  propertiesMax: number;
}

export interface CompileOptions {
  /**
   * `traits` (the default): the schema describes an identity, has an object at `/properties/traits`,
   * and only names below `traits` have a place. `document`: any object schema, every property has one.
   */
  root?: 'traits' | 'document';
  limits?: Partial<FormLimits & SchemaLimits>;
}

export interface DecodeOptions {
  /** Put the schema's `default` where a property is missing. Default false. */
  useDefaults?: boolean;
  /** What a blank value of a nullable property means. Default `missing`. */
  emptyNullable?: 'null' | 'missing';
  /** IANA name or `+02:00`: the zone of `datetime-local` and `time` inputs. Default `UTC`. */
  timeZone?: string;
  /**
   * What the decoded value will be laid over. It is not in the result, but has its say in which
   * branches of unions and conditions apply.
   */
  beneath?: JsonObject;
}

/** One thing that is wrong with one place of a submission. */
export interface FieldError {
  /** RFC 6901, of the place in the value, for instance `/traits/address/city`; '' is the whole. */
  pointer: string;
  /** The same place as a form name, `traits.address.city`. */
  name: string;
  /** Stable: `required`, `type`, `minLength`, `field.conflict`, `json`, … */
  code: string;
  /** The message id that Kratos gives to this kind of error; 4000001 where it has none of its own. */
  id: number;
  /** English; `localizeError` and `plan.localize` give the other languages. */
  message: string;
  params: Record<string, JsonValue>;
}

export interface Decoded {
  /** Objects in it have no `Object.prototype` behind them. */
  value: JsonObject;
  /** Names that were sent and that the schema has no place for, in order, each once. */
  ignored: string[];
  /** What could not be read: contradicting names, broken JSON text, an index that is none, depth. */
  conflicts: FieldError[];
}

export type Language = 'en' | 'de' | 'fr' | 'es';

/** A property that identifies a person: unique per schema. */
export interface IdentifierProperty {
  pointer: string;
  name: string;
}

export interface IdentifierValue extends IdentifierProperty {
  /** Trimmed, lower case, NFC. */
  value: string;
}

export type InputType =
  | 'text'
  | 'email'
  | 'url'
  | 'tel'
  | 'number'
  | 'date'
  | 'datetime-local'
  | 'time'
  | 'password'
  | 'hidden';

export interface FormOption {
  value: string;
  label: string;
  selected: boolean;
}

interface FormNodeBase {
  /** The name to submit under; unique in the form, with the index inside rows. */
  name: string;
  pointer: string;
  label: string;
  hint?: string;
  /** Counts only where the node is certain to apply: false inside a branch that may not. */
  required: boolean;
  readOnly: boolean;
  errors: FieldError[];
  /** Set where the node belongs to one branch of a union: it counts when `name` has one of `values`. */
  when?: { name: string; values: string[] };
}

/** `input` and `textarea`: one text. */
export interface FormTextNode extends FormNodeBase {
  kind: 'input' | 'textarea';
  type: InputType;
  value: string;
  /** min, max, step, minlength, maxlength, pattern, autocomplete, inputmode, as HTML spells them. */
  attributes: Record<string, string | number | boolean>;
}

/** A boolean: a hidden `false` before a checkbox with `true`, both under `name`. */
export interface FormCheckboxNode extends FormNodeBase {
  kind: 'checkbox';
  checked: boolean;
}

/** `select` and `radios`: one of the options. `checkboxes`: any of them, with a hidden blank before. */
export interface FormChoiceNode extends FormNodeBase {
  kind: 'select' | 'radios' | 'checkboxes';
  /** What the values are: an option's `value` is always its text. */
  type: 'text' | 'number';
  options: FormOption[];
  attributes: Record<string, string | number | boolean>;
}

/** A fieldset. */
export interface FormGroupNode extends FormNodeBase {
  kind: 'group';
  children: FormNode[];
}

/**
 * A repeatable list. Each row is one node (`list`: a text or choice node, `rows`: a group) whose
 * name carries the index; a hidden blank under `name` before them lets the list be emptied.
 */
export interface FormListNode extends FormNodeBase {
  kind: 'list' | 'rows';
  rows: FormNode[];
  rowsMin: number;
  rowsMax: number;
}

export type FormNode =
  FormTextNode | FormCheckboxNode | FormChoiceNode | FormGroupNode | FormListNode;

export interface FormModel {
  title: string;
  description?: string;
  language: Language;
  nodes: FormNode[];
  /** Errors that belong to no node of the form. */
  errors: FieldError[];
}

export interface FormOptions {
  /** Default `en`. Labels and hints come from `x-i18n`, else `title` and `description`. */
  language?: Language;
  /** Rows to show of a list at least, by its name: what an "add another" button asks for. */
  rows?: Readonly<Record<string, number>>;
  /** The zone in which date-times are shown. Default `UTC`. */
  timeZone?: string;
}

/** One node as Kratos's `ui.nodes` has it. */
export interface UiNode {
  type: 'input';
  group: 'default';
  attributes: Record<string, JsonValue>;
  messages: { id: number; text: string; type: 'error'; context: Record<string, JsonValue> }[];
  meta: { label?: { id: number; text: string; type: 'info'; context: Record<string, JsonValue> } };
}

/** A schema made ready. Immutable; may be shared by any number of requests. */
export interface FormPlan {
  /** The schema as it was given. */
  readonly schema: JsonObject;
  readonly limits: Readonly<FormLimits>;
  readonly identifiers: readonly IdentifierProperty[];
  /** Pointers of properties that a form never writes (`readOnly`, `x-immutable`). */
  readonly readOnly: readonly string[];

  /** Form fields to a typed value. Never throws, linear in its input. */
  decode(fields: FormFields, options?: DecodeOptions): Decoded;
  /**
   * JSON in form convention: top-level members are dotted names (their scalars go through the same
   * conversion as form texts) or nested objects (taken as they are). Never throws.
   */
  decodeJson(value: unknown, options?: DecodeOptions): Decoded;
  /** All errors of a value, in document order; empty when it is valid. */
  validate(value: unknown): FieldError[];
  /** What decode found plus what validate finds, without two errors for one cause. */
  errors(decoded: Decoded): FieldError[];
  /** The same errors in another language, with the labels of the schema in that language. */
  localize(errors: readonly FieldError[], language: Language): FieldError[];
  /**
   * The limit of a form that a value passes (`limit.fields`, `limit.name`, `limit.value`,
   * `limit.depth`), for values that did not come through `decode`; null when it keeps to all.
   */
  excess(value: JsonObject): FieldError | null;
  form(value?: JsonObject, errors?: readonly FieldError[], options?: FormOptions): FormModel;
  /** The identifiers that a value carries, normalised, in schema order. */
  identifiersOf(value: JsonObject): IdentifierValue[];
  /**
   * A profile form's result: what the form shows comes from `decoded` (absent there = removed),
   * everything else stays as it was stored, and so does a secret that was left blank. Of a row of a
   * list that is so only when the rest of the row came back as it was.
   */
  replaceShown(stored: JsonObject, decoded: JsonObject): JsonObject;
  /**
   * What a page sent, without the optional objects and rows that nobody filled in: they hold nothing
   * but unticked boxes, blanks and fixed values, and have one of the errors.
   */
  withoutUntouched(decoded: Decoded, errors: readonly FieldError[]): Decoded;
  /** A value without its secrets (`writeOnly` and `password`), for whoever fills in the form. */
  withoutSecrets(value: JsonObject): JsonObject;
}

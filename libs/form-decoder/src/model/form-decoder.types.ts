/**
 * Input and output of the form decoder. Everything except `FormPlan` is plain data and can be sent to
 * another process as JSON.
 */

/** One name and one value as a form sends them, in the order of the document. */
export type FormEntry = readonly [name: string, value: string];

/** Input of `plan.decode`: entries in order, or a record of names with one value or several. */
export type FormFields = Iterable<FormEntry> | Readonly<Record<string, string | readonly string[]>>;

export type JsonScalar = string | number | boolean | null;
export type JsonValue = JsonScalar | JsonValue[] | { [name: string]: JsonValue };
export type JsonObject = { [name: string]: JsonValue };

/** Limits of what is read. The error names the limit that was exceeded. */
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

/** One remark on a schema, which may be a reason to refuse it, with its place in the schema as a JSON pointer. */
export interface SchemaFault {
  pointer: string;
  code: string;
  message: string;
}

/** The known name that a name probably misspells, if there is one. */
export type NearestName = (name: string, known: Iterable<string>) => string | undefined;

export interface CompileOptions {
  /**
   * `traits` (the default): the schema describes an identity, has an object at `/properties/traits`,
   * and only names below `traits` have a place. `document`: any object schema, every property has one.
   */
  root?: 'traits' | 'document';
  limits?: Partial<FormLimits & SchemaLimits>;
  /**
   * The schema was accepted before, perhaps by fewer rules: those that only keep authors from
   * mistakes are not applied again.
   */
  isRegistered?: boolean;
  /** Finds misspelt keywords, which are refused; without it they are accepted with a warning. */
  nearest?: NearestName;
}

export interface DecodeOptions {
  /** Use the schema's `default` for a missing property. Default false. */
  useDefaults?: boolean;
  /** The meaning of a blank value of a nullable property. Default `missing`. */
  emptyNullable?: 'null' | 'missing';
  /** IANA name or `+02:00`: the zone of `datetime-local` and `time` inputs. Default `UTC`. */
  timeZone?: string;
  /**
   * The stored value that the result will be merged into. It is not part of the result, but counts
   * when unions and conditions are resolved.
   */
  beneath?: JsonObject;
}

/** One error at one place of a submission. */
export interface FieldError {
  /** JSON pointer (RFC 6901) into the value, such as `/traits/address/city`; '' is the whole value. */
  pointer: string;
  /** The same place as a form name, `traits.address.city`. */
  name: string;
  /** Stable: `required`, `type`, `minLength`, `field.conflict`, `json`, … */
  code: string;
  /** The message id of Kratos for this kind of error; 4000001 if it has no specific one. */
  id: number;
  /** English; `localizeError` and `plan.localize` give the other languages. */
  message: string;
  params: Record<string, JsonValue>;
}

export interface Decoded {
  /** Its objects do not inherit from `Object.prototype`. */
  value: JsonObject;
  /** Names that were sent but have no place in the schema, in order, without duplicates. */
  ignored: string[];
  /** Input that could not be read: contradicting names, broken JSON text, invalid indexes, depth. */
  conflicts: FieldError[];
}

/** JSON that a program may store: the value, and what of it cannot be stored. */
export interface TakenJson {
  value: JsonObject;
  faults: FieldError[];
}

export type Language = 'en' | 'de' | 'fr' | 'es';

/** A property that identifies a person: unique per schema. */
export interface IdentifierProperty {
  pointer: string;
  name: string;
}

export interface IdentifierValue extends IdentifierProperty {
  /** The name of the property, without indexes. */
  property: string;
  /** As it was entered. */
  text: string;
  /** The key by which it is compared: NFKC, no invisible characters, lower case. */
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
  /**
   * Whether the control must be filled in, or a box ticked. False inside an object or a branch of a
   * union that may be left out, and where an empty control is a valid answer.
   */
  required: boolean;
  /** Whether it may be left out even where the object around it is given. */
  optional: boolean;
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
  /** The type of the values; an option's `value` is always text. */
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
  /** The title of an entry, if the schema has one. */
  entryTitle?: string;
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
  /** Set if the value has more rows than `rowsShownMax`; the others are not in the form. */
  isCut?: true;
}

export interface FormOptions {
  /** Default `en`. Labels and hints come from `x-i18n`, else `title` and `description`. */
  language?: Language;
  /**
   * What was sent of the form that is shown again: controls hold their text as it was typed, and rows
   * keep their numbers. What it does not contain comes from the value.
   */
  sent?: readonly FormEntry[];
  /** The number of rows of the untouched form, by list name: new rows get later numbers. */
  rows?: Readonly<Record<string, number>>;
  /** The most rows of all lists together. Default: no limit besides those of each list. */
  rowsShownMax?: number;
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

/** A compiled schema. Immutable and safe to share between requests. */
export interface FormPlan {
  /** The schema as it was given. */
  readonly schema: JsonObject;
  readonly limits: Readonly<FormLimits>;
  readonly identifiers: readonly IdentifierProperty[];
  /** Keywords of the schema that have no effect, and ambiguous places. */
  readonly warnings: readonly SchemaFault[];
  /** Pointers of properties that a form never writes (`readOnly`, `x-immutable`). */
  readonly readOnly: readonly string[];

  /** Form fields to a typed value. Never throws, linear in its input. */
  decode(fields: FormFields, options?: DecodeOptions): Decoded;
  /**
   * JSON in form convention: top-level members are dotted names (their scalars go through the same
   * conversion as form texts) or nested objects (taken as they are). Never throws.
   */
  decodeJson(value: unknown, options?: DecodeOptions): Decoded;
  /**
   * JSON from a program that may write everything, also read-only and undeclared members. Its values
   * follow the rules of a form: no white space around e-mail addresses and similar texts. Faults are
   * reserved names and numbers that lost digits.
   */
  takeJson(value: JsonObject): TakenJson;
  /** All errors of a value, in document order; empty when it is valid. */
  validate(value: unknown): FieldError[];
  /** The conflicts of decoding and the errors of validation, one for each cause. */
  errors(decoded: Decoded): FieldError[];
  /** The same errors in another language, with the labels of the schema in that language. */
  localize(errors: readonly FieldError[], language: Language): FieldError[];
  /**
   * The limit that a value exceeds (`limit.fields`, `limit.name`, `limit.value`, `limit.depth`), for
   * values that did not come through `decode`; null if it exceeds no limit.
   */
  excess(value: JsonObject): FieldError | null;
  form(value?: JsonObject, errors?: readonly FieldError[], options?: FormOptions): FormModel;
  /** The identifiers that a value carries, normalized, in schema order. */
  identifiersOf(value: JsonObject): IdentifierValue[];
  /**
   * The value after a profile form: properties that the form shows come from `decoded` (missing ones
   * are removed), all others keep their stored value, and so do secrets that were left blank. An
   * entry of a list is the stored one that the form shows like it, or else the one with the number
   * in its name; any other entry is new. `shown` is the decoded value of the untouched form
   * (`untouchedFields`): what is equal to it keeps its stored value, which the form may show only
   * roughly. `removed` names the rows of the untouched form that were not sent; with it, other rows
   * stay that the form shows blank.
   */
  replaceShown(
    stored: JsonObject,
    decoded: JsonObject,
    shown?: JsonObject,
    removed?: ReadonlySet<string>,
  ): JsonObject;
  /**
   * The submission without optional objects and rows that were left untouched: those that have an
   * error and consist of unticked boxes, blanks and fixed values only.
   */
  withoutUntouched(decoded: Decoded, errors: readonly FieldError[]): Decoded;
  /** A value without its secrets (`writeOnly` and `password`), safe to show in a form. */
  withoutSecrets(value: JsonObject): JsonObject;
}

import { bareCopy, bareObject, isObject, sameJson } from './model/bare-object.js';
import { Decoder } from './decode/decoder.js';
import {
  type Decoded,
  type DecodeOptions,
  type FieldError,
  type FormFields,
  type FormLimits,
  type FormModel,
  type FormOptions,
  type FormPlan,
  type IdentifierProperty,
  type IdentifierValue,
  type JsonObject,
  type JsonValue,
  type Language,
  type SchemaFault,
  type TakenJson,
} from './model/form-decoder.types.js';
import { FormFacts } from './form/form-facts.js';
import { buildForm } from './form/form-model.js';
import { Identifiers } from './form/identifiers.js';
import { JsonTaker } from './decode/taken-json.js';
import { readJsonForm } from './read/json-form.js';
import { labelAt, locationAt } from './form/labels.js';
import { LocationTable, type Location } from './schema/location.js';
import { fieldError, localizeError } from './messages/localize.js';
import { FieldOrder } from './form/field-order.js';
import { ShownReplacer } from './form/replace-shown.js';
import { type SchemaGraph } from './schema/schema-graph.js';
import { withoutSecrets } from './form/secrets.js';
import { obstacleIn, unstorableTexts } from './model/text-check.js';
import { SentFields } from './form/sent-fields.js';
import { fieldErrors } from './validate/validation-errors.js';
import { placesAround, withoutUntouched } from './form/untouched.js';
import { Validator } from './validate/validator.js';

/** Names chosen by senders can create locations; beyond this many the table is rebuilt. */
const LOCATIONS_MAX = 50_000;

/** A compiled schema. It keeps caches only, no state of a submission. */
export class Plan implements FormPlan {
  readonly identifiers: readonly IdentifierProperty[];
  readonly readOnly: readonly string[];
  private readonly validator: Validator;
  private readonly known: Identifiers;
  private readonly order: FieldOrder;
  private table!: LocationTable;
  private root!: Location;
  private decoder!: Decoder;
  private facts!: Map<Language, FormFacts>;

  constructor(
    readonly schema: JsonObject,
    private readonly graph: SchemaGraph,
    readonly limits: Readonly<FormLimits>,
    private readonly only: string | undefined,
    readonly warnings: readonly SchemaFault[],
  ) {
    this.validator = new Validator(graph);
    this.layOut();
    this.known = new Identifiers(this.root, limits.depthMax);
    this.identifiers = this.known.properties;
    this.order = new FieldOrder(this.root, limits.depthMax);
    this.readOnly = this.order.readOnly;
  }

  decode(fields: FormFields, options: DecodeOptions = {}): Decoded {
    if (this.table.size > LOCATIONS_MAX) this.layOut();
    return this.decoder.decode(fields, options);
  }

  decodeJson(value: unknown, options: DecodeOptions = {}): Decoded {
    if (this.table.size > LOCATIONS_MAX) this.layOut();
    const read = readJsonForm(value, this.limits);
    if ('document' in read) return this.decoder.decodeJson(read.document, options);
    const empty = this.decoder.decode([], options);
    return { ...empty, conflicts: [read.conflict] };
  }

  takeJson(value: JsonObject): TakenJson {
    if (this.table.size > LOCATIONS_MAX) this.layOut();
    const taker = new JsonTaker((pointer) => this.label(pointer));
    return { value: taker.object(value, this.root, ''), faults: taker.faults };
  }

  validate(value: unknown): FieldError[] {
    const given = value as JsonValue;
    const obstacle = obstacleIn(given);
    if (obstacle === 'depth') {
      return [fieldError('', 'limit.depth', { limit: this.limits.depthMax }, this.label(''))];
    }
    const checked = this.graph.hasInheritedNames ? bareCopy(given) : given;
    const found = this.validator.errors(checked);
    if (found.length === 0 && obstacle === null) return [];
    const errors = fieldErrors(found, checked, {
      label: (pointer) => this.label(pointer),
      secret: (pointer) => this.isSecret(pointer),
    });
    for (const pointer of obstacle === null ? [] : new Set(unstorableTexts(checked))) {
      errors.push(fieldError(pointer, 'text.control', {}, this.label(pointer)));
    }
    return this.order.sorted(errors);
  }

  errors(decoded: Decoded): FieldError[] {
    const { conflicts } = decoded;
    const errors = this.validate(decoded.value);
    if (conflicts.length === 0) return errors;
    const places = conflicts.map(({ pointer }) => pointer);
    const others = errors.filter(
      ({ pointer }) =>
        !places.some((place) => pointer === place || pointer.startsWith(`${place}/`)),
    );
    return this.order.sorted([...conflicts, ...others]);
  }

  localize(errors: readonly FieldError[], language: Language): FieldError[] {
    return errors.map((error) =>
      localizeError(error, language, labelAt(this.root, error.pointer, language)),
    );
  }

  excess(value: JsonObject): FieldError | null {
    // Required objects are created one level below the deepest name.
    const depthMax = this.limits.depthMax + 1;
    const read = readJsonForm(value, { ...this.limits, depthMax });
    return 'conflict' in read ? read.conflict : null;
  }

  form(
    value: JsonObject = bareObject(),
    errors: readonly FieldError[] = [],
    options: FormOptions = {},
  ): FormModel {
    const language = options.language ?? 'en';
    return buildForm({
      root: this.root,
      only: this.only,
      facts: this.factsIn(language),
      value,
      errors: this.localize(errors, language),
      sent: options.sent === undefined ? undefined : new SentFields(options.sent),
      rows: options.rows ?? {},
      timeZone: options.timeZone ?? 'UTC',
      depthMax: this.limits.depthMax,
      rowsMax: this.limits.rowsMax,
      rowsShownMax: options.rowsShownMax ?? Infinity,
    });
  }

  identifiersOf(value: JsonObject): IdentifierValue[] {
    return this.known.of(value);
  }

  withoutUntouched(decoded: Decoded, errors: readonly FieldError[]): Decoded {
    const faults = placesAround(errors.map(({ pointer }) => pointer));
    if (faults.size === 0) return decoded;
    const { only } = this;
    const top = only === undefined ? decoded.value : decoded.value[only];
    if (!isObject(top)) return decoded;
    // The traits themselves always exist.
    const location = only === undefined ? this.root : (this.root.wide.property(only) as Location);
    const value = withoutUntouched(top, location, faults, only === undefined ? '' : `/${only}`);
    if (only === undefined) return { ...decoded, value };
    return { ...decoded, value: Object.assign(bareObject(), decoded.value, { [only]: value }) };
  }

  withoutSecrets(value: JsonObject): JsonObject {
    return withoutSecrets(value, this.root);
  }

  replaceShown(
    stored: JsonObject,
    decoded: JsonObject,
    shown?: JsonObject,
    removed?: ReadonlySet<string>,
  ): JsonObject {
    if (shown !== undefined && !removed?.size && sameJson(decoded, shown)) return stored;
    const replacer = new ShownReplacer(shown !== undefined, removed);
    const { only } = this;
    if (only === undefined) {
      const whole = { location: this.root, name: '', shown, secret: false };
      return replacer.replace(stored, decoded, whole);
    }
    const result = bareObject();
    const location = this.root.wide.property(only) as Location;
    const of = (value: JsonObject): JsonObject => {
      const inner = value[only];
      return isObject(inner) ? inner : bareObject();
    };
    const traits = { location, name: only, shown: shown && of(shown), secret: false };
    result[only] = replacer.replace(of(stored), of(decoded), traits);
    return result;
  }

  private factsIn(language: Language): FormFacts {
    let facts = this.facts.get(language);
    if (facts === undefined) {
      facts = new FormFacts(language, this.validator);
      this.facts.set(language, facts);
    }
    return facts;
  }

  private layOut(): void {
    this.facts = new Map();
    this.table = new LocationTable();
    this.root = this.table.of([this.graph.root], []);
    const label = (pointer: string): string => this.label(pointer);
    this.decoder = new Decoder(this.root, this.only, this.validator, this.limits, label);
  }

  private label(pointer: string): string {
    return labelAt(this.root, pointer, 'en');
  }

  private isSecret(pointer: string): boolean {
    const places = placesAround([pointer]);
    return [...places].some((place) => {
      const location = locationAt(this.root, place);
      return location?.keyword('writeOnly') === true || /(?:^|\/)password$/i.test(place);
    });
  }
}

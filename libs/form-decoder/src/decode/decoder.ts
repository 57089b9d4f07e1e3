import { bareObject, isObject } from '../model/bare-object.js';
import { escapeSegment } from '../model/field-names.js';
import {
  type Decoded,
  type DecodeOptions,
  type FormEntry,
  type FormFields,
  type FormLimits,
  type JsonObject,
  type JsonValue,
} from '../model/form-decoder.types.js';
import { type Location } from '../schema/location.js';
import { NameResolver, type Step } from './name-resolver.js';
import { boxed, JsonBox, RawNode, type RawEntry } from './raw-node.js';
import { ScalarTable } from './scalar.js';
import { Submission } from './submission.js';
import { writtenNumber } from '../read/json.reader.js';
import { TreeDecoder } from './tree-decoder.js';
import { type Validator } from '../validate/validator.js';

/** Steps of branch trials that each entry of a submission allows. */
const STEPS_PER_ENTRY = 256;

/** Sorts what was sent into a tree of places, then converts the tree to a value. */
export class Decoder {
  private readonly names: NameResolver;
  private readonly scalars = new ScalarTable();

  constructor(
    private readonly root: Location,
    private readonly only: string | undefined,
    private readonly validator: Validator,
    private readonly limits: FormLimits,
    private readonly label: (pointer: string) => string,
  ) {
    this.names = new NameResolver(root, limits.depthMax, only);
  }

  decode(fields: FormFields, options: DecodeOptions): Decoded {
    const submission = new Submission(this.limits, options, this.label);
    const root = new RawNode();
    for (const entry of entriesOf(fields)) {
      submission.entries.push(entry);
      this.nodeFor(entry, root, submission)?.put(entry);
    }
    submission.steps += submission.entries.length * STEPS_PER_ENTRY;
    return this.convert(root, submission);
  }

  decodeJson(document: JsonObject, options: DecodeOptions): Decoded {
    const submission = new Submission(this.limits, options, this.label);
    const root = new RawNode();
    for (const name of Object.keys(document)) {
      const entry: RawEntry = [name, boxed(document, name)];
      submission.entries.push(entry);
      const node = this.nodeFor(entry, root, submission);
      if (node === null) continue;
      const place = this.fixedPlace(this.names.resolve(name) as readonly Step[]);
      putJson(node, place, entry, submission);
    }
    return this.convert(root, submission);
  }

  private nodeFor(entry: RawEntry, root: RawNode, submission: Submission): RawNode | null {
    const steps = this.names.resolve(entry[0]);
    if (steps === null || 'code' in steps) {
      submission.ignore(entry);
      if (steps !== null) submission.conflict(steps.pointer, steps.code, steps.params);
      return null;
    }
    let node = root;
    for (const step of steps) node = node.child(step);
    return node;
  }

  /** The location that steps lead to if it is the same for every submission, else null. */
  private fixedPlace(steps: readonly Step[]): Location | null {
    let location: Location | null = this.root;
    for (const step of steps) {
      if (location === null || location.branching || location.isArray) return null;
      if (typeof step === 'number') return null;
      location = location.member(step);
    }
    return location;
  }

  private convert(root: RawNode, submission: Submission): Decoded {
    const tree = new TreeDecoder(this.validator, this.scalars, submission);
    const { only } = this;
    let value: JsonObject = bareObject();
    if (only === undefined) {
      const whole = tree.convertAlways(root, this.root);
      if (isObject(whole)) value = whole;
    } else {
      const location = this.root.wide.property(only) as Location;
      const node = root.member(only);
      const traits = tree.convertAlways(node, location);
      if (traits !== undefined) value[only] = traits;
    }
    return {
      value,
      ignored: submission.ignored,
      conflicts: submission.conflicts,
    };
  }
}

function entriesOf(fields: FormFields): Iterable<FormEntry> {
  if (Symbol.iterator in fields) return fields as Iterable<FormEntry>;
  return Object.entries(fields).flatMap(([name, value]): FormEntry[] =>
    typeof value === 'string' ? [[name, value]] : value.map((each) => [name, each]),
  );
}

/** Nested objects go member by member to where dotted names would, so that both can be mixed. */
function putJson(
  node: RawNode,
  place: Location | null,
  entry: RawEntry,
  submission: Submission,
): void {
  const [name, value] = entry;
  const object = typeof value === 'string' ? null : value.value;
  if (!isObject(object) || place === null || !place.hasFixedMembers) return node.put(entry);
  node.put([name, new JsonBox({})]);
  for (const property of Object.keys(object)) {
    const child = place.property(property);
    const inner: RawEntry = [
      `${name}.${escapeSegment(property)}`,
      new JsonBox(object[property] as JsonValue, false, writtenNumber(object, property)),
    ];
    submission.entries.push(inner);
    if (child === null || child.readOnly) submission.ignore(inner);
    else putJson(node.child(property), child, inner, submission);
  }
}

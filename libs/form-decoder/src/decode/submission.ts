import {
  type DecodeOptions,
  type FieldError,
  type FormLimits,
  type JsonObject,
  type JsonValue,
} from '../model/form-decoder.types.js';
import { fieldError } from '../messages/localize.js';
import { type RawEntry } from './raw-node.js';

/** A lost field weighs more than all objects that a branch makes up. */
const LOST = 1e6;

/** The state of one submission while it is decoded. */
export class Submission {
  readonly timeZone: string;
  readonly useDefaults: boolean;
  readonly emptyIsNull: boolean;
  readonly beneath: JsonObject | undefined;
  /** Submitted entries, in order. */
  readonly entries: RawEntry[] = [];
  readonly conflicts: FieldError[] = [];
  /** Greater than zero while a branch is tried: remarks are then counted but not kept. */
  trials = 0;
  remarks = 0;
  /** How badly the branch that is tried suits what was sent: zero if nothing is lost or made up. */
  misfit = 0;
  /** Remaining steps for unions and conditions; every entry adds some. */
  steps = 2000;
  private conflictKeys: Set<string> | null = null;
  private ignoredNames: Map<string, RawEntry> | null = null;

  constructor(
    readonly limits: FormLimits,
    options: DecodeOptions,
    private readonly label: (pointer: string) => string,
  ) {
    this.timeZone = options.timeZone ?? 'UTC';
    this.useDefaults = options.useDefaults === true;
    this.emptyIsNull = options.emptyNullable === 'null';
    this.beneath = options.beneath;
  }

  conflict(pointer: string, code: string, params: Record<string, JsonValue> = {}): void {
    this.remarks += 1;
    if (this.trials > 0) return;
    const key = `${code} ${pointer}`;
    this.conflictKeys ??= new Set();
    if (this.conflictKeys.has(key)) return;
    this.conflictKeys.add(key);
    this.conflicts.push(fieldError(pointer, code, params, this.label(pointer)));
  }

  /** Lists a name that has no place: that of an entry, or of a member of its JSON. */
  ignore(origin: RawEntry, name = origin[0]): void {
    this.remarks += 1;
    if (origin[1] !== '') this.misfit += LOST;
    if (this.trials > 0) return;
    this.ignoredNames ??= new Map();
    if (!this.ignoredNames.has(name)) this.ignoredNames.set(name, origin);
  }

  get ignored(): string[] {
    if (this.ignoredNames === null) return [];
    const order = new Map(this.entries.map((entry, index) => [entry, index]));
    const position = (entry: RawEntry): number => order.get(entry) ?? this.entries.length;
    return [...this.ignoredNames]
      .sort(([, a], [, b]) => position(a) - position(b))
      .map(([name]) => name);
  }
}

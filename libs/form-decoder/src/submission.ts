import type {
  DecodeOptions,
  FieldError,
  FormLimits,
  JsonObject,
  JsonValue,
} from './form-decoder.types.js';
import { fieldError } from './messages/localize.js';
import type { IndexedTexts, JsonBox, RawNode, SentName } from './raw-node.js';

export type Slot = undefined | string | (string | JsonBox)[] | JsonBox | IndexedTexts | RawNode;

/** What is known of one submission while it is decoded. */
export class Submission {
  readonly slots: Slot[];
  readonly timeZone: string;
  readonly useDefaults: boolean;
  readonly emptyIsNull: boolean;
  readonly beneath: JsonObject | undefined;
  readonly conflicts: FieldError[] = [];
  /** Greater than zero while a branch is tried out: remarks are then counted and not kept. */
  trials = 0;
  remarks = 0;
  /** Steps that unions and conditions may still cost; every entry brings some. */
  steps = 2000;
  private conflictKeys: Set<string> | null = null;
  private ignoredNames: Map<string, number> | null = null;

  constructor(
    slots: number,
    readonly limits: FormLimits,
    options: DecodeOptions,
    private readonly label: (pointer: string) => string,
  ) {
    this.slots = new Array<Slot>(slots).fill(undefined);
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

  ignore({ name, at }: SentName): void {
    this.remarks += 1;
    if (this.trials > 0) return;
    this.ignoredNames ??= new Map();
    if (!this.ignoredNames.has(name)) this.ignoredNames.set(name, at);
  }

  get ignored(): string[] {
    if (this.ignoredNames === null) return [];
    return [...this.ignoredNames].sort(([, a], [, b]) => a - b).map(([name]) => name);
  }
}

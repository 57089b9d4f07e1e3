/** Compares what a file has with what there is, and lists the steps from one to the other. */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from './shape.js';

export type Fields = Readonly<Record<string, unknown>>;

export interface Difference {
  /** Such as `rules[0].role`. */
  readonly path: string;
  /** Undefined: there was none. */
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface Step {
  readonly action: 'create' | 'change' | 'delete';
  /** Such as `directory acme/shop`. */
  readonly object: string;
  readonly differences: readonly Difference[];
  /** @returns a secret that is not shown again, if one was generated */
  readonly run: () => Promise<string | void>;
}

/** What is there, and what can be done with it. `current` has the members of the file's format. */
export interface Target {
  readonly object: string;
  readonly desired: Fields;
  /** Undefined if the object does not exist. */
  readonly current: Fields | undefined;
  /** Members that are set at creation alone, and cannot be read: shown, but not compared. */
  readonly initial?: Fields;
  /** Members that cannot be changed. */
  readonly fixed?: readonly string[];
  readonly create: () => Promise<string | void>;
  /** @param changes the members that differ, with their new values */
  readonly change: (changes: Fields) => Promise<unknown>;
}

export class Plan {
  readonly steps: Step[] = [];
  /** In the order in which they are carried out: after all other steps. */
  readonly deletions: Step[] = [];
  /** Differences that cannot be brought about. */
  readonly problems: string[] = [];
  unchanged = 0;
  private readonly compared = new Set<string>();

  compare({ object, desired, current, initial = {}, fixed = [], create, change }: Target): void {
    if (this.compared.has(object)) this.problems.push(`The file has the ${object} twice.`);
    this.compared.add(object);
    if (current === undefined) {
      const differences = differencesOf({}, { ...desired, ...initial });
      this.steps.push({ action: 'create', object, differences, run: create });
      return;
    }
    const names = Object.keys(desired).filter(
      (name) => desired[name] !== undefined && !isDeepStrictEqual(desired[name], current[name]),
    );
    for (const name of names.filter((each) => fixed.includes(each))) {
      const [before, after] = [JSON.stringify(current[name]), JSON.stringify(desired[name])];
      this.problems.push(`${name} of the ${object} cannot be changed from ${before} to ${after}.`);
    }
    if (names.length === 0) {
      this.unchanged += 1;
      return;
    }
    const changes = Object.fromEntries(names.map((name) => [name, desired[name]]));
    const differences = names.flatMap((name) => differencesAt(name, current[name], desired[name]));
    const run = async () => void (await change(changes));
    this.steps.push({ action: 'change', object, differences, run });
  }

  remove(object: string, run: () => Promise<unknown>): void {
    const action = 'delete';
    this.deletions.unshift({
      action,
      object,
      differences: [],
      run: async () => void (await run()),
    });
  }
}

function differencesOf(before: Fields, after: Fields): Difference[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => differencesAt(name, before[name], after[name]));
}

/** Goes into objects, and into lists of objects that have the same length. */
function differencesAt(path: string, before: unknown, after: unknown): Difference[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    return differencesOf(before, after).map((each) => ({ ...each, path: `${path}.${each.path}` }));
  }
  if (
    Array.isArray(before) &&
    Array.isArray(after) &&
    before.length === after.length &&
    isObject(after[0])
  ) {
    return after.flatMap((each, index) => differencesAt(`${path}[${index}]`, before[index], each));
  }
  return [{ path, before, after }];
}

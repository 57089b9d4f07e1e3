/** Says which members a value has, and of which kind: everything else is a fault at a path. */
import { environment } from '../environment.js';
import { type Path } from './yaml-file.js';

export interface Fault {
  readonly path: Path;
  readonly message: string;
}

/** Adds what is wrong with a value to the faults. A value without any is a T. */
export type Shape<T> = ((value: unknown, path: Path, faults: Fault[]) => void) & {
  readonly describes?: T;
};

/** What a value of a shape is. */
export type Shaped<S> = S extends Shape<infer T> ? T : never;
type Members = Readonly<Record<string, Shape<unknown>>>;
type ShapedObject<M extends Members, Required extends keyof M> = {
  [Name in Required]: Shaped<M[Name]>;
} & { [Name in Exclude<keyof M, Required>]?: Shaped<M[Name]> };

const REFERENCE = /^\$\{(\w+)\}$/;

const shapeOf =
  <T>(isRight: (value: unknown) => boolean, message: string): Shape<T> =>
  (value, path, faults) => {
    if (!isRight(value)) faults.push({ path, message });
  };

export const text = shapeOf<string>(
  (value) => typeof value === 'string' && value !== '',
  'must be a text',
);
export const flag = shapeOf<boolean>(
  (value) => typeof value === 'boolean',
  'must be true or false',
);
export const wholeNumber = shapeOf<number>(Number.isSafeInteger, 'must be a whole number');
export const anyObject = shapeOf<Record<string, unknown>>(isObject, 'must be an object');

export const claim = shapeOf<string | boolean>(
  (value) => typeof value === 'string' || typeof value === 'boolean',
  'must be a text, true or false',
);

export function choice<const T extends string>(...values: T[]): Shape<T> {
  return shapeOf((value) => values.includes(value as T), `must be one of ${values.join(', ')}`);
}

export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return (value, path, faults) => {
    if (value !== null) shape(value, path, faults);
  };
}

/** The name of an environment variable: a file that is kept with code holds no secret. */
export const secret: Shape<string> = (value, path, faults) => {
  const [, name] = (typeof value === 'string' && REFERENCE.exec(value)) || [];
  if (name === undefined) {
    faults.push({ path, message: 'must name an environment variable, such as ${WEBHOOK_SECRET}' });
  } else if (environment(name) === undefined) {
    faults.push({ path, message: `the environment variable ${name} is not set` });
  }
};

/** The value of a `secret`; undefined without one. */
export function resolved(reference: string | undefined): string | undefined {
  return reference && environment(REFERENCE.exec(reference)?.[1] ?? '');
}

export function list<T>(item: Shape<T>): Shape<T[]> {
  return (value, path, faults) => {
    if (!Array.isArray(value)) faults.push({ path, message: 'must be a list' });
    else value.forEach((each, index) => item(each, [...path, index], faults));
  };
}

export function mapOf<T>(item: Shape<T>): Shape<Record<string, T>> {
  return (value, path, faults) => {
    if (!isObject(value)) faults.push({ path, message: 'must be an object' });
    else for (const [name, each] of Object.entries(value)) item(each, [...path, name], faults);
  };
}

/** An object with these members and no others. */
export function object<M extends Members, Required extends keyof M & string = never>(
  members: M,
  required: readonly Required[] = [],
): Shape<ShapedObject<M, Required>> {
  return (value, path, faults) => {
    if (!isObject(value)) {
      faults.push({ path, message: 'must be an object' });
      return;
    }
    for (const name of required) {
      if (value[name] === undefined) faults.push({ path, message: `${name} is missing` });
    }
    for (const [name, each] of Object.entries(value)) {
      const member = [...path, name];
      const shape = Object.hasOwn(members, name) ? members[name] : undefined;
      const known = Object.keys(members).join(', ');
      if (shape === undefined) faults.push({ path: member, message: `is not one of ${known}` });
      else shape(each, member, faults);
    }
  };
}

/** `directories[0].webhook_url` */
export function pathText(path: Path): string {
  return path
    .map((each) => (typeof each === 'number' ? `[${each}]` : `.${each}`))
    .join('')
    .replace(/^\./, '');
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
